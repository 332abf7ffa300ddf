"""Forward rules of calls of functions with a rule of their own, and of `ad.checkpoint`."""

from __future__ import annotations

from tapeless._mlir import ir
from tapeless.passes.ad.activity import is_float
from tapeless.passes.ad.copying import inline_block
from tapeless.passes.ad.custom import body_of, check_sizes, rule_for
from tapeless.passes.ad.forward.push import Push, Rule


def call_forward(push: Push, op: ir.OpView) -> None:
    """The user's forward-mode rule, or the function itself when there is only a reverse-mode one."""
    from tapeless.passes.ad.forward.function import emit_jvp

    rule = rule_for(op)
    operands, results = list(op.operation.operands), list(op.operation.results)
    primals = push.primals(operands)
    tangents = [push.tangent_or_zeros(value) for value in operands]
    if rule.push is not None:
        made = inline_block(body_of(rule.push), [*primals, *tangents])
        check_sizes("a tangent", made[len(results) :], made[: len(results)])
        push.bind(results, made[: len(results)])
        push.bind_tangents(results, made[len(results) :])
        return
    wrt = [k for k, value in enumerate(operands) if is_float(value.type)]
    values, moved = emit_jvp(rule.primal, primals, [tangents[k] for k in wrt], wrt)
    push.bind(results, values)
    push.bind_tangents([result for result in results if is_float(result.type)], moved)


def checkpoint_forward(push: Push, op: ir.OpView) -> None:
    """The body in place."""
    yielded = push.run(op.body.blocks[0])
    push.bind(op.operation.results, push.primals(yielded))
    moving = [k for k, value in enumerate(yielded) if push.tangent(value) is not None]
    push.bind_tangents([op.operation.results[k] for k in moving], [push.tangents[yielded[k]] for k in moving])


CALLS: dict[str, Rule] = {"func.call": call_forward, "ad.checkpoint": checkpoint_forward}
