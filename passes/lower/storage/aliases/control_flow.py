"""Storages of what loops carry and branches choose."""

from __future__ import annotations

from tapeless._mlir import ir
from tapeless.passes.ir.regions.structure import arguments_of, operands_of
from tapeless.passes.lower.storage.aliases.carrying import carry_arrays
from tapeless.passes.lower.storage.aliasing import Carry, StoragePlan, is_accumulator, is_array, visit_block
from tapeless.passes.lower.storage.storage import Sink
from tapeless.passes.lower.storage.tree import Node


def visit_for(plan: StoragePlan, node: Node) -> None:
    storages = plan.storages
    arguments, starts = arguments_of(node.op, "carried"), operands_of(node.op, "carried")
    carried = [k for k, argument in enumerate(arguments) if is_array(argument)]
    for k in carried:
        storages.fresh(arguments[k], node)
    visit_block(plan, node.regions[0])
    carry_arrays(plan, node, arguments, starts, node.terminator.operands)
    for k in carried:
        finish_carry(plan, node, k, arguments[k], node.results[k])


def finish_carry(plan: StoragePlan, node: Node, number: int, argument: ir.Value, result: ir.Value) -> None:
    """Gives the loop's result its storage: that of the carried array, or its own when buffers took turns."""
    storages = plan.storages
    if plan.carries[node, number] is Carry.IN_PLACE:
        storages.join(result, storages.of(argument), whole=True)
    else:
        storages.fresh(result, node)


def visit_while(plan: StoragePlan, node: Node) -> None:
    """Both regions of `scf.while` see the carried arrays; those the condition hands on unchanged are not copied."""
    storages = plan.storages
    before, after = node.arguments(0), node.arguments(1)
    carried = [k for k, argument in enumerate(before) if is_array(argument)]
    for k in carried:
        storages.fresh(before[k], node)
    visit_block(plan, node.regions[0])
    forwarded = node.regions[0][-1].operands[1:]
    for argument, value in zip(after, forwarded, strict=True):
        if is_array(argument):
            if value in before:
                storages.join(argument, storages.of(value), whole=True)
            else:
                storages.fresh(argument, node, sinkable=False, writable=False)
    visit_block(plan, node.regions[1])
    carry_arrays(plan, node, before, node.operands, node.regions[1][-1].operands)
    for result, value in zip(node.results, forwarded, strict=True):
        if is_array(result):
            if value in before and plan.carries[node, before.index(value)] is Carry.IN_PLACE:
                storages.join(result, storages.of(value), whole=True)
            else:
                storages.fresh(result, node)


def visit_if(plan: StoragePlan, node: Node) -> None:
    """A result shares the memory its branches agree on; otherwise both branches build it in one place."""
    storages = plan.storages
    for nodes in node.regions:
        visit_block(plan, nodes)
    for number, result in enumerate(node.results):
        if not is_array(result):
            continue
        branches = [nodes[-1] for nodes in node.regions]
        values = [branch.operands[number] for branch in branches]
        shared = storages.of(values[0])
        agree = all(storages.of(value) is shared and storages.is_whole(value) for value in values)
        if is_accumulator(result) or (
            agree and shared.writable and not node.contains(shared.home) and not storages.naive
        ):
            storages.join(result, shared, whole=True)
            continue
        storages.fresh(result, node)
        for branch, value in zip(branches, values, strict=True):
            storages.offer_sink(value, Sink("branch", node, number), branch)
