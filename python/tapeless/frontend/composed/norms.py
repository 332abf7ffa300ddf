"""Norms of vectors and matrices, with numpy's orders and axes."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from tapeless.errors import ShapeMismatch, TypeMismatch
from tapeless.frontend.composed.statistics import axes_of
from tapeless.frontend.composed.terms import Language, Term, as_value
from tapeless.frontend.values import promotion
from tapeless.frontend.values.value import Opaque, Scalar

VECTORS: dict[Any, Callable[[Language, Term, int], Term]] = {
    None: lambda tl, x, axis: tl.sqrt(tl.sum(x * x, axis=axis)),
    2: lambda tl, x, axis: tl.sqrt(tl.sum(x * x, axis=axis)),
    1: lambda tl, x, axis: tl.sum(tl.abs(x), axis=axis),
    0: lambda tl, x, axis: tl.sum(tl.astype(x.differs(0), x.dtype), axis=axis),
    math.inf: lambda tl, x, axis: tl.max(tl.abs(x), axis=axis),
    -math.inf: lambda tl, x, axis: tl.min(tl.abs(x), axis=axis),
}
# With the axes of rows and columns: a sum along one of them, and an extreme of these sums.
MATRICES: dict[Any, Callable[[Language, Term], Term]] = {
    None: lambda tl, x: tl.sqrt(tl.sum(x * x, axis=(-2, -1))),
    "fro": lambda tl, x: tl.sqrt(tl.sum(x * x, axis=(-2, -1))),
    1: lambda tl, x: tl.max(tl.sum(tl.abs(x), axis=-2), axis=-1),
    -1: lambda tl, x: tl.min(tl.sum(tl.abs(x), axis=-2), axis=-1),
    math.inf: lambda tl, x: tl.max(tl.sum(tl.abs(x), axis=-1), axis=-1),
    -math.inf: lambda tl, x: tl.min(tl.sum(tl.abs(x), axis=-1), axis=-1),
}
SINGULAR_VALUES = (2, -2, "nuc")


def norm(tl: Language, x: Any, ord: Any, axis: Any, keepdims: Any) -> Term:
    """The norm along an axis, of matrices along two axes, or of all elements."""
    if not tl.number(x).rank:
        return tl.abs(tl.astype(x, promotion.floating(tl.number(x).dtype)))
    array = tl.array(x)
    array = tl.array(tl.astype(array, promotion.floating(array.dtype)))
    order, keeps = _order(tl, ord), tl.t.flag(as_value(keepdims), "keepdims")
    axes = axes_of(tl, axis, array.rank)
    if axis is None and order is None:
        return tl.sqrt(tl.sum(array * array, keepdims=keeps))
    if len(axes) not in (1, 2):
        raise tl.t.error(
            f"a norm along {len(axes)} axes", "name the axis of vectors, or the two axes of matrices", ShapeMismatch
        )
    result = _of_vectors(tl, array, order, axes[0]) if len(axes) == 1 else _of_matrices(tl, array, order, axes)
    return result.with_axes(axes) if keeps else result


def _order(tl: Language, ord: Any) -> Any:
    """The order: a number known when compiling, a name, or None."""
    value = as_value(ord)
    if isinstance(value, Opaque) and (value.value is None or isinstance(value.value, str)):
        return value.value
    known = value.literal if isinstance(value, Scalar) else None
    if known is None:
        raise tl.t.error(
            "the order of a norm is not known when compiling", "write the number, such as ord=1", TypeMismatch
        )
    return known


def _of_vectors(tl: Language, x: Term, order: Any, axis: int) -> Term:
    if isinstance(order, str):
        raise tl.t.error(f"the norm '{order}' is one of matrices", "name two axes, or a number as order", TypeMismatch)
    if order in VECTORS:
        return VECTORS[order](tl, x, axis)
    powers = tl.sum(tl.pow(tl.abs(x), order), axis=axis)
    return tl.pow(powers, 1.0 / order)


def _of_matrices(tl: Language, x: Term, order: Any, axes: tuple[int, ...]) -> Term:
    if order in SINGULAR_VALUES:
        raise tl.t.error(
            f"the norm {order!r} of a matrix needs singular values",
            "use ord='fro', 1 or np.inf, or compute it outside of the function with numpy",
            TypeMismatch,
        )
    if order not in MATRICES:
        raise tl.t.error(f"{order!r} is no norm of matrices", "use ord='fro', 1, -1, np.inf or -np.inf", TypeMismatch)
    others = tuple(each for each in range(x.rank) if each not in axes)
    return MATRICES[order](tl, tl.transpose(x, (*others, *axes)))
