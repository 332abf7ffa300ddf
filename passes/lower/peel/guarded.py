"""Guards in the bodies of loops, and what is left of the code under them where they hold."""

from __future__ import annotations

from dataclasses import dataclass

from tapeless._mlir import arith, ir
from tapeless.passes.ir.scopes import is_defined_outside
from tapeless.passes.ir.sizes.sizes import constant_int
from tapeless.passes.lower.vectorise.walking import body_of, op_name
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
    """Leaves out a comparison that holds, and the branches that only it decides."""
    op = guard.op
    with ir.InsertionPoint(op), op.location:
        holds = arith.ConstantOp(ir.IntegerType.get_signless(1), 1)
    users = [use.owner.operation for use in op.results[0].uses]
    op.results[0].replace_all_uses_with(holds.result)
    op.erase()
    for user in users:
        _simplify(user)


def _simplify(op: ir.Operation) -> None:
    """A conjunction with what holds is the other operand; a branch that is taken is its code."""
    held = [constant_int(operand) is not None for operand in op.operands]
    if op_name(op) == "arith.andi" and any(held):
        users = [use.owner.operation for use in op.results[0].uses]
        op.results[0].replace_all_uses_with(op.operands[1 if held[0] else 0])
        op.erase()
        for user in users:
            _simplify(user)
    elif op_name(op) == "scf.if" and held[0]:
        *inside, last = list(op.regions[0].blocks[0].operations)
        for inner in inside:
            inner.operation.move_before(op)
        for result, value in zip(op.results, last.operands, strict=True):
            result.replace_all_uses_with(value)
        op.erase()


def marked_guards(module: ir.Module) -> list[ir.Operation]:
    """All comparisons that are marked as guards."""
    found: list[ir.Operation] = []

    def visit(op: ir.Operation) -> ir.WalkResult:
        if op.name == "arith.cmpi" and GUARD in op.attributes:
            found.append(op)
        return ir.WalkResult.ADVANCE

    module.operation.walk(visit)
    return found
