"""Matrices of known form, parts of matrices, grids: `eye`, `diag`, `trace`, `tril`, `cross`, `arange`, `meshgrid`."""

from __future__ import annotations

from typing import Any

from tapeless.errors import ShapeMismatch, TypeMismatch
from tapeless.frontend.arrays import array_arguments
from tapeless.frontend.arrays.reshaping import product, reshaped
from tapeless.frontend.composed.joining import pad
from tapeless.frontend.composed.moving import moveaxis, ravel
from tapeless.frontend.composed.searching import take
from tapeless.frontend.composed.terms import Language, Term, as_value
from tapeless.frontend.elementwise import broadcasting
from tapeless.frontend.values.affine import Affine
from tapeless.types import f64


def arange(tl: Language, start: Any, stop: Any, step: Any, dtype: Any) -> Term:
    """Numbers from `start` on, in steps, as long as they are below `stop`."""
    first, last = (0, start) if stop is None else (start, stop)
    lower, upper, distance = (tl.number(tl.t.scalar(as_value(each), "a bound")) for each in (first, last, step))
    if distance.value.literal == 0:
        raise tl.t.error("the step of tl.arange is 0", "use a step that is not 0")
    if any(each.dtype.is_float for each in (lower, upper, distance)):
        count = tl.int(tl.ceil((upper - lower) / distance))
        lower = lower * 1.0
        distance = (lower + distance) - lower
    else:
        count = -((lower - upper) // distance)
    values = tl.iota(tl.maximum(count, 0)) * distance + lower
    return values if dtype is None else tl.astype(values, dtype)


def logspace(tl: Language, a: Any, b: Any, n: Any, endpoint: Any, base: Any) -> Term:
    """Powers whose exponents are evenly spaced."""
    return tl.pow(base, tl.linspace(a, b, n, endpoint))


def geomspace(tl: Language, a: Any, b: Any, n: Any, endpoint: Any) -> Term:
    """Numbers of one sign whose logarithms are evenly spaced."""
    first, last = (tl.astype(tl.number(each), f64) for each in (a, b))
    tl.require(first * last > 0, "tl.geomspace between numbers of different signs, or 0; give two of one sign")
    logarithms = tl.linspace(tl.log(tl.abs(first)), tl.log(tl.abs(last)), n, endpoint)
    return tl.sign(first) * tl.exp(logarithms)


def distance(tl: Language, rows: Affine, columns: Affine) -> Term:
    """By how much the column of an element is larger than its row."""
    return tl.iota(columns) - tl.iota(rows).with_axes((1,))


def eye(tl: Language, n: Any, m: Any, k: Any, dtype: Any) -> Term:
    rows = array_arguments.size(tl.t, as_value(n))
    columns = rows if m is None else array_arguments.size(tl.t, as_value(m))
    return tl.astype(distance(tl, rows, columns).equals(k), dtype)


def identity(tl: Language, n: Any, dtype: Any) -> Term:
    return eye(tl, n, None, 0, dtype)


def tri(tl: Language, n: Any, m: Any, k: Any, dtype: Any) -> Term:
    rows = array_arguments.size(tl.t, as_value(n))
    columns = rows if m is None else array_arguments.size(tl.t, as_value(m))
    return tl.astype(distance(tl, rows, columns) <= tl.number(k), dtype)


def tril(tl: Language, x: Any, k: Any) -> Term:
    return _triangle(tl, x, lambda distance: distance <= k)


def triu(tl: Language, x: Any, k: Any) -> Term:
    return _triangle(tl, x, lambda distance: distance >= k)


def _triangle(tl: Language, x: Any, is_kept: Any) -> Term:
    array = tl.array(x)
    rows, columns = array.dims[-2:] if array.rank > 1 else array.dims * 2
    return tl.where(is_kept(distance(tl, rows, columns)), array, 0)


def diag(tl: Language, x: Any, k: Any) -> Term:
    """The diagonal of a matrix, or the matrix that has a vector as its diagonal."""
    array, offset = tl.array(x), tl.constant(k, "the diagonal")
    if array.rank == 2:
        return _diagonal(tl, array, offset)
    if array.rank != 1:
        raise tl.t.error(f"tl.diag of an array of rank {array.rank}", "use a vector or a matrix", ShapeMismatch)
    is_diagonal = distance(tl, array.dims[0], array.dims[0]).equals(0)
    above, below = max(offset, 0), max(-offset, 0)
    matrix = tl.where(is_diagonal, array, 0)
    return pad(tl, matrix, ((below, above), (above, below)), "constant", 0) if offset else matrix


def diagonal(tl: Language, x: Any, offset: Any, axis1: Any, axis2: Any) -> Term:
    array = tl.array(x)
    if array.rank < 2:
        raise tl.t.error(f"the diagonal of an array of rank {array.rank}", "use a matrix", ShapeMismatch)
    pair = array_arguments.axes(tl.t, as_value((axis1, axis2)), array.rank)
    others = tuple(each for each in range(array.rank) if each not in pair)
    return _diagonal(tl, tl.array(tl.transpose(array, (*others, *pair))), tl.constant(offset, "the diagonal"))


def _diagonal(tl: Language, matrix: Term, offset: int) -> Term:
    """The diagonals of matrices, which are the last two axes."""
    *others, height, width = matrix.dims
    rows, columns = tl.number(height), tl.number(width)
    above, below = max(offset, 0), max(-offset, 0)
    count = tl.maximum(tl.minimum(rows - below, columns - above), 0)
    places = tl.iota(count) * (columns + 1) + (columns * below + above)
    flat = Term(tl.t, reshaped(tl.t, matrix.value, [*others, product(tl.t, [height, width])]))
    return take(tl, flat, places, -1)


def trace(tl: Language, x: Any, offset: Any, axis1: Any, axis2: Any) -> Term:
    return tl.sum(diagonal(tl, x, offset, axis1, axis2), axis=-1)


def inner(tl: Language, x: Any, y: Any) -> Term:
    left, right = tl.number(x), tl.number(y)
    return tl.dot(left, tl.transpose(right) if right.rank > 1 else right)


def vdot(tl: Language, x: Any, y: Any) -> Term:
    return tl.dot(ravel(tl, x), ravel(tl, y))


def vecdot(tl: Language, x: Any, y: Any, axis: Any) -> Term:
    return tl.sum(tl.number(x) * tl.number(y), axis=axis)


def cross(tl: Language, a: Any, b: Any, axisa: Any, axisb: Any, axisc: Any, axis: Any) -> Term:
    """The vector product along axes of size 3."""
    if axis is not None:
        axisa = axisb = axisc = axis
    left, right = (tl.array(moveaxis(tl, each, along, -1)) for each, along in ((a, axisa), (b, axisb)))
    for each in (left, right):
        broadcasting.same_size(tl.t, each.dims[-1], Affine(3), each.rank - 1)
    x, y = ([each.at(each.rank - 1, position) for position in range(3)] for each in (left, right))
    parts = (x[1] * y[2] - x[2] * y[1], x[2] * y[0] - x[0] * y[2], x[0] * y[1] - x[1] * y[0])
    return moveaxis(tl, tl.stack(parts, axis=-1), -1, axisc)


def meshgrid(tl: Language, *arrays: Any, indexing: Any) -> tuple[Term, ...]:
    """The coordinates of a grid: one array for each axis."""
    if indexing not in ("xy", "ij"):
        raise tl.t.error(
            "the indexing of tl.meshgrid is not known", "write indexing='xy' or indexing='ij'", TypeMismatch
        )
    vectors = [ravel(tl, each) for each in arrays]
    axes = list(range(len(vectors)))
    if indexing == "xy" and len(axes) > 1:
        axes[:2] = [1, 0]
    dims = [Affine(1)] * len(axes)
    for axis, vector in zip(axes, vectors, strict=True):
        dims[axis] = vector.dims[0]
    grids = []
    for axis, vector in zip(axes, vectors, strict=True):
        grids.append(vector.with_axes(tuple(each for each in sorted(axes) if each != axis)).broadcast(tuple(dims)))
    return tuple(grids)
