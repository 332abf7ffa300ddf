"""Calls of functions that are not inlined, because they call themselves."""

from __future__ import annotations

from tapeless._mlir import func, ir
from tapeless.abi import Site
from tapeless.passes.lower.loops.calls.asserts import source_line
from tapeless.passes.lower.loops.calls.runtime_calls import call_runtime, word
from tapeless.passes.lower.loops.copying import copy
from tapeless.passes.lower.loops.emitter import Emitter, memref_type
from tapeless.passes.lower.loops.memory.destinations import destination, temporary, updated
from tapeless.passes.lower.loops.views import View
from tapeless.passes.lower.storage.aliasing import is_array
from tapeless.passes.lower.storage.tree import Node

RUN = ".run"
KIND = "RecursionTooDeep"
TOO_DEEP = "calls of '{}' are nested too deeply for the stack of this thread; let its recursion end earlier"


def emit_call(emitter: Emitter, node: Node) -> None:
    """Hands arrays over as whole contiguous buffers, and copies what comes back to where it belongs, if elsewhere."""
    convention = emitter.plan.convention(node)
    changed: list[tuple[View, View]] = []
    given: dict[int, ir.Value] = {}
    for result, argument in convention.in_place():
        view = updated(emitter, node.operands[argument], node.results[result])
        given[argument] = _handed_over(emitter, view, node.results[result], changed, is_read=True)
    for number, operand in enumerate(node.operands):
        if number not in given:
            given[number] = _argument(emitter, operand)
    outs = []
    for number in convention.outs():
        result = node.results[number]
        outs.append(_handed_over(emitter, destination(emitter, result), result, changed, is_read=False))
    returned = [node.results[number] for number in convention.values()]
    operands = [given[number] for number in range(len(node.operands))] + outs
    call = emitter.builder.create(
        "func.call", [value.type for value in returned], operands, {"callee": node.op.attributes["callee"]}
    )
    emitter.env.update(zip(returned, call.results, strict=True))
    for buffer, view in changed:
        copy(emitter, buffer, view)


def _argument(emitter: Emitter, operand: ir.Value) -> ir.Value:
    """A scalar, or the buffer of an array that the function only reads."""
    if not is_array(operand):
        return emitter.scalar(operand)
    view = emitter.view(operand)
    if not view.covers_base:
        packed = temporary(emitter, operand)
        copy(emitter, view, packed)
        view = packed
    return _buffer(emitter, view, operand)


def _handed_over(
    emitter: Emitter, view: View, model: ir.Value, changed: list[tuple[View, View]], *, is_read: bool
) -> ir.Value:
    """The buffer in which the function changes or makes an array; one that lies elsewhere is copied there and back."""
    if view.covers_base:
        return _buffer(emitter, view, model)
    packed = temporary(emitter, model)
    if is_read:
        copy(emitter, view, packed)
    changed.append((packed, view))
    return _buffer(emitter, packed, model)


def _buffer(emitter: Emitter, view: View, model: ir.Value) -> ir.Value:
    """A whole buffer under the type that the function expects; that may know more or fewer of its sizes."""
    wanted = memref_type(model)
    return view.base if view.base.type == wanted else emitter.builder.value("memref.cast", wanted, [view.base])


def check_stack(emitter: Emitter, function: func.FuncOp) -> None:
    """Ends the call when there is little left of the stack of the thread."""
    name = emitter.name.removesuffix(RUN)
    file, line = source_line(function.location)
    emitter.sites.append(Site(KIND, TOO_DEEP.format(name), file, line, ()))
    site = emitter.first_site + len(emitter.sites) - 1
    call_runtime(emitter, "tl_check_stack", [word(emitter.builder, site)])
