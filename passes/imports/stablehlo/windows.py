"""Rules of `reduce_window` and `select_and_scatter`."""

from __future__ import annotations

import math
from collections.abc import Sequence

from tapeless._mlir import ir
from tapeless.passes.imports.emit import reductions, windows
from tapeless.passes.imports.emit.elementwise import elementwise
from tapeless.passes.imports.emit.lazy import Value, element_of, in_memory, reshaped, shape_of
from tapeless.passes.imports.emit.scalars import FUNCTIONS
from tapeless.passes.imports.emit.scatter import histogram
from tapeless.passes.imports.stablehlo.attributes import integers, pairs
from tapeless.passes.imports.stablehlo.reductions import combining, is_neutral, operator_of
from tapeless.passes.imports.stablehlo.translator import Rule, Translator, refuse
from tapeless.passes.ir.build import Rows

Values = Sequence[Value]


def _windows(op: ir.Operation, rank: int) -> windows.Windows:
    ones = [1] * rank
    return windows.Windows(
        sizes=integers(op, "window_dimensions", ones),
        strides=integers(op, "window_strides", ones),
        steps=integers(op, "window_dilations", ones),
        spread=integers(op, "base_dilations", ones),
        padding=pairs(op, "padding", rank),
    )


def _reduce_window(t: Translator, op: ir.Operation, operands: Values) -> list[Value]:
    count = len(operands) // 2
    arrays, starts = operands[:count], [in_memory(each) for each in operands[count:]]
    shape = shape_of(arrays[0])
    if not shape:
        refuse(op, "has windows in numbers; leave it out")
    how, operator = _windows(op, len(shape)), operator_of(op.regions[0])
    running = how.running_axis(shape)
    if running is not None and shape[running[0]] > 1:
        return [_running(op, arrays, starts, operator, *running)]
    if operator is None:
        return list(windows.one_by_one(arrays, starts, how, combining(t, op.regions[0])))
    combined = windows.by_operator(arrays[0], starts[0], how, operator)
    if is_neutral(operator, starts[0]):
        return [combined]
    return [elementwise(lambda each: FUNCTIONS[operator](starts[0], each), element_of(combined), combined)]


def _running(op: ir.Operation, arrays: Values, starts: Rows, operator: str | None, axis: int, backwards: bool) -> Value:
    """Windows as long as the axis, one for each prefix: taken as they are, they would cost its square."""
    if operator is None or not is_neutral(operator, starts[0]):
        what = "an operator that is not known" if operator is None else "a start that is not neutral"
        refuse(op, f"combines all prefixes of an axis by {what}; write a loop, or start from the neutral number")
    return reductions.running(arrays[0], axis, operator, backwards=backwards)


def _select_and_scatter(t: Translator, op: ir.Operation, operands: Values) -> list[Value]:
    """Each number of the source goes to the element that is selected of its window."""
    array, source, start = operands[0], operands[1], in_memory(operands[2])
    operator = operator_of(op.regions[1])
    if operator is None:
        refuse(op, "combines numbers by an operator that is not known; use add, multiply, maximum or minimum")
    shape = shape_of(array)
    how = _windows(op, len(shape))

    def prefers(left: ir.Value, right: ir.Value) -> ir.Value:
        return in_memory(t.region(op.regions[0], [left, right])[0])

    keys = windows.selected(array, how, prefers)
    count, total = math.prod(shape_of(source)), math.prod(shape)
    flat = reshaped(windows.filled_like(array, start), [total])
    values = reshaped(in_memory(source), [count])
    return [reshaped(histogram(flat, reshaped(keys, [count]), values, operator), shape)]


RULES: dict[str, Rule] = {
    "stablehlo.reduce_window": Rule(_reduce_window),
    "stablehlo.select_and_scatter": Rule(_select_and_scatter),
}
