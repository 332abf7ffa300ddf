"""Functions of floats made of pieces, as choices whose derivatives where pieces meet are those of JAX."""

from __future__ import annotations

import math

from tapeless._mlir import arith, ir
from tapeless.dialects import ad
from tapeless.dialects.ad.marks import TIES
from tapeless.passes.imports.emit.scalars import Emit, compare_floats, floating, is_float, named, select
from tapeless.passes.ir.build import number
from tapeless.passes.ir.constants import is_zero


def sharing(extreme: Emit) -> Emit:
    """The larger or smaller of two numbers, whose derivative equal ones share."""

    def emit(left: ir.Value, right: ir.Value) -> ir.Value:
        found = extreme(left, right)
        if is_float(found):
            found.owner.attributes[TIES] = ir.UnitAttr.get()
        return found

    return emit


def absolute(value: ir.Value) -> ir.Value:
    """|x|, with the derivative 1 at 0; the sum with 0 makes 0 of -0."""
    zero = number(value.type, 0.0)
    return select(compare_floats("ge", value, zero), floating("arith.addf", value, zero), floating("arith.negf", value))


def clamp(low: ir.Value, value: ir.Value, high: ir.Value) -> ir.Value:
    """The value, at least `low`, and then at most `high`; where it is one of these, nothing has a derivative."""
    inside = arith.AndIOp(compare_floats("gt", value, low), compare_floats("lt", value, high)).result
    kept = _moving(inside, value)
    raised = select(compare_floats("gt", low, value), _moving(compare_floats("lt", low, high), low), kept)
    limit = _moving(compare_floats("gt", value, high), high)
    return select(compare_floats("gt", raised, high), limit, raised)


def _moving(condition: ir.Value, value: ir.Value) -> ir.Value:
    """A value with a derivative where a condition holds."""
    return select(condition, value, ad.StopGradientOp(value, value.type).out)


def logaddexp(left: ir.Value, right: ir.Value) -> ir.Value:
    """log(exp(left) + exp(right)): the larger and `softplus` of the distance, whose derivatives are logistic functions,
    halves where the two are equal. Infinities that are the same have no distance.
    """
    if is_zero(right):
        return SOFTPLUS(left)
    is_left = compare_floats("gt", left, right)
    high, low = select(is_left, left, right), select(is_left, right, left)
    distance = floating("arith.subf", low, high)
    is_infinite = compare_floats("eq", floating("math.absf", high), number(high.type, math.inf))
    are_same = arith.AndIOp(compare_floats("eq", low, high), is_infinite).result
    return floating("arith.addf", high, SOFTPLUS(select(are_same, number(high.type, 0.0), distance)))


SOFTPLUS = named("softplus")
