"""Storages of single arrays: constants, views, element updates, results."""

from __future__ import annotations

from tapeless.passes.lower.storage.aliasing import StoragePlan, is_array, update_operand
from tapeless.passes.lower.storage.storage import Sink
from tapeless.passes.lower.storage.tree import Node


def make_constant(plan: StoragePlan, node: Node) -> None:
    if is_array(node.results[0]):
        plan.storages.fresh(node.results[0], node, writable=False, sinkable=False)


def make_view(plan: StoragePlan, node: Node) -> None:
    plan.storages.view(node.results[0], node.operands[0])


def make_cast(plan: StoragePlan, node: Node) -> None:
    source = node.operands[0]
    plan.storages.join(node.results[0], plan.storages.of(source), whole=plan.storages.is_whole(source))


def update_dest(plan: StoragePlan, node: Node) -> None:
    """What is written into is the second operand."""
    update_operand(plan, node, 1, node.results[0], frozenset())


def visit_update(plan: StoragePlan, node: Node) -> None:
    plan.storages.join(node.results[0], plan.storages.of(node.operands[0]), whole=True)


def visit_call(plan: StoragePlan, node: Node) -> None:
    """What a function leaves in the memory of an argument takes that over; other arrays are new."""
    taken = dict(plan.convention(node).in_place())
    for number, result in enumerate(node.results):
        if number in taken:
            update_operand(plan, node, taken[number], result, frozenset())
        elif is_array(result):
            plan.storages.fresh(result, node)


def visit_return(plan: StoragePlan, node: Node) -> None:
    """Results are built where they are handed over, but for those that stay where an argument was."""
    staying = set() if plan.own is None else {result for result, _ in plan.own.in_place()}
    for number, value in enumerate(node.operands):
        if is_array(value) and number not in staying:
            sink = Sink("out", node, number)
            if not plan.storages.offer_sink(value, sink, node):
                plan.storages.offer_turned_sink(value, sink, node)
