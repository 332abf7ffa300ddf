"""Guarded branches: the first region is fast code, and the second, which hardly ever runs, is exact for all data."""

from __future__ import annotations

from collections.abc import Sequence

from tapeless._mlir import arith, ir
from tapeless.dialects import soac
from tapeless.passes.ir.build import any_order, number

GUARD = "soac.guard"
# Ways that are exact and slow, and one that takes about as long as the fast code.
OPERATIONS, STEPS, BRANCH_FREE = "operations", "steps", "branch-free"


def guard(tested: Sequence[ir.Value], exact: str) -> ir.Value:
    """Whether fast code may be used, of which the values are tested."""
    return soac.GuardOp(list(tested), ir.IntegerType.get_signless(1), ir.StringAttr.get(exact)).out


def guard_of(op: ir.Operation | ir.OpView) -> ir.OpView | None:
    """The guard that a branch or a choice has as its condition."""
    condition = op.operation.operands[0]
    if isinstance(condition, ir.BlockArgument) or condition.owner.name != GUARD:
        return None
    return condition.owner.opview


def tested_by(branch: ir.Operation) -> list[ir.Value]:
    """The numbers that the guard of a branch tests."""
    return list(branch.operands[0].owner.operands)


def exact_way(op: ir.Operation | ir.OpView) -> str | None:
    """How the second way of a branch or a choice computes, if it is guarded."""
    found = guard_of(op)
    return None if found is None else found.exact.value


def is_guarded(op: ir.Operation | ir.OpView) -> bool:
    """Whether the second way of a branch is for numbers that are not finite."""
    return exact_way(op) in (OPERATIONS, STEPS)


def is_guarded_branch(op: ir.Operation | ir.OpView) -> bool:
    """Whether any operation is a branch of which the second way hardly ever runs."""
    return op.operation.name == "scf.if" and is_guarded(op)


def takes_steps(op: ir.Operation | ir.OpView) -> bool:
    """Whether it has the steps of a loop, and may store states."""
    return exact_way(op) == STEPS


def usual_regions(op: ir.Operation | ir.OpView) -> list[ir.Region]:
    """The regions of an operation that run often: all but the second way of a guarded branch."""
    return list(op.operation.regions)[:1] if is_guarded_branch(op) else list(op.operation.regions)


def nothing_of(tested: Sequence[ir.Value]) -> ir.Value:
    """Zero if the sum of numbers is finite, which it is only if they are; else no number."""
    first, *rest = widest(tested)
    for value in rest:
        first = arith.AddFOp(first, value, fastmath=any_order()).result
    return arith.MulFOp(first, _zero(first.type)).result


def holds(tested: Sequence[ir.Value]) -> ir.Value:
    """The condition of a guard as arithmetic, on numbers or on vectors of them."""
    numbers = [value for value in tested if not _is_bit(value)]
    parts = [value for value in tested if _is_bit(value)]
    if numbers:
        nothing = nothing_of(numbers)
        parts.append(arith.CmpFOp(arith.CmpFPredicate.OEQ, nothing, _zero(nothing.type)).result)
    result, *rest = parts
    for part in rest:
        result = arith.AndIOp(result, part).result
    return result


def lower_guard(op: ir.Operation) -> None:
    """Replaces a guard by its arithmetic."""
    with ir.InsertionPoint(op), op.location:
        op.results[0].replace_all_uses_with(holds(list(op.operands)))
    op.erase()


def widest(values: Sequence[ir.Value]) -> list[ir.Value]:
    types = list(dict.fromkeys(value.type for value in values))
    if len(types) == 1:
        return list(values)
    wide = max(types, key=lambda kind: _element(kind).width)
    return [value if value.type == wide else arith.ExtFOp(wide, value).result for value in values]


def _zero(type_: ir.Type) -> ir.Value:
    if not isinstance(type_, ir.VectorType):
        return number(type_, 0.0)
    element = ir.FloatAttr.get(type_.element_type, 0.0)
    return arith.ConstantOp(type_, ir.DenseElementsAttr.get_splat(type_, element)).result


def _element(type_: ir.Type) -> ir.Type:
    return type_.element_type if isinstance(type_, ir.VectorType) else type_


def _is_bit(value: ir.Value) -> bool:
    return isinstance(_element(value.type), ir.IntegerType)
