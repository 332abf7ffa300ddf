"""Maps that read an array only at the element they are about to write, so that they can write over it."""

from __future__ import annotations

from tapeless._mlir import ir
from tapeless.passes.lower.aliasing import Plan, is_array
from tapeless.passes.lower.tree import Node


def reads_pointwise(plan: Plan, node: Node, members: list[ir.Value]) -> bool:
    """Whether a nest of maps reads these arrays only at the element it is about to write."""
    if node.name != "soac.map" or node.op.accs:
        return False
    for member in members:
        for use in plan.tree.reads(member):
            if node.contains(use) and not (use is node and element_is_pointwise(plan, node, member)):
                return False
            if use.position > node.end and node.parent.contains(use):
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
