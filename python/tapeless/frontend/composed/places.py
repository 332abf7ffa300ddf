"""Positions of elements as index arrays: `triu_indices`, `ix_`, `indices`, `unravel_index`, `argwhere`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from tapeless.errors import ShapeMismatch
from tapeless.frontend.arrays import array_arguments
from tapeless.frontend.composed.matrices import distance, meshgrid
from tapeless.frontend.composed.searching import flatnonzero, nonzero
from tapeless.frontend.composed.terms import Language, Term, as_value
from tapeless.frontend.values.capture import captured_value

MOST_CONSTANTS = 4096
"""Up to so many elements of a matrix, the places of a triangle are computed when compiling."""


def triu_indices(tl: Language, n: Any, k: Any, m: Any) -> tuple[Term, ...]:
    return _triangle(tl, n, k, m, np.triu_indices, lambda above: above >= k)


def tril_indices(tl: Language, n: Any, k: Any, m: Any) -> tuple[Term, ...]:
    return _triangle(tl, n, k, m, np.tril_indices, lambda above: above <= k)


def _triangle(
    tl: Language, n: Any, k: Any, m: Any, known: Callable[..., Any], is_inside: Callable[[Term], Term]
) -> tuple[Term, ...]:
    """Rows and columns of the elements of a triangle, in order."""
    rows = array_arguments.size(tl.t, as_value(n))
    columns = rows if m is None else array_arguments.size(tl.t, as_value(m))
    offset = tl.number(tl.t.integer(as_value(k), "the diagonal")).value.literal
    is_known = rows.is_constant and columns.is_constant and offset is not None
    if is_known and rows.constant * columns.constant <= MOST_CONSTANTS:
        found = known(rows.constant, offset, columns.constant)
        return tuple(tl.number(captured_value(tl.t, each, "the indices")) for each in found)
    return nonzero(tl, is_inside(distance(tl, rows, columns)))


def diag_indices(tl: Language, n: Any, ndim: Any) -> tuple[Term, ...]:
    return (tl.iota(n).held(),) * tl.constant(ndim, "the number of axes")


def indices(tl: Language, dimensions: Any) -> Term:
    """For each axis of a grid, the positions of its elements along that axis."""
    sizes = dimensions if isinstance(dimensions, tuple) else (dimensions,)
    return tl.stack(meshgrid(tl, *(tl.iota(each) for each in sizes), indexing="ij"))


def ix_(tl: Language, *vectors: Any) -> tuple[Term, ...]:
    """Vectors of positions, each along an axis of its own, so that an index by all of them selects a grid."""
    found = []
    for axis, each in enumerate(vectors):
        vector = tl.array(tl.listed(each))
        if vector.rank != 1:
            raise tl.t.error("tl.ix_ takes vectors of positions", "use arrays of rank 1", ShapeMismatch)
        places = flatnonzero(tl, vector) if vector.dtype.is_bool else vector
        found.append(places.with_axes(tuple(other for other in range(len(vectors)) if other != axis)))
    return tuple(found)


def unravel_index(tl: Language, places: Any, shape: Any) -> tuple[Term, ...]:
    """The positions along each axis of places in row-major order."""
    sizes = [tl.number(each) for each in (shape if isinstance(shape, tuple) else (shape,))]
    rest, found, count = tl.listed(places).held(), [], tl.number(1)
    for size in sizes:
        count = count * size
    tl.require(tl.all((rest >= 0) & (rest < count)), "a place lies outside of the shape; use places below its size")
    for size in reversed(sizes):
        found.append((rest % size).held())
        rest = (rest // size).held()
    return tuple(reversed(found))


def argwhere(tl: Language, x: Any) -> Term:
    """The positions of the elements that are not zero, one in each row."""
    return tl.stack(nonzero(tl, x), axis=1)
