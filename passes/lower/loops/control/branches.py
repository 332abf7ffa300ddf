"""Branches: both sides build array results in one place, or each hands over a buffer of its own."""

from __future__ import annotations

from tapeless._mlir import ir
from tapeless.passes.ir.guards import takes_steps
from tapeless.passes.lower.loops.arrays.extents import sizes_here
from tapeless.passes.lower.loops.bulk import end_loop
from tapeless.passes.lower.loops.control.handover import own_copy, own_result
from tapeless.passes.lower.loops.emitter import Emitter, OwnAllocation, Unavailable, memref_type
from tapeless.passes.lower.loops.memory.destinations import deliver, destination, storage_view
from tapeless.passes.lower.storage.aliasing import is_accumulator, is_array
from tapeless.passes.lower.storage.storage import Sink
from tapeless.passes.lower.storage.tree import Node
from tapeless.passes.marks import VARIANTS


def emit_if(emitter: Emitter, node: Node) -> None:
    builder = emitter.builder
    condition = emitter.scalar(node.operands[0])
    returned = [number for number, result in enumerate(node.results) if not open_result(emitter, node, number, result)]
    types = [memref_type(node.results[n]) if is_array(node.results[n]) else node.results[n].type for n in returned]
    branch = builder.create("scf.if", types, [condition], regions=2)
    if VARIANTS in node.op.attributes:
        branch.attributes[VARIANTS] = node.op.attributes[VARIANTS]
    for region, nodes in enumerate(node.regions):
        if not nodes:
            continue
        builder.push(branch, region, [], is_branch=True)
        builder.frames[-1].keeps_memory = VARIANTS in node.op.attributes or takes_steps(node.op)
        emitter.emit_block(nodes)
        values = [
            branch_value(emitter, node, number, nodes[-1].operands[number]) for number in range(len(node.results))
        ]
        end_loop(emitter, nodes[-1], [values[number] for number in returned])
    for number, result in enumerate(node.results):
        if is_accumulator(result):
            emitter.env[result] = emitter.view(node.regions[0][-1].operands[number])
    for number, lowered in zip(returned, branch.results, strict=True):
        result = node.results[number]
        if is_array(result):
            own_result(emitter, result, lowered)
        else:
            emitter.env[result] = lowered


def open_result(emitter: Emitter, node: Node, number: int, result: ir.Value) -> bool:
    """Fixes the place of an array result before the branch; false when the branch has to return it."""
    if not is_array(result):
        return False
    if is_accumulator(result):
        return True
    storage = emitter.plan.storages.memory(result)
    if storage.home is not node:
        emitter.env[result] = storage_view(emitter, storage, result)
        return True
    sink = Sink("branch", node, number)
    try:
        sizes_here(emitter, result)
    except Unavailable:
        emitter.sinks[sink] = OwnAllocation()
        return False
    emitter.sinks[sink] = destination(emitter, result)
    return True


def branch_value(emitter: Emitter, node: Node, number: int, value: ir.Value) -> ir.Value | None:
    """The value of a branch for a result: a scalar, a buffer of its own, or nothing for arrays put in place."""
    if not is_array(value):
        return emitter.scalar(value)
    if is_accumulator(value):
        return None
    sink = Sink("branch", node, number)
    place = emitter.sinks.get(sink)
    if isinstance(place, OwnAllocation):
        return own_copy(emitter, value, sink, node.results[number])
    if place is not None:
        deliver(emitter, value, sink)
    return None
