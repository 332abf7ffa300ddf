"""Forward mode of functions that call themselves: a function that computes values and tangents, for each pattern."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from tapeless._mlir import func, ir
from tapeless.passes.ad.activity import is_float
from tapeless.passes.ad.copying import copy_op
from tapeless.passes.ad.custom import body_of, module_of
from tapeless.passes.ad.forward.push import Push, Rule, emit_jvp
from tapeless.passes.ir.build import cast_to
from tapeless.passes.ir.calls import note_sizes, supposed_sizes


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
