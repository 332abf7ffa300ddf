"""Forward rules of scalar ops, read off the tables of partial derivatives, and of linear ops, which act on tangents."""

from __future__ import annotations

from tapeless._mlir import arith, ir
from tapeless.passes.ad.activity import is_float
from tapeless.passes.ad.copying import copy_op
from tapeless.passes.ad.forward.push import Push
from tapeless.passes.ad.redundant.elements.scalars import partials_of
from tapeless.passes.rules.emitted import Emitted
from tapeless.passes.rules.expr import Term


def by_partials(push: Push, op: ir.OpView) -> None:
    """The sum over operands of partial derivative times tangent."""
    operands, (result,) = list(op.operation.operands), op.operation.results
    copy_op(op, push.values)
    terms = partials_of(op)(*(Emitted(value) for value in push.primals([*operands, result])))
    for direction in push.directions:
        total: Term = 0.0
        for operand, partial in zip(operands, terms, strict=True):
            tangent = push.tangent(direction, operand)
            if tangent is not None:
                total = total + Emitted(tangent) * partial
        if isinstance(total, Emitted):
            push.tangents[direction][result] = total.value


def linear(push: Push, op: ir.OpView) -> None:
    """The same op on the tangents of its float operands."""
    copy_op(op, push.values)
    operands = list(op.operation.operands)
    for direction in dict.fromkeys(direction for direction, _ in push.moving(operands)):
        moved = [push.tangent_or_zeros(direction, v) if is_float(v.type) else push.primal(v) for v in operands]
        made = op.operation.clone()
        for position, value in enumerate(moved):
            made.operands[position] = value
        push.tangents[direction][op.operation.results[0]] = made.results[0]


def select(push: Push, op: ir.OpView) -> None:
    """The tangent of the chosen operand."""
    copy_op(op, push.values)
    condition, *choices = op.operation.operands
    for direction in dict.fromkeys(direction for direction, _ in push.moving(choices)):
        tangents = [push.tangent_or_zeros(direction, value) for value in choices]
        chosen = arith.SelectOp(push.primal(condition), *tangents).result
        push.tangents[direction][op.operation.results[0]] = chosen
