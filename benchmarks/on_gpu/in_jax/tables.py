"""Look-ups in tables of cross sections."""

from __future__ import annotations

from typing import Any

import jax
import jax.numpy as jnp
from jax import Array
from redundant_jax import xs_lookup


def pointwise(energies: Array, grid: Array, sections: Array) -> Array:
    i = jnp.clip(jnp.searchsorted(grid, energies, side="right") - 1, 0, len(grid) - 2)
    share = ((energies - grid[i]) / (grid[i + 1] - grid[i]))[:, None]
    mixed = sections[i] + share * (sections[i + 1] - sections[i])
    return jnp.sum(mixed * mixed)


def multipole(energies: Array, poles: Array, residues: Array, radius: Any) -> Array:
    root, windows = jnp.sqrt(energies), len(poles)
    window = jnp.minimum((energies * windows).astype(int), windows - 1)
    pole, residue = poles[window], residues[window]
    cosine, sine = jnp.cos(2 * radius * root)[:, None], jnp.sin(2 * radius * root)[:, None]
    real, imaginary = pole[..., 0] - root[:, None], pole[..., 1]
    scale = 1.0 / ((real * real + imaginary * imaginary) * energies[:, None])
    re, im = real * scale, -imaginary * scale
    turned_re, turned_im = re * cosine + im * sine, im * cosine - re * sine
    total = residue[..., 0, 0] * turned_re - residue[..., 0, 1] * turned_im
    absorbed = residue[..., 1, 0] * re - residue[..., 1, 1] * im
    fission = residue[..., 2, 0] * re - residue[..., 2, 1] * im
    return jnp.sum(total + 0.5 * absorbed + 0.25 * fission)


FUNCTIONS = {
    "pointwise": pointwise,
    "pointwise gradient": jax.grad(pointwise, argnums=2),
    "pointwise gradient, any order": jax.grad(pointwise, argnums=2),
    "multipole": multipole,
    "multipole gradient": jax.grad(multipole, argnums=(1, 2)),
    "multipole gradient, any order": jax.grad(multipole, argnums=(1, 2)),
    "nuclides": xs_lookup,
    "nuclides gradient": jax.grad(xs_lookup, argnums=3),
    "nuclides gradient, any order": jax.grad(xs_lookup, argnums=3),
}
