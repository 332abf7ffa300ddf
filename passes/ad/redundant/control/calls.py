"""Return rules of calls of functions with a rule of their own, and of the mark `ad.checkpoint`."""

from __future__ import annotations

from tapeless._mlir import ir
from tapeless.errors import NoRuleError
from tapeless.passes.ad.activity import is_float
from tapeless.passes.ad.copying import inline_block
from tapeless.passes.ad.custom import CustomRule, body_of, check_sizes, rule_for
from tapeless.passes.ad.prepare.prepare import REVERSE, prepared_copy
from tapeless.passes.ad.redundant.scope.function import emit_vjp
from tapeless.passes.ad.redundant.scope.sweep import Sweep
from tapeless.passes.ad.refusals import refusal
from tapeless.passes.ir.build import zeros_like
from tapeless.passes.ir.calls import is_recursive

WITHOUT_RULE = "is differentiated, but its callee is not inlined and has no rule; define it or give an ad.custom_rule"

RECURSIVE_WITHOUT_RULE = (
    "is differentiated in reverse mode, but its callee is recursive and has no rule; use forward mode here, as in a "
    "tl.jvp around tl.grad, or give an ad.custom_rule"
)


def call_forward(sweep: Sweep, op: ir.OpView) -> None:
    """Runs the user's forward function and keeps its residuals; without one, the function itself."""
    rule = rule_for(op, "forward", "backward")
    if rule.forward is None and rule.push is None:
        raise refusal(NoRuleError, op, RECURSIVE_WITHOUT_RULE if is_recursive(rule.primal) else WITHOUT_RULE)
    if rule.forward is None:
        sweep.copy(op)
        return
    made = inline_block(body_of(rule.forward), sweep.primals(op.operation.operands))
    count = len(op.operation.results)
    sweep.bind(op.operation.results, made[:count])
    sweep.save(op, made[count:])


def call_back(sweep: Sweep, op: ir.OpView) -> None:
    """Runs the user's backward function, or transposes their forward-mode rule."""
    rule = rule_for(op, "forward", "backward")
    operands, results = list(op.operation.operands), list(op.operation.results)
    seeds = [sweep.bars.or_zeros(result, sweep.primal(result)) for result in results]
    if rule.backward is not None:
        bars = inline_block(body_of(rule.backward), [*sweep.saved[op.operation.results[0]], *seeds])
        check_sizes("an adjoint", bars, sweep.primals(operands))
    else:
        bars = _transposed(sweep, rule, operands, [sweep.bars.get(result) for result in results])
    for operand, bar in zip(operands, bars, strict=True):
        sweep.bars.add(operand, bar)


def _transposed(
    sweep: Sweep, rule: CustomRule, operands: list[ir.Value], seeds: list[ir.Value | None]
) -> list[ir.Value | None]:
    """A forward-mode rule is linear in the tangents; its adjoint in them is the adjoint of the function.

    Like any function to be run backwards the rule is prepared first, with promises checked.
    """
    push = prepared_copy(rule.push, REVERSE)
    primals = sweep.primals(operands)
    tangents = [zeros_like(value) for value in primals]
    wrt = [k for k, value in enumerate(operands) if is_float(value.type)]
    shifted = [len(operands) + k for k in wrt]
    _, bars = emit_vjp(sweep.rules, push, [*primals, *tangents], [*([None] * len(seeds)), *seeds], shifted)
    push.operation.erase()
    by_operand = dict(zip(wrt, bars, strict=True))
    return [by_operand.get(k) for k in range(len(operands))]


def checkpoint_back(sweep: Sweep, op: ir.OpView) -> None:
    """Runs the body again, then back, adding to the adjoints of this scope."""
    sweep.differentiate(op.body.blocks[0], [sweep.bars.get(result) for result in op.operation.results])
