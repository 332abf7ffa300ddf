"""Comparisons and run-time checks whose outcome the bounds of loop indices decide."""

from __future__ import annotations

from tapeless._mlir import arith, ir
from tapeless.passes.ir.places.indices import is_below, is_non_negative, is_not_below
from tapeless.passes.ir.rebuild import replace_op
from tapeless.passes.ir.sizes.sizes import constant_int
from tapeless.passes.soac.simplify.known_writes import drop_check, forget_writes, kept_sizes

Decision = bool | None


def _less(left: ir.Value, right: ir.Value) -> Decision:
    if is_below(left, right):
        return True
    return False if is_not_below(left, right) else None


def _less_unsigned(left: ir.Value, right: ir.Value) -> Decision:
    """Only whether an index is in range: negative numbers are large ones here."""
    return True if is_non_negative(left) and is_below(left, right) else None


def _negated(decision: Decision) -> Decision:
    return None if decision is None else not decision


DECISIONS = {
    arith.CmpIPredicate.slt: _less,
    arith.CmpIPredicate.ult: _less_unsigned,
    arith.CmpIPredicate.sge: lambda left, right: _negated(_less(left, right)),
    arith.CmpIPredicate.sgt: lambda left, right: _less(right, left),
    arith.CmpIPredicate.sle: lambda left, right: _negated(_less(right, left)),
}


def decide_comparison(op: ir.OpView) -> ir.OpView | None:
    """`cmpi slt, %i, %n` with `%i` an index of an operator of width `%n` is true."""
    decide = DECISIONS.get(arith.CmpIPredicate(op.attributes["predicate"].value))
    with kept_sizes():
        decision = decide(*op.operands) if decide else None
    if decision is None:
        return op
    truth = arith.constant(op.results[0].type, int(decision), loc=op.location, ip=ir.InsertionPoint(op))
    if any(use.owner.operation.name != "soac.assert" for use in op.results[0].uses):
        forget_writes()  # an index may be chosen by it
    replace_op(op, [truth])
    return None


def drop_true_assert(op: ir.OpView) -> ir.OpView | None:
    """A check whose condition is the constant true goes."""
    if not constant_int(op.operands[0]):
        return op
    drop_check(op)
    return None
