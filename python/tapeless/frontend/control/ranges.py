"""Counted `for` loops: the range of the counter, and the loop variable for a count."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from tapeless.dataclasses_on_use import dataclass
from tapeless.errors import ArgumentError
from tapeless.frontend.control import trips
from tapeless.frontend.control.hints import RangeCall
from tapeless.frontend.indexing import extraction
from tapeless.frontend.values import bounds, exactness, integers, promotion
from tapeless.frontend.values.affine import Affine
from tapeless.frontend.values.value import Array, Scalar, Value, integer

if TYPE_CHECKING:
    from tapeless.frontend.translator import Translator

# A counter that goes up by more is replaced by one that counts iterations: its sums would leave 64 bits.
_LONGEST_STRIDE = 2**16


@dataclass(frozen=True)
class Range:
    """A counter from `lower` below `upper` by a positive `step`, and the loop variable it stands for."""

    lower: Affine
    upper: Affine
    step: int
    variable: Callable[[Affine], Value]

    def count(self, t: Translator) -> Affine:
        """The number of iterations."""
        distance = bounds.maximum_with_zero(t.builder, self.upper - self.lower)
        return bounds.ceiling_quotient(t.builder, distance, self.step)

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


def over_bounds(t: Translator, call: RangeCall) -> Range:
    """`range(start, stop, step)`."""
    start, stop, step = call.limits
    lower, upper = (exactness.required(t, as_affine(t, bound), ArgumentError, _BOUND) for bound in (start, stop))
    if step.literal is None:
        return _computed_step(t, lower, upper, step)
    if step.literal == 0:
        raise t.error("the step of a range is 0", "use a step that is not 0")
    if not 0 < step.literal <= _LONGEST_STRIDE:
        return _counted(t, lower, upper, step.literal)
    if step.literal > 1 or call.hints.stripmine is not None or call.hints.budget is not None:
        lower, upper = (exactness.moderate(t, bound, ArgumentError, _BOUND) for bound in (lower, upper))
    return Range(lower, upper, step.literal, integer)


_BOUND = "a bound of a range"


def as_affine(t: Translator, bound: Scalar) -> Affine:
    """An integer as an affine one, whatever it was computed from."""
    if bound.affine is not None:
        return bound.affine
    return integers.opaque(t.builder, promotion.ssa(t.builder, bound, integer(Affine(0)).dtype))


def _counted(t: Translator, lower: Affine, upper: Affine, step: int) -> Range:
    """A range whose counter counts iterations, because it goes down or by large steps."""
    builder = t.builder
    span = lower - upper if step < 0 else upper - lower
    if exactness.is_exact(builder, span):
        count = bounds.ceiling_quotient(builder, bounds.maximum_with_zero(builder, span), abs(step))
    else:
        count = trips.count(builder, lower, upper, step)
    least, most = (upper + 1, lower) if step < 0 else (lower, upper - 1)

    def variable(index: Affine) -> Scalar:
        value = integers.index_value(builder, lower + index.times(step))
        return integer(integers.opaque(builder, value, lower=(least,), upper=(most,)))

    return Range(Affine(0), count, 1, variable)


def _computed_step(t: Translator, lower: Affine, upper: Affine, step: Scalar) -> Range:
    builder, index = t.builder, t.builder.types.index
    size = integers.index_value(builder, exactness.as_computed(builder, as_affine(t, step)))
    nonzero = integers.compare(builder, "ne", size, builder.index(0))
    builder.check(nonzero, "ArgumentError", "the step of a range is 0; use a step that is not 0")
    count = trips.count(builder, lower, upper, size)

    def variable(position: Affine) -> Scalar:
        moved = builder.value("arith.muli", index, [integers.index_value(builder, position), size])
        value = builder.value("arith.addi", index, [integers.index_value(builder, lower), moved])
        return integer(integers.opaque(builder, value))

    return Range(Affine(0), count, 1, variable)


def over_array(t: Translator, array: Array) -> Range:
    """`for x in array`: the elements, or rows, of the leading axis."""
    return Range(Affine(0), array.dims[0], 1, lambda index: extraction.element(t, array, index))
