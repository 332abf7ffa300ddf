"""Counted loops: an induction variable found from the condition and the body of a loop."""

from __future__ import annotations

from tapeless._mlir import arith, ir
from tapeless.dataclasses_on_use import dataclass
from tapeless.passes.imports.emit.lazy import in_memory
from tapeless.passes.imports.stablehlo import bounds
from tapeless.passes.imports.stablehlo.attributes import enumerated
from tapeless.passes.imports.stablehlo.bounds import Bounds
from tapeless.passes.imports.stablehlo.translator import Translator
from tapeless.passes.ir.build import number

TURNED = {"LT": "GT", "LE": "GE", "GT": "LT", "GE": "LE"}


@dataclass(frozen=True)
class Counter:
    """The carried number that a loop counts up by a constant as long as it is below `stop`.

    It lies in `inside` during an iteration, where that is known. A `plain` one begins at a constant that is not
    negative.
    """

    position: int
    step: int
    stop: ir.Value
    inside: Bounds | None
    is_plain: bool


def unchanged(op: ir.Operation) -> set[int]:
    """The carried values that the body of a loop hands on as they are."""
    body = op.regions[1].blocks[0]
    ends = list(list(body.operations)[-1].operands)
    return {k for k, (argument, end) in enumerate(zip(body.arguments, ends, strict=True)) if argument == end}


def counter_of(t: Translator, op: ir.Operation, fixed: set[int]) -> Counter | None:
    """The induction variable of a `stablehlo.while`, if it decides the trip count."""
    condition = op.regions[0].blocks[0]
    compared = _maker(list(condition.operations)[-1].operands[0], condition, "stablehlo.compare")
    if compared is None or not bounds.is_integer(compared.operands[0].type):
        return None
    direction, (left, right) = enumerated(compared, "comparison_direction"), compared.operands
    if _position(condition, left) in (None, *fixed):
        direction, left, right = TURNED.get(direction, ""), right, left
    position = _position(condition, left)
    if direction not in ("LT", "LE") or position is None or position in fixed:
        return None
    step = _step(t, op, position)
    limit = _limit(t, op, condition, right, fixed)
    if step is None or limit is None:
        return None
    stop, most = limit
    if direction == "LE":
        stop = arith.AddIOp(stop, number(stop.type, 1)).result
        most = None if most is None else most + 1
    return _counter(t.bounds_of(op.operands[position]), position, step, stop, most)


def _counter(start: Bounds | None, position: int, step: int, stop: ir.Value, most: int | None) -> Counter:
    is_plain = start is not None and start[0] == start[1] and start[0] >= 0
    inside = None if start is None or most is None else (start[0], max(start[0], most - 1))
    return Counter(position, step, stop, inside, is_plain)


def _maker(value: ir.Value, block: ir.Block, name: str) -> ir.Operation | None:
    """The operation of a kind in a block that makes a value."""
    if isinstance(value, ir.BlockArgument) or value.owner.operation.name != name:
        return None
    return value.owner.operation if value.owner.operation.block == block else None


def _position(block: ir.Block, value: ir.Value) -> int | None:
    """Which argument of a block a value is."""
    return next((k for k, argument in enumerate(block.arguments) if argument == value), None)


def _step(t: Translator, op: ir.Operation, position: int) -> int | None:
    """The positive constant that each iteration adds to a carried number."""
    body = op.regions[1].blocks[0]
    added = _maker(list(body.operations)[-1].operands[position], body, "stablehlo.add")
    if added is None:
        return None
    argument, others = body.arguments[position], list(added.operands)
    if argument not in others:
        return None
    others.remove(argument)
    known = _constant(t, others[0])
    return known if known is not None and known > 0 else None


def _constant(t: Translator, value: ir.Value) -> int | None:
    """The number that a value always is: a constant inside the loop, or a known one outside."""
    known = t.bounds_of(value)
    if known is None and not isinstance(value, ir.BlockArgument) and value.owner.operation.name == "stablehlo.constant":
        known = bounds.of_constant(value.owner.operation.attributes["value"])
    return known[0] if known is not None and known[0] == known[1] else None


def _limit(
    t: Translator, op: ir.Operation, condition: ir.Block, value: ir.Value, fixed: set[int]
) -> tuple[ir.Value, int | None] | None:
    """The bound of an induction variable, as a value outside the loop, and the most it can be."""
    position = _position(condition, value)
    if position is not None:
        value = op.operands[position] if position in fixed else value
    constant = _constant(t, value)
    if constant is not None:
        return number(value.type.element_type, constant), constant
    if value not in t.scope.values:
        return None
    known = t.bounds_of(value)
    return in_memory(t.scope.values[value]), known[1] if known else None
