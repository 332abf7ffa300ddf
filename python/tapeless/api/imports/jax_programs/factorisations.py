"""Factorisations and triangular systems, which JAX hands to LAPACK, as loops that are imported like all others.

Matrices in batches are factored one by one in a map; derivatives are those of the loops.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import jax
import jax.numpy as jnp
from jax import lax

Written = Callable[..., Sequence[Any]]


def _in_batches(function: Callable[..., Any], *arrays: Any) -> Any:
    """A function of matrices on arrays of them, whose leading axes are equal."""
    for _ in range(arrays[0].ndim - 2):
        function = jax.vmap(function)
    return function(*arrays)


def _cholesky(a: Any, **_: Any) -> list[Any]:
    """L with L L^T = a, from the lower triangle; NaN where there is none."""
    return [_in_batches(_lower_factor, a)]


def _lower_factor(a: Any) -> Any:
    numbers = jnp.arange(a.shape[0])

    def step(k: Any, lower: Any) -> Any:
        column = a[:, k] - lower @ lower[k]
        return lower.at[:, k].set(jnp.where(numbers >= k, column / jnp.sqrt(column[k]), 0))

    lower = lax.fori_loop(0, a.shape[0], step, jnp.zeros_like(a))
    return jnp.where(jnp.all(jnp.diagonal(lower) > 0), lower, jnp.nan)


def _triangular_solve(
    a: Any, b: Any, *, left_side: bool, lower: bool, transpose_a: bool, unit_diagonal: bool, **_: Any
) -> list[Any]:
    """x of `a @ x = b`, or of `x @ a = b`, where only one triangle of `a` is read."""
    turned = transpose_a == left_side
    matrix = jnp.swapaxes(a, -1, -2) if turned else a
    right = b if left_side else jnp.swapaxes(b, -1, -2)
    found = _in_batches(lambda each, side: _substituted(each, side, lower != turned, unit_diagonal), matrix, right)
    return [found if left_side else jnp.swapaxes(found, -1, -2)]


def _substituted(a: Any, b: Any, lower: bool, unit_diagonal: bool) -> Any:
    size = a.shape[0]
    strict = jnp.tril(a, -1) if lower else jnp.triu(a, 1)
    diagonal = jnp.ones(size, a.dtype) if unit_diagonal else jnp.diagonal(a)

    def step(position: Any, x: Any) -> Any:
        k = position if lower else size - 1 - position
        return x.at[k].set((b[k] - strict[k] @ x) / diagonal[k])

    return lax.fori_loop(0, size, step, jnp.zeros_like(b))


def _lu(a: Any, **_: Any) -> list[Any]:
    """L and U in one matrix, the row that each row was exchanged with, and the order of rows at the end."""
    return list(_in_batches(_eliminated, a))


def _eliminated(a: Any) -> tuple[Any, Any, Any]:
    rows, columns = jnp.arange(a.shape[0], dtype=jnp.int32), jnp.arange(a.shape[1])

    def step(k: Any, state: tuple[Any, Any, Any]) -> tuple[Any, Any, Any]:
        lu, pivots, order = state
        best = jnp.argmax(jnp.where(rows >= k, jnp.abs(lu[:, k]), -1)).astype(jnp.int32)
        exchanged = jnp.where(rows == k, best, jnp.where(rows == best, k, rows))
        lu, order = lu[exchanged], order[exchanged]
        pivot = jnp.where(lu[k, k] == 0, 1, lu[k, k])
        factors = jnp.where(rows > k, lu[:, k] / pivot, 0)
        lu = lu - jnp.outer(factors, jnp.where(columns > k, lu[k], 0))
        return lu.at[:, k].set(jnp.where(rows > k, factors, lu[:, k])), pivots.at[k].set(best), order

    count = min(a.shape)
    return lax.fori_loop(0, count, step, (a, jnp.zeros(count, jnp.int32), rows))


WRITTEN: Mapping[str, Written] = {"cholesky": _cholesky, "lu": _lu, "triangular_solve": _triangular_solve}
"""What takes the place of primitives."""
