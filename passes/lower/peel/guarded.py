"""Guards in the bodies of loops, and what is left of the code under them where they hold."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from tapeless._mlir import arith, ir
from tapeless.dataclasses_on_use import dataclass
from tapeless.passes.ir.scopes import is_defined_outside
from tapeless.passes.ir.sizes.sizes import constant_int
from tapeless.passes.lower.vectorise.walking import body_of
from tapeless.passes.marks import GUARD

AT_LEAST, BELOW = arith.CmpIPredicate.sge.value, arith.CmpIPredicate.slt.value


@dataclass(frozen=True)
class Guard:
    """A comparison of a loop's index with a bound from outside: at least it, or below it."""

    op: ir.Operation
    bound: ir.Value
    is_low: bool


def guards_of(loop: ir.Operation) -> list[Guard]:
    """The guards on the index of a loop, wherever they are in its body."""
    found = []
    for use in body_of(loop).arguments[0].uses:
        op = use.owner.operation
        if op.name == "arith.cmpi" and GUARD in op.attributes and use.operand_number == 0:
            predicate, bound = op.attributes["predicate"].value, op.operands[1]
            if predicate in (AT_LEAST, BELOW) and is_defined_outside(bound, loop):
                found.append(Guard(op, bound, predicate == AT_LEAST))
    return found


def drop_guard(guard: Guard) -> None:
    """Leaves out a comparison that holds, and what only it decides."""
    _settle(guard.op, True)


def _settle(op: ir.Operation, holds: bool) -> None:
    """Replaces a condition by what it is known to be."""
    with ir.InsertionPoint(op), op.location:
        constant = arith.ConstantOp(ir.IntegerType.get_signless(1), int(holds))
    _replace(op, constant.result)


def _replace(op: ir.Operation, value: ir.Value) -> None:
    """Lets the users of an operation take a value instead, and decides those that it decides."""
    op.results[0].replace_all_uses_with(value)
    op.erase()
    if constant_int(value) is not None:
        while any(_decide(use.owner.operation) for use in value.uses):
            pass


def _decide(op: ir.Operation) -> bool:
    """Leaves out an operation on conditions that are known; says whether they are."""
    rule = DECIDED.get(op.name)
    return rule is not None and rule(op, [_held(each) for each in op.operands])


def _held(value: ir.Value) -> bool | None:
    number = constant_int(value)
    return None if number is None else bool(number)


def _both(op: ir.Operation, held: list[bool | None], decisive: bool) -> bool:
    if decisive in held:
        _settle(op, decisive)
    else:
        _replace(op, op.operands[1 if held[0] is not None else 0])
    return True


def _unlike(op: ir.Operation, held: list[bool | None]) -> bool:
    if None in held:
        return False
    _settle(op, held[0] != held[1])
    return True


def _choice(op: ir.Operation, held: list[bool | None]) -> bool:
    if held[0] is None:
        return False
    _replace(op, op.operands[1 if held[0] else 2])
    return True


def _branch(op: ir.Operation, held: list[bool | None]) -> bool:
    """A branch that is taken is its code."""
    blocks = op.regions[0 if held[0] else 1].blocks
    if len(blocks):
        *inside, last = list(blocks[0].operations)
        for inner in inside:
            inner.operation.move_before(op)
        for result, value in zip(op.results, last.operands, strict=True):
            result.replace_all_uses_with(value)
    op.erase()
    return True


# What becomes of operations on conditions, by name, once some of their operands are known.
DECIDED: dict[str, Callable[[ir.Operation, list[bool | None]], bool]] = {
    "arith.andi": partial(_both, decisive=False),
    "arith.ori": partial(_both, decisive=True),
    "arith.xori": _unlike,
    "arith.select": _choice,
    "scf.if": _branch,
}


def marked_guards(module: ir.Module) -> list[ir.Operation]:
    """All comparisons that are marked as guards."""
    found: list[ir.Operation] = []

    def visit(op: ir.Operation) -> ir.WalkResult:
        if op.name == "arith.cmpi" and GUARD in op.attributes:
            found.append(op)
        return ir.WalkResult.ADVANCE

    module.operation.walk(visit)
    return found
