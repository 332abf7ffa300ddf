"""What a `for` loop runs over: the range of its counter, and the loop variable for a count."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from tapeless._mlir import ir
from tapeless.frontend import bounds, indexing, integers, promotion
from tapeless.frontend.affine import Affine
from tapeless.frontend.values import Array, Scalar, Value, integer

if TYPE_CHECKING:
    from tapeless.frontend.translator import Translator


@dataclass(frozen=True)
class Range:
    """A counter from `lower` below `upper` by a positive `step`, and the loop variable it stands for."""

    lower: Affine
    upper: Affine
    step: int
    variable: Callable[[Affine], Value]

    def last(self, t: Translator) -> Affine:
        """The last count of a range that is not empty."""
        distance = self.upper - self.lower - 1
        if self.step == 1:
            return self.lower + distance
        if distance.is_constant:
            return self.lower + distance.constant // self.step * self.step
        builder, step = t.builder, t.builder.index(self.step)
        quotient = builder.value("arith.divsi", builder.types.index, [integers.index_value(builder, distance), step])
        return self.lower + integers.opaque(builder, quotient).times(self.step)


def over_bounds(t: Translator, start: Scalar, stop: Scalar, step: Scalar) -> Range:
    """`range(start, stop, step)`."""
    lower, upper = _affine(t, start), _affine(t, stop)
    if step.literal is None:
        return _computed_step(t, lower, upper, step)
    if step.literal == 0:
        raise t.error("the step of a range is 0", "use a step that is not 0")
    if step.literal > 0:
        return Range(lower, upper, step.literal, integer)
    count = bounds.ceiling_quotient(t.builder, bounds.maximum_with_zero(t.builder, lower - upper), -step.literal)

    def variable(index: Affine) -> Scalar:
        value = integers.index_value(t.builder, lower + index.times(step.literal))
        return integer(integers.opaque(t.builder, value, lower=(upper + 1,), upper=(lower,)))

    return Range(Affine(0), count, 1, variable)


def _affine(t: Translator, bound: Scalar) -> Affine:
    if bound.affine is not None:
        return bound.affine
    return integers.opaque(t.builder, promotion.ssa(t.builder, bound, integer(Affine(0)).dtype))


def _computed_step(t: Translator, lower: Affine, upper: Affine, step: Scalar) -> Range:
    builder, index = t.builder, t.builder.types.index
    size = integers.index_value(builder, _affine(t, step))
    zero = builder.index(0)
    nonzero = integers.compare(builder, "ne", size, zero)
    builder.check(nonzero, "ArgumentError", "the step of a range is 0; use a step that is not 0")
    is_up = integers.compare(builder, "sgt", size, zero)
    distance, back = (integers.index_value(builder, each) for each in (upper - lower, lower - upper))
    span = builder.value("arith.maxsi", index, [_choose(t, is_up, distance, back), zero])
    negated = builder.value("arith.subi", index, [zero, size])
    magnitude = builder.value("arith.maxsi", index, [_choose(t, is_up, size, negated), builder.index(1)])
    rounded = builder.value(
        "arith.addi", index, [span, builder.value("arith.subi", index, [magnitude, builder.index(1)])]
    )
    count = integers.opaque(builder, builder.value("arith.divsi", index, [rounded, magnitude]), lower=(Affine(0),))

    def variable(position: Affine) -> Scalar:
        moved = builder.value("arith.muli", index, [integers.index_value(builder, position), size])
        return integer(lower + integers.opaque(builder, moved))

    return Range(Affine(0), count, 1, variable)


def _choose(t: Translator, condition: ir.Value, left: ir.Value, right: ir.Value) -> ir.Value:
    return t.builder.value("arith.select", left.type, [condition, left, right])


def over_array(t: Translator, array: Array) -> Range:
    """`for x in array`: the elements, or rows, of the leading axis."""
    return Range(Affine(0), array.dims[0], 1, lambda index: indexing.element(t, array, index))
