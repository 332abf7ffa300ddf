"""Products of matrices, and the adjoints of both factors."""

from __future__ import annotations

import jax.numpy as jnp
from jax import Array


def product_adjoint(a: Array, b: Array, seed: Array) -> tuple[Array, Array]:
    return seed @ b.T, a.T @ seed


FUNCTIONS = {
    f"matrix product {kind}{part}": function
    for kind in ("f64", "f32")
    for part, function in (("", jnp.matmul), (" gradient", product_adjoint))
}
