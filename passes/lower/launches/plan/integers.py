"""Arithmetic on known values of the host: numbers are computed at once, anything else is an expression of the plan."""

from __future__ import annotations

from collections.abc import Sequence

from tapeless._mlir import arith, ir
from tapeless.passes.lower.launches.plan.plan import Expr
from tapeless.passes.lower.launches.plan.values import is_integer

PLAIN = frozenset(
    f"arith.{name}"
    for name in (
        *("addi", "subi", "muli", "divsi", "divui", "floordivsi", "ceildivsi", "remsi", "remui"),
        *("minsi", "maxsi", "minui", "maxui", "andi", "ori", "xori", "shli", "shrsi", "shrui"),
        *("select", "index_cast", "index_castui", "extsi", "extui", "trunci"),
    )
)
COMPARISON = "arith.cmpi"
WIDTHS = (1, 32, 64)


def added(left: Expr, right: Expr) -> Expr:
    return left + right if isinstance(left, int) and isinstance(right, int) else ["addi", "index", left, right]


def product(factors: Sequence[Expr]) -> Expr:
    total = factors[0]
    for each in factors[1:]:
        total = total * each if isinstance(total, int) and isinstance(each, int) else ["muli", "index", total, each]
    return total


def quotient(number: Expr, divisor: Expr) -> Expr:
    """Rounded up."""
    if isinstance(number, int) and isinstance(divisor, int):
        return -(-number // divisor)
    return ["ceildivsi", "index", number, divisor]


def largest(numbers: Sequence[Expr]) -> Expr:
    """The largest of some numbers, at least one."""
    found: Expr = 1
    for number in numbers:
        if isinstance(found, int) and isinstance(number, int):
            found = max(found, number)
        elif number != found:
            found = number if found == 1 else ["maxsi", "index", found, number]
    return found


def steps(low: Expr, high: Expr, step: Expr) -> Expr:
    """How many iterations a loop has, at least none."""
    if isinstance(low, int) and isinstance(high, int) and isinstance(step, int):
        return len(range(low, high, step))
    distance = high if low == 0 else ["subi", "index", high, low]
    distance = ["maxsi", "index", distance, 0]
    return distance if step == 1 else ["ceildivsi", "index", distance, step]


def is_expression(op: ir.Operation) -> bool:
    """Whether the host can compute the result of an operation, if it knows the operands."""
    if op.name not in PLAIN and op.name != COMPARISON:
        return False
    return all(_is_plain(value.type) for value in (*op.operands, *op.results))


def _is_plain(type_: ir.Type) -> bool:
    return isinstance(type_, ir.IndexType) or (isinstance(type_, ir.IntegerType) and type_.width in WIDTHS)


def expression(op: ir.Operation, operands: list[Expr]) -> Expr:
    """The result of an operation; a comparison names the type of its operands, others that of their result."""
    if op.name == COMPARISON:
        predicate = arith.CmpIPredicate(ir.IntegerAttr(op.attributes["predicate"]).value)
        return [f"cmpi.{predicate.name}", str(op.operands[0].type), *operands]
    name, type_ = op.name.removeprefix("arith."), str(op.results[0].type)
    source = op.operands[0].type
    width = source.width if isinstance(source, ir.IntegerType) else WIDTHS[-1]
    if name in ("extui", "index_castui"):
        # The host keeps integers with their sign, and bools as 0 and 1.
        return operands[0] if width in (1, 64) else ["andi", type_, operands[0], (1 << width) - 1]
    if name in ("extsi", "index_cast") and width == 1:
        return ["subi", type_, 0, operands[0]]
    return [name, type_, *operands]


def constant(op: ir.Operation) -> int:
    """The number of an `arith.constant` of integers; bools are 0 and 1."""
    assert is_integer(op.results[0].type)
    value = ir.IntegerAttr(op.attributes["value"]).value
    return int(value) & 1 if str(op.results[0].type) == "i1" else int(value)
