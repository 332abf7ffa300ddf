"""Forward rules of calls, of recursive functions among them, and of `ad.checkpoint`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from tapeless._mlir import func, ir
from tapeless.passes.ad.activity import is_float
from tapeless.passes.ad.copying import copy_op, inline_block
from tapeless.passes.ad.custom import body_of, check_sizes, module_of, require_body, rule_for
from tapeless.passes.ad.forward.push import Push, Rule, emit_jvp
from tapeless.passes.ir.build import cast_to
from tapeless.passes.ir.calls import is_recursive, note_sizes, supposed_sizes


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


def call_recursive(push: Push, op: ir.OpView, function: ir.OpView) -> None:
    """Calls the function that also moves tangents, once per direction; `function` is the one that `op` calls."""
    operands, results = list(op.operation.operands), list(op.operation.results)
    moves = [[k for k, value in enumerate(operands) if value in tangents] for tangents in push.tangents]
    if not any(moves):
        copy_op(op, push.values)
    for direction, moving in enumerate(moves):
        if moving:
            derivative = jvp_function(push.rules, function, moving)
            given = [*push.primals(operands), *(push.tangent_or_zeros(direction, operands[k]) for k in moving)]
            wanted = list(derivative.type.inputs)
            call = func.CallOp(derivative, [cast_to(type_, v) for type_, v in zip(wanted, given, strict=True)])
            note_sizes(call, supposed_sizes(derivative))
            made = list(call.operation.results)
            push.bind(results, made[: len(results)])
            floats = [result for result in results if is_float(result.type)]
            push.tangents[direction].update(zip(floats, made[len(results) :], strict=True))


def jvp_function(rules: Mapping[str, Rule], function: ir.OpView, moving: Sequence[int]) -> func.FuncOp:
    """The function that gives results and the tangents of those that are floats, from arguments and some tangents.

    It is made at the first call, before its body, which calls it.
    """
    name = f"{function.name.value}.jvp_{'_'.join(map(str, moving))}"
    for op in module_of(function).regions[0].blocks[0].operations:
        if isinstance(op, func.FuncOp) and op.name.value == name:
            return op
    inputs, outputs = list(function.type.inputs), list(function.type.results)
    floats = [k for k, type_ in enumerate(outputs) if is_float(type_)]
    signature = ir.FunctionType.get([*inputs, *(inputs[k] for k in moving)], [*outputs, *(outputs[k] for k in floats)])
    with ir.InsertionPoint(function), function.location:
        made = func.FuncOp(name, signature, visibility="private")
        sizes = supposed_sizes(function)
        # A tangent that goes in has the sizes of its argument, but is an argument of its own.
        tangents = {argument: len(inputs) + number for number, argument in enumerate(moving)}
        note_sizes(made, [*sizes, *(tangents.get(sizes[k], sizes[k]) for k in floats)])
        _fill(rules, function, made, moving)
    return made


def _fill(rules: Mapping[str, Rule], function: ir.OpView, made: func.FuncOp, moving: Sequence[int]) -> None:
    arguments = list(made.add_entry_block().arguments)
    count = len(function.type.inputs)
    names = body_of(function).arguments
    direction = dict(zip((names[k] for k in moving), arguments[count:], strict=True))
    with ir.InsertionPoint(made.entry_block):
        values, (tangents,) = emit_jvp(rules, function, arguments[:count], [direction])
        types = made.type.results
        func.ReturnOp([cast_to(type_, value) for type_, value in zip(types, [*values, *tangents], strict=True)])
