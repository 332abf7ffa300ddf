"""Return rules of scalar ops, read off the tables of partial derivatives."""

from __future__ import annotations

from tapeless._mlir import arith, ir
from tapeless.errors import NoRuleError
from tapeless.passes.ad.redundant.scope.sweep import Sweep
from tapeless.passes.ad.refusals import refusal
from tapeless.passes.ir.build import ANY_ORDER, number
from tapeless.passes.rules.arithmetic import ARITHMETIC
from tapeless.passes.rules.arithmetic import Rule as Partials
from tapeless.passes.rules.emitted import Emitted
from tapeless.passes.rules.functions import FUNCTIONS, SPECIAL_FUNCTIONS

TABLE = {**ARITHMETIC, **FUNCTIONS}


def partials_of(op: ir.OpView) -> Partials:
    """The entry of the tables that differentiates `op`."""
    name = op.operation.name
    if name == "soac.fn":
        function = ir.StringAttr(op.operation.attributes["function"]).value
        if function not in SPECIAL_FUNCTIONS:
            raise refusal(NoRuleError, op, f"{function} has no derivative; use custom_vjp to give one")
        return SPECIAL_FUNCTIONS[function]
    return TABLE[name]


def by_partials(sweep: Sweep, op: ir.OpView) -> None:
    """Adds seed times partial derivative to each operand's adjoint."""
    operands, (result,) = list(op.operation.operands), op.operation.results
    seed = Emitted(sweep.bars.of(result), ANY_ORDER)
    terms = partials_of(op)(*(Emitted(value) for value in sweep.primals([*operands, result])))
    for operand, partial in zip(operands, terms, strict=True):
        if operand in sweep.activity:
            product = seed * partial
            if isinstance(product, Emitted):
                sweep.bars.add(operand, product.value)


def select(sweep: Sweep, op: ir.OpView) -> None:
    """The chosen operand gets the whole adjoint."""
    condition, then, other = op.operation.operands
    chosen, bar = sweep.primal(condition), sweep.bars.of(op.operation.results[0])
    zero = number(bar.type, 0.0)
    sweep.bars.add(then, arith.SelectOp(chosen, bar, zero).result if then in sweep.activity else None)
    sweep.bars.add(other, arith.SelectOp(chosen, zero, bar).result if other in sweep.activity else None)


def extend(sweep: Sweep, op: ir.OpView) -> None:
    """A cast to a wider float narrows its adjoint."""
    operand = op.operation.operands[0]
    sweep.bars.add(operand, arith.TruncFOp(operand.type, sweep.bars.of(op.operation.results[0])).result)


def truncate(sweep: Sweep, op: ir.OpView) -> None:
    """A cast to a narrower float widens its adjoint."""
    operand = op.operation.operands[0]
    sweep.bars.add(operand, arith.ExtFOp(operand.type, sweep.bars.of(op.operation.results[0])).result)
