"""Functions that are given by samples: `trapezoid`, `gradient`, `polyval`, `convolve`, `correlate`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tapeless.errors import ShapeMismatch, TypeMismatch
from tapeless.frontend.arrays import array_arguments
from tapeless.frontend.composed.statistics import axes_of
from tapeless.frontend.composed.terms import Language, Term, as_value
from tapeless.frontend.library import sequences
from tapeless.frontend.library.written import Written
from tapeless.frontend.values import bounds, promotion
from tapeless.frontend.values.affine import Affine
from tapeless.frontend.values.value import Decorated


def trapezoid(tl: Language, y: Any, x: Any, dx: Any, axis: Any) -> Term:
    """The integral along an axis by the rule of the trapezium, at points x or at distances dx."""
    values = tl.array(y)
    along = array_arguments.axis(tl.t, as_value(axis), values.rank)
    values = tl.moveaxis(values, along, -1)
    width = tl.number(dx)
    if x is not None:
        points = tl.array(x)
        width = tl.diff(points if points.rank == 1 else tl.moveaxis(points, along, -1), axis=-1)
    size = values.dims[-1]
    tl.require(tl.number(size) > 0, "the integral of no samples; give at least one")
    pairs = bounds.maximum_with_zero(tl.t.builder, size - 1)
    first, second = (values.part(values.rank - 1, start, pairs) for start in (Affine(0), Affine(1)))
    return tl.sum(width * (first + second) / 2.0, axis=-1)


def gradient(tl: Language, f: Any, *spacing: Any, axis: Any) -> Any:
    """Central differences inside and one-sided ones at both ends, along each axis."""
    array = tl.array(f)
    array = tl.array(tl.astype(array, promotion.floating(array.dtype)))
    axes = axes_of(tl, axis, array.rank)
    given = [tl.number(each) for each in spacing] or [tl.number(1.0)]
    if len(given) not in (1, len(axes)) or any(each.rank for each in given):
        raise tl.t.error(
            f"{len(given)} distances for {len(axes)} axes",
            "give one number, or one for each axis; samples at other places are not taken",
            ShapeMismatch,
        )
    steps = given * (len(axes) // len(given))
    found = tuple(_differences(tl, array, each, step) for each, step in zip(axes, steps, strict=True))
    return found[0] if array.rank == 1 or (axis is not None and not isinstance(axis, tuple)) else found


def _differences(tl: Language, x: Term, axis: int, step: Term) -> Term:
    size = x.dims[axis]
    tl.require(tl.number(size) > 1, "differences of fewer than two samples; give at least two along each axis")
    one, two = Affine(1), Affine(2)
    middle = bounds.maximum_with_zero(tl.t.builder, size - 2)
    inner = (x.part(axis, two, middle) - x.part(axis, Affine(0), middle)) / (step * 2.0)
    first = (x.part(axis, one, one) - x.part(axis, Affine(0), one)) / step
    last = (x.part(axis, size - 1, one) - x.part(axis, size - 2, one)) / step
    return tl.concat((first, inner, last), axis=axis)


def polyval(tl: Language, p: Any, x: Any) -> Term:
    """A polynomial, the coefficient of its highest power first."""
    coefficients, number = tl.array(p), tl.number(x)
    if coefficients.rank != 1:
        raise tl.t.error("tl.polyval takes a vector of coefficients", "give the highest power first", ShapeMismatch)
    dtype, _ = promotion.common([(each.dtype, False) for each in (coefficients, number)])
    coefficients, number = (tl.astype(each, dtype).held() for each in (coefficients, number))
    return _call(tl, sequences.polynomial, coefficients, number)


def convolve(tl: Language, a: Any, v: Any, mode: Any) -> Term:
    """The convolution of two vectors: all of it, as long as the longer one, or where both overlap whole."""
    return _convolved(tl, "convolve", tl.array(a), tl.array(v), mode, lambda short, swapped: (short - 1) // 2)


def correlate(tl: Language, a: Any, v: Any, mode: Any) -> Term:
    """The convolution with the second vector turned round; of two that change places, the middle is the other one."""
    return _convolved(
        tl,
        "correlate",
        tl.array(a),
        tl.array(tl.flip(tl.array(v))),
        mode,
        lambda short, swapped: tl.where(swapped, short // 2, (short - 1) // 2),
    )


def _convolved(
    tl: Language, name: str, left: Term, right: Term, mode: Any, middle: Callable[[Term, Term], Term]
) -> Term:
    """`middle` says, of the shorter length and of whether the first vector has it, where the middle part begins."""
    if left.rank != 1 or right.rank != 1 or mode not in MODES:
        raise tl.t.error(
            f"tl.{name} takes two vectors and a mode", f"write mode={' or mode='.join(map(repr, MODES))}", TypeMismatch
        )
    dtype, _ = promotion.common([(each.dtype, False) for each in (left, right)])
    left, right = (tl.astype(each, dtype).held() for each in (left, right))
    tl.require((left.size(0) > 0) & (right.size(0) > 0), f"tl.{name} with no element; give at least one to each")
    if mode == "valid":
        return _call(tl, sequences.whole_overlaps, left, right)
    whole = _call(tl, sequences.convolution, left, right)
    if mode == "full":
        return whole
    short, long = tl.minimum(left.size(0), right.size(0)), tl.maximum(left.size(0), right.size(0))
    return whole.part(0, _size(tl, middle(short, left.size(0) < right.size(0))), _size(tl, long))


MODES = ("full", "same", "valid")


def _size(tl: Language, value: Term) -> Affine:
    return array_arguments.integer_argument(tl.t, value.value, "a size")


def _call(tl: Language, function: Written, *arguments: Term) -> Term:
    return Term(tl.t, tl.t.number(tl.t.call(Decorated(function.source), [each.value for each in arguments])))
