"""Storages of bulk operators: rows are parts of what they come from and are built inside what they go to."""

from __future__ import annotations

from tapeless._mlir import ir
from tapeless.passes.ir.regions.structure import arguments_of
from tapeless.passes.lower.storage.aliases.pointwise import reads_pointwise, results_in, separate_early_rows
from tapeless.passes.lower.storage.aliases.replacing import replaced_input
from tapeless.passes.lower.storage.aliasing import (
    StoragePlan,
    is_accumulator,
    is_array,
    make_fresh,
    operator_arguments,
    update_operand,
    visit_block,
)
from tapeless.passes.lower.storage.storage import Sink
from tapeless.passes.lower.storage.tree import Node


def visit_map(plan: StoragePlan, node: Node) -> None:
    storages, op = plan.storages, node.op
    bind_elements(plan, arguments_of(op, "inputs"), op.inputs)
    accumulators = arguments_of(op, "accs")
    for argument, operand in zip(accumulators, op.accs, strict=True):
        storages.join(argument, storages.of(operand), whole=True)
    visit_block(plan, node.regions[0])
    arrays = len(node.results) - len(accumulators)
    for number, result in enumerate(node.results[:arrays]):
        replaced = replaced_input(plan, node, result)
        if replaced is None:
            storages.fresh(result, node)
        else:
            storages.join(result, storages.of(replaced), whole=True)
        offer_row(plan, node, number, node.terminator)
        if replaced is not None:
            separate_early_rows(plan, node, [replaced], [result])
    for result, operand in zip(node.results[arrays:], op.accs, strict=True):
        storages.join(result, storages.of(operand), whole=True)


def bind_elements(plan: StoragePlan, elements: list[ir.Value], arrays: list[ir.Value]) -> None:
    """Rows handed to a body are parts of the arrays they come from."""
    for element, array in zip(elements, arrays, strict=True):
        if is_array(element):
            plan.storages.view(element, array)


def offer_row(plan: StoragePlan, node: Node, number: int, end: Node) -> None:
    if is_array(end.operands[number]):
        plan.storages.offer_sink(end.operands[number], Sink("row", node, number), end)


def visit_operator(
    plan: StoragePlan,
    node: Node,
    region: int,
    neutral: list[ir.Value],
    values: list[ir.Value],
    results: list[ir.Value | None],
) -> None:
    """A combining region on arrays: the running value takes over the neutral one's memory, the result the running's."""
    if not node.regions[region]:
        return
    storages = plan.storages
    running, elements = operator_arguments(node, region)
    for argument in running:
        if is_array(argument):
            storages.fresh(argument, node)
    bind_elements(plan, elements, values)
    visit_block(plan, node.regions[region])
    for number, (argument, result) in enumerate(zip(running, results, strict=True)):
        if is_array(argument):
            sink = Sink(f"running{region}", node, number)
            sink_running(plan, sink, argument, node.regions[region][-1])
            if storages.can_overwrite(node, neutral[number]):
                storages.merge(storages.of(argument), storages.of(neutral[number]), whole=True)
            if result is not None:
                storages.join(result, storages.of(argument), whole=True)


def sink_running(plan: StoragePlan, sink: Sink, running: ir.Value, end: Node) -> None:
    """Builds the combined array over the running one when it is read element by element where it is written.

    What is read through a slice, or turned around, is not where it is written.
    """
    storages = plan.storages
    value, own = end.operands[sink.number], plan.storages.of(running)
    source = storages.of(value)
    if source is own:
        return
    built = results_in(plan, source.home, source)
    if any(takes_part(plan, source.home, member) for member in own.members):
        return
    if reads_pointwise(plan, source.home, own.members, built) and storages.offer_sink(value, sink, end):
        separate_early_rows(plan, source.home, own.members, built)


def takes_part(plan: StoragePlan, node: Node, member: ir.Value) -> bool:
    """Whether an operation, or one inside it, looks at a part or rearrangement that was made outside of it."""
    if plan.storages.is_whole(member) or node.contains(plan.tree.definition[member]):
        return False
    return any(node.contains(use) for use in plan.tree.reads(member))


def visit_reduce(plan: StoragePlan, node: Node) -> None:
    visit_operator(plan, node, 0, node.op.neutral, node.op.inputs, list(node.results))


def visit_scan(plan: StoragePlan, node: Node) -> None:
    visit_operator(plan, node, 0, node.op.neutral, node.op.inputs, [None] * len(node.op.inputs))
    make_fresh(plan, node)


def visit_fused(plan: StoragePlan, node: Node) -> None:
    op = node.op
    bind_elements(plan, arguments_of(op, "inputs"), op.inputs)
    visit_block(plan, node.regions[0])
    reduced, scanned = len(op.reduce_neutral), len(op.scan_neutral)
    lifted = node.terminator.operands
    visit_operator(plan, node, 1, op.reduce_neutral, lifted[:reduced], list(node.results[:reduced]))
    visit_operator(plan, node, 2, op.scan_neutral, lifted[reduced : reduced + scanned], [None] * scanned)
    for number, result in enumerate(node.results[reduced:], reduced):
        plan.storages.fresh(result, node)
        if number >= reduced + scanned:
            offer_row(plan, node, number, node.terminator)


def visit_hist(plan: StoragePlan, node: Node) -> None:
    op = node.op
    for number, result in enumerate(node.results):
        update_operand(plan, node, 2 + number, result, frozenset())
    running, values = node.arguments()[: len(op.dests)], node.arguments()[len(op.dests) :]
    for argument, result in zip(running, node.results, strict=True):
        if is_array(argument):
            plan.storages.join(argument, plan.storages.of(result), whole=False)
    bind_elements(plan, values, op.values)
    visit_block(plan, node.regions[0])


def visit_fused_hist(plan: StoragePlan, node: Node) -> None:
    op = node.op
    for number, result in enumerate(node.results):
        update_operand(plan, node, 1 + len(op.inputs) + number, result, frozenset())
    bind_elements(plan, arguments_of(op, "inputs"), op.inputs)
    for nodes in node.regions:
        visit_block(plan, nodes)


def visit_with_acc(plan: StoragePlan, node: Node) -> None:
    storages, count = plan.storages, len(node.operands)
    for number, argument in enumerate(node.arguments()):
        if storages.can_overwrite(node, node.operands[number]):
            storages.join(argument, storages.of(node.operands[number]), whole=True)
        else:
            storages.fresh(argument, node)
    visit_block(plan, node.regions[0])
    for argument, result in zip(node.arguments(), node.results, strict=False):
        storages.join(result, storages.of(argument), whole=True)
    for number, result in enumerate(node.results[count:], count):
        value = node.terminator.operands[number]
        if is_accumulator(result):
            storages.join(result, storages.of(value), whole=True)
        elif is_array(result):
            storages.fresh(result, node)
            storages.offer_sink(value, Sink("branch", node, number), node.terminator)
