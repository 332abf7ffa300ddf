"""Path conditions of an operation: the conditions of branches around it that hold there, or do not hold."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TypeAlias

from tapeless._mlir import arith, ir
from tapeless.passes.ir.dependence.affine import Affine
from tapeless.passes.ir.sizes.sizes import constant_int

Known = dict[ir.Value, bool]
Predicate: TypeAlias = arith.CmpIPredicate

# The comparison that holds where another one does not.
OPPOSITES = {
    Predicate.eq: Predicate.ne,
    Predicate.ne: Predicate.eq,
    Predicate.slt: Predicate.sge,
    Predicate.sge: Predicate.slt,
    Predicate.sle: Predicate.sgt,
    Predicate.sgt: Predicate.sle,
}
# A conjunction that holds says that both parts hold; a disjunction that does not, that neither does.
DECISIVE = {"arith.andi": True, "arith.ori": False}


def conditions_around(op: ir.OpView) -> Known:
    """All conditions that the branches around an operation decide."""
    known: Known = {}
    inner, outer = op.operation, op.operation.parent
    while outer is not None:
        if outer.operation.name == "scf.if":
            known[outer.operation.operands[0]] = outer.operation.regions[0].blocks[0] == inner.block
        inner, outer = outer.operation, outer.operation.parent
    while new := {value: truth for value, truth in _following(known) if value not in known}:
        known.update(new)
    return known


def _following(known: Known) -> Iterator[tuple[ir.Value, bool]]:
    """Conditions implied for the operands of conjunctions and disjunctions."""
    for value, truth in known.items():
        if isinstance(value, ir.BlockArgument):
            continue
        op = value.owner
        decisive = DECISIVE.get(op.operation.name)
        if decisive is not None and truth == decisive:
            yield from ((part, truth) for part in op.operands)
        elif decisive is not None:
            left, right = op.operands
            yield from ((part, truth) for part, other in ((left, right), (right, left)) if known.get(other) == decisive)
        elif op.operation.name == "arith.xori" and constant_int(op.operands[1]) in (1, -1):
            yield op.operands[0], not truth


def comparison(condition: ir.Value, *, truth: bool) -> tuple[Predicate, ir.Value, ir.Value] | None:
    """Two integers and how they compare, where a condition has a truth."""
    if isinstance(condition, ir.BlockArgument) or condition.owner.operation.name != "arith.cmpi":
        return None
    op = condition.owner
    predicate = Predicate(ir.IntegerAttr(op.attributes["predicate"]).value)
    if predicate not in OPPOSITES:
        return None
    return predicate if truth else OPPOSITES[predicate], op.operands[0], op.operands[1]


def excesses(predicate: Predicate, left: Affine, right: Affine) -> list[Affine]:
    """Sums that are not negative where two compare in this way; of those that merely differ nothing follows."""
    less, more = right.plus(left, -1), left.plus(right, -1)
    return {
        Predicate.eq: [less, more],
        Predicate.slt: [less.plus(Affine(-1))],
        Predicate.sle: [less],
        Predicate.sgt: [more.plus(Affine(-1))],
        Predicate.sge: [more],
    }.get(predicate, [])
