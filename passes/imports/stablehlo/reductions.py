"""Rules of `reduce` and `dot_general`."""

from __future__ import annotations

import re
from collections.abc import Sequence

from tapeless._mlir import ir, stablehlo
from tapeless.passes.imports.emit import reductions
from tapeless.passes.imports.emit.contraction import Contraction, contract
from tapeless.passes.imports.emit.lazy import Value, in_memory
from tapeless.passes.imports.emit.scalars import is_bool
from tapeless.passes.imports.stablehlo import halves, unsigned
from tapeless.passes.imports.stablehlo.attributes import integers
from tapeless.passes.imports.stablehlo.elements import core_element
from tapeless.passes.imports.stablehlo.translator import Rule, Translator, refuse
from tapeless.passes.ir.build import Rows
from tapeless.passes.ir.constants import constant_of

Values = Sequence[Value]
WIDTHS = {"i1": 1, "i32": 32, "i64": 64, "ui32": 32, "ui64": 64, "f16": 16, "bf16": 16, "f32": 32, "f64": 64}


def operator_of(region: ir.Region) -> str | None:
    """The operator that a region applies to its two arguments, if it is a known one and nothing else."""
    block = region.blocks[0]
    operations = list(block.operations)
    if len(block.arguments) != 2 or len(operations) != 2:
        return None
    only, last = operations
    name = only.operation.name.removeprefix("stablehlo.")
    arguments = list(block.arguments)
    reads = list(only.operands)
    in_order = name in reductions.NEUTRAL and (reads == arguments or reads == arguments[::-1])
    if not in_order or list(last.operands) != list(only.results):
        return None
    return unsigned.OPERATORS.get(name, name) if unsigned.is_unsigned(arguments[0].type) else name


def is_neutral(operator: str, value: ir.Value) -> bool:
    """Whether a scalar is a constant that an operator ignores."""
    attribute = constant_of(value)
    if attribute is None:
        return False
    neutral = reductions.neutral_number(operator, value.type)
    return bool(attribute.value == (bool(neutral) if is_bool(value) else neutral))


def combining(t: Translator, region: ir.Region) -> reductions.Combine:
    """The operator of a region, on lists of scalars."""
    return lambda left, right: [in_memory(each) for each in t.region(region, [*left, *right])]


def _reduce(t: Translator, op: ir.Operation, operands: Values) -> list[Value]:
    count = len(operands) // 2
    arrays, starts = operands[:count], [in_memory(each) for each in operands[count:]]
    axes = integers(op, "dimensions")
    operator = operator_of(op.regions[0])
    if not axes:
        return _unreduced(t, op, arrays, starts)
    if operator is None:
        return list(reductions.one_by_one(arrays, axes, starts, combining(t, op.regions[0])))
    total = reductions.by_operator(arrays[0], axes, operator)
    return [total if is_neutral(operator, starts[0]) else reductions.combined(operator, starts[0], total)]


def _unreduced(t: Translator, op: ir.Operation, arrays: Values, starts: Rows) -> list[Value]:
    """Without axes each element is combined with the start; refused unless that changes nothing."""
    operator = operator_of(op.regions[0])
    if operator is None or not is_neutral(operator, starts[0]):
        refuse(op, "reduces no axes from a start that is not neutral; leave it out, or combine the start by itself")
    return list(arrays)


def _dot_general(t: Translator, op: ir.Operation, operands: Values) -> list[Value]:
    _check_algorithm(op)
    axes = stablehlo().DotDimensionNumbers(op.attributes["dot_dimension_numbers"])
    numbers = Contraction(
        axes.lhs_batching_dimensions,
        axes.rhs_batching_dimensions,
        axes.lhs_contracting_dimensions,
        axes.rhs_contracting_dimensions,
    )
    return [_contracted(op, operands, numbers)]


def _check_algorithm(op: ir.Operation) -> None:
    """Fewer digits than products and sums have here may be asked for, more are refused."""
    element = core_element(op.results[0].type)
    for what, wanted in ALGORITHM.findall(str(op.attributes["algorithm"]) if "algorithm" in op.attributes else ""):
        if wanted == "f64" and not isinstance(element, ir.F64Type):
            refuse(op, f"has an algorithm with f64 as {what} and sums in {element}; convert its operands to f64 before")


ALGORITHM = re.compile(r"(\w+_type) = (\w+)")


def _dot(t: Translator, op: ir.Operation, operands: Values) -> list[Value]:
    left = op.operands[0].type.rank
    return [_contracted(op, operands, Contraction((), (), [left - 1], [0]))]


def _contracted(op: ir.Operation, operands: Values, numbers: Contraction) -> Value:
    element = op.results[0].type.element_type
    for operand in op.operands:
        source = operand.type.element_type
        if WIDTHS[str(source)] > WIDTHS[str(element)] or _kind(source) != _kind(element):
            refuse(op, f"has operands of {source} and a result of {element}; convert the result instead")
    return contract(operands[0], operands[1], numbers, core_element(op.results[0].type))


def _kind(element: ir.Type) -> str:
    """The kind of numbers: floats, or integers with or without a sign."""
    return "f" if halves.is_half(element) else str(element)[0]


RULES: dict[str, Rule] = {
    "stablehlo.reduce": Rule(_reduce),
    "stablehlo.dot_general": Rule(_dot_general),
    "stablehlo.dot": Rule(_dot),
}
