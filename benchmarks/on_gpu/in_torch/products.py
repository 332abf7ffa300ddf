"""Products of matrices, and the adjoints of both factors."""

from __future__ import annotations

import torch
from torch import Tensor


def product_adjoint(a: Tensor, b: Tensor, seed: Tensor) -> tuple[Tensor, Tensor]:
    return seed @ b.T, a.T @ seed


FUNCTIONS = {
    f"matrix product {kind}{part}": function
    for kind in ("f64", "f32")
    for part, function in (("", torch.matmul), (" gradient", product_adjoint))
}
