"""Slices: bounds that count from either end and clamp, as in Python.

A bound that counts from the end is at least `size - 2**63`, so that its distance from a position does not wrap.
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from tapeless._mlir import ir
from tapeless.abi import LONGEST_AXIS
from tapeless.dataclasses_on_use import dataclass
from tapeless.errors import ArgumentError
from tapeless.frontend.indexing import computed_steps
from tapeless.frontend.indexing.computed_steps import Progression
from tapeless.frontend.values import bounds, exactness, integers, promotion
from tapeless.frontend.values.affine import Affine
from tapeless.frontend.values.exactness import FARTHEST_BOUND
from tapeless.types import i64

if TYPE_CHECKING:
    from tapeless.frontend.translator import Translator


@dataclass(frozen=True)
class Span:
    """Positions `offset, offset + step, ...` along one axis; a dropped axis selects one position.

    Of a step that is known when running, the span is the whole axis, and `steps` are what is selected of it.
    """

    offset: Affine
    size: Affine
    step: int
    dropped: bool = False
    is_reversed: bool = False
    steps: Progression | None = None

    @property
    def count(self) -> Affine:
        """How many positions are selected."""
        return self.size if self.steps is None else self.steps.count

    def is_whole_of(self, size: Affine) -> bool:
        return (
            self.steps is None
            and not self.dropped
            and self.step == 1
            and self.offset == Affine(0)
            and self.size == size
        )


def whole(size: Affine) -> Span:
    return Span(Affine(0), size, 1)


def span(t: Translator, node: ast.Slice, size: Affine) -> Span:
    """The selection of `lower:upper:step` on an axis."""
    step = _step(t, node.step)
    if isinstance(step, Affine):
        lower, upper = (_bound(t, bound, size) for bound in (node.lower, node.upper))
        return Span(Affine(0), size, 1, steps=computed_steps.progression(t, lower, upper, step, size))
    lower, upper = (_bound(t, bound, size) for bound in (node.lower, node.upper))
    return _forward(t, lower, upper, step, size) if step > 0 else _backward(t, lower, upper, -step, size)


def _step(t: Translator, node: ast.expr | None) -> int | Affine:
    """The step of a slice: a number, or its value when running."""
    if node is None or (isinstance(node, ast.Constant) and node.value is None):
        return 1
    value = t.integer(t.evaluate(node), "the step of a slice")
    step = value.literal
    if step is None:
        affine = value.affine or integers.opaque(t.builder, promotion.ssa(t.builder, value, i64))
        return exactness.as_computed(t.builder, affine)
    if step == 0:
        raise t.error("the step of a slice is 0", "use a step that is not 0", ArgumentError)
    return min(max(int(step), -LONGEST_AXIS), LONGEST_AXIS)


def _bound(t: Translator, node: ast.expr | None, size: Affine) -> Affine | None:
    """A bound with negative values counted from the end, not clamped yet."""
    if node is None or (isinstance(node, ast.Constant) and node.value is None):
        return None
    with t.at(node):
        value = t.integer(t.evaluate(node), "a bound of a slice")
        affine = value.affine
        if affine is None:
            affine = integers.opaque(t.builder, promotion.ssa(t.builder, value, i64))
        return bounds.wrapped(t.builder, _settled(t, affine), size)


def _settled(t: Translator, bound: Affine) -> Affine:
    """A bound that does not wrap; one about which nothing is known is taken as it was computed."""
    builder = t.builder
    has_sign = integers.is_nonnegative(builder, bound) or integers.is_nonnegative(builder, -bound - 1)
    if bound.is_constant:
        return Affine(min(max(bound.constant, -FARTHEST_BOUND), FARTHEST_BOUND))
    if has_sign:
        return exactness.required(t, bound, ArgumentError, "a bound of a slice")
    return exactness.as_computed(builder, bound)


def _forward(t: Translator, lower: Affine | None, upper: Affine | None, step: int, size: Affine) -> Span:
    builder = t.builder
    start = Affine(0) if lower is None else bounds.maximum_with_zero(builder, lower)
    stop = size if upper is None else bounds.minimum(builder, upper, size)
    offset = bounds.minimum(builder, start, size)
    distance = stop - (start if exactness.is_exact(builder, stop - start) else offset)
    length = bounds.maximum_with_zero(builder, distance)
    if length == Affine(0):
        offset = length  # positions of an empty slice lie inside the axis, too
    return Span(offset, bounds.ceiling_quotient(builder, length, step), step)


def _backward(t: Translator, lower: Affine | None, upper: Affine | None, step: int, size: Affine) -> Span:
    """A negative step: the same positions forwards, to be reversed."""
    builder = t.builder
    start = size - 1 if lower is None else bounds.minimum(builder, lower, size - 1)
    stop = Affine(-1) if upper is None else bounds.maximum(builder, upper, Affine(-1))
    if not exactness.is_exact(builder, start - stop):
        stop = bounds.minimum(builder, stop, size - 1)
    length = bounds.maximum_with_zero(builder, start - stop)
    count = bounds.ceiling_quotient(builder, length, step)
    return Span(_first_position(t, start, count, step), count, step, is_reversed=True)


def _first_position(t: Translator, start: Affine, count: Affine, step: int) -> Affine:
    """The lowest position of a backward slice, 0 for an empty one."""
    lowest = start - (count - 1).times(step)
    builder = t.builder
    if integers.is_nonnegative(builder, count - 1) or lowest == Affine(0):
        return lowest
    values = [integers.index_value(builder, each) for each in (count, Affine(0), lowest)]
    is_empty = integers.compare(builder, "eq", values[0], values[1])
    chosen: ir.Value = builder.value("arith.select", builder.types.index, [is_empty, values[1], values[2]])
    return integers.opaque(builder, chosen, lower=(Affine(0),))
