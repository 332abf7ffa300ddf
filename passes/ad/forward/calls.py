"""Forward rules of calls of functions with a rule of their own, and of `ad.checkpoint`."""

from __future__ import annotations

from tapeless._mlir import ir
from tapeless.passes.ad.activity import is_float
from tapeless.passes.ad.copying import inline_block
from tapeless.passes.ad.custom import body_of, check_sizes, require_body, rule_for
from tapeless.passes.ad.forward.push import Push, emit_jvp
from tapeless.passes.ad.forward.recursion import call_recursive
from tapeless.passes.ir.calls import is_recursive


def call_forward(push: Push, op: ir.OpView) -> None:
    """The user's forward-mode rule, or the function itself when there is only a reverse-mode one, or recursion."""
    rule = rule_for(op, "push")
    if rule.push is None:
        require_body(op, rule.primal)
        if is_recursive(rule.primal):
            call_recursive(push, op, rule.primal)
            return
        _differentiate(push, op, rule.primal)
        return
    operands, results = list(op.operation.operands), list(op.operation.results)
    for direction in push.directions:
        tangents = [push.tangent_or_zeros(direction, value) for value in operands]
        made = inline_block(body_of(rule.push), [*push.primals(operands), *tangents])
        check_sizes("a tangent", made[len(results) :], made[: len(results)])
        push.bind(results, made[: len(results)])
        push.tangents[direction].update(zip(results, made[len(results) :], strict=True))


def _differentiate(push: Push, op: ir.OpView, function: ir.OpView) -> None:
    operands, results = list(op.operation.operands), list(op.operation.results)
    names = body_of(function).arguments
    directions = [
        {
            name: tangent
            for name, value in zip(names, operands, strict=True)
            if (tangent := found.get(value)) is not None
        }
        for found in push.tangents
    ]
    values, moved = emit_jvp(push.rules, function, push.primals(operands), directions, push.repeats)
    push.bind(results, values)
    for found, tangents in zip(push.tangents, moved, strict=True):
        moving = [result for result in results if is_float(result.type)]
        found.update(zip(moving, tangents, strict=True))


def checkpoint_forward(push: Push, op: ir.OpView) -> None:
    """The body in place."""
    yielded, results = push.run(op.body.blocks[0]), list(op.operation.results)
    push.bind(results, push.primals(yielded))
    moving = push.moving(yielded)
    push.bind_tangents(results, moving, push.tangents_of(yielded, moving))
