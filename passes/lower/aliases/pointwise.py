"""Maps that read an array only at the element they are about to write, so that they can write over it."""

from __future__ import annotations

from tapeless._mlir import ir
from tapeless.passes.lower.aliasing import Plan, is_array
from tapeless.passes.lower.storage import Storage
from tapeless.passes.lower.tree import Node


def reads_pointwise(plan: Plan, node: Node, members: list[ir.Value]) -> bool:
    """Whether a nest of maps reads these arrays only at the element it is about to write."""
    if node.name != "soac.map" or node.op.accs:
        return False
    for member in members:
        for use in plan.tree.reads(member):
            if node.contains(use) and not (use is node and element_is_pointwise(plan, node, member)):
                return False
            if use.position > node.end and node.parent is not None and node.parent.contains(use):
                return False
    return True


def element_is_pointwise(plan: Plan, node: Node, array: ir.Value) -> bool:
    """Whether what a map does with the elements of one of its inputs is pointwise in turn."""
    for argument, value in zip(node.arguments()[1:], node.op.inputs, strict=False):
        if value == array and is_array(argument):
            uses = set(plan.tree.reads(argument))
            if not all(use.parent is node and reads_pointwise(plan, use, [argument]) for use in uses) or len(uses) > 1:
                return False
    return True


def pointwise_nest(plan: Plan, node: Node, arrays: list[ir.Value], whole: Storage) -> list[Node] | None:
    """The nest of maps that read these parts of a storage pointwise, if their inputs hold no other part of it."""
    nest = [node]
    inputs = node.op.inputs
    if any(plan.storages.of(value) is whole and value not in arrays for value in inputs):
        return None
    if not all(element_is_pointwise(plan, node, array) for array in arrays):
        return None
    rows = [row for row, value in zip(node.arguments()[1:], inputs, strict=False) if value in arrays and is_array(row)]
    for inner in {use for row in rows for use in plan.tree.reads(row)}:
        below = pointwise_nest(plan, inner, rows, whole)
        if below is None:
            return None
        nest += below
    return nest
