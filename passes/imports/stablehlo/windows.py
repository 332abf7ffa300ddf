"""Rules of `reduce_window` and `select_and_scatter`."""

from __future__ import annotations

from collections.abc import Sequence

from tapeless._mlir import ir
from tapeless.passes.imports.emit import reductions, windows
from tapeless.passes.imports.emit.elementwise import elementwise
from tapeless.passes.imports.emit.lazy import Value, element_of, in_memory, rank_of, reshaped, shape_of
from tapeless.passes.imports.emit.open_sizes import agreed, is_open, product
from tapeless.passes.imports.emit.scalars import OPERATORS
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
    return _reduced(t, op, operands, _windows(op, rank_of(operands[0])), op.regions[0])


def dynamic_reduce_window(t: Translator, op: ir.Operation, operands: Values) -> list[Value]:
    """The call that JAX writes for windows whose sizes, or paddings, are known when running."""
    sizes, strides, spread, steps, padding = (t.sizes_of(operand) for operand in op.operands[-GIVEN:])
    constant = [each for each in (*strides, *spread, *steps) if isinstance(each, int)]
    if len(constant) < 3 * len(sizes):
        refuse(op, "moves windows by amounts that are known only when running; give constants")
    rank = len(sizes)
    far, apart, spacing = (constant[k * rank : (k + 1) * rank] for k in range(3))
    how = windows.Windows(sizes, far, spacing, apart, list(zip(padding[::2], padding[1::2], strict=True)))
    name = ir.FlatSymbolRefAttr(ir.ArrayAttr(op.attributes["called_computations"])[0]).value
    if name not in t.functions:
        refuse(op, f"names @{name}, which has no body; define it in the module")
    return _reduced(t, op, operands[:-GIVEN], how, t.functions[name].regions[0])


GIVEN = 5
"""How many operands of such a call say where windows are."""


def _reduced(t: Translator, op: ir.Operation, operands: Values, how: windows.Windows, region: ir.Region) -> list[Value]:
    count = len(operands) // 2
    arrays, starts = operands[:count], [in_memory(each) for each in operands[count:]]
    shape = agreed([shape_of(array) for array in arrays])
    if not shape:
        refuse(op, "has windows in numbers; leave it out")
    operator = operator_of(region)
    running = how.running_axis(shape)
    if running is not None and shape[running[0]] != 1:
        return _running(op, arrays, starts, operator or combining(t, region), *running)
    if any(map(is_open, how.sizes)):
        refuse(op, "has windows whose size is known only when running, and that are no prefixes; give constants")
    if operator is None:
        return list(windows.one_by_one(arrays, starts, how, combining(t, region)))
    combined = windows.by_operator(arrays[0], starts[0], how, operator)
    if is_neutral(operator, starts[0]):
        return [combined]
    return [elementwise(lambda each: OPERATORS[operator](starts[0], each), element_of(combined), combined)]


def _running(
    op: ir.Operation,
    arrays: Values,
    starts: Rows,
    operator: str | reductions.Combine,
    axis: int,
    backwards: bool,
) -> list[Value]:
    """Windows as long as the axis, one for each prefix: taken as they are, they would cost its square."""
    if not isinstance(operator, str):
        return list(reductions.running_one_by_one(arrays, axis, starts, operator, backwards=backwards))
    if not is_neutral(operator, starts[0]):
        refuse(op, "combines all prefixes of an axis by a start that is not neutral; start from the neutral number")
    return [reductions.running(arrays[0], axis, operator, backwards=backwards)]


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
    count, total = product(shape_of(source)), product(shape)
    flat = reshaped(windows.filled_like(array, start), [total])
    values = reshaped(in_memory(source), [count])
    return [reshaped(histogram(flat, reshaped(keys, [count]), values, operator), shape)]


RULES: dict[str, Rule] = {
    "stablehlo.reduce_window": Rule(_reduce_window),
    "stablehlo.select_and_scatter": Rule(_select_and_scatter),
}
