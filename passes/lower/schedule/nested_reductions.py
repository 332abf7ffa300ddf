"""Reductions in one another that combine alike, which are one reduction over all elements."""

from __future__ import annotations

from tapeless.passes.ir.scopes import is_defined_outside
from tapeless.passes.lower.schedule.bodies import combines_in_any_order, is_plain
from tapeless.passes.lower.storage.aliasing import StoragePlan, is_array
from tapeless.passes.lower.storage.storage import Sink
from tapeless.passes.lower.storage.tree import Node

COMBINES = {"soac.reduce": 0, "soac.fused": 1}
# So many operations between two reductions are repeated for every element.
MOST_REPEATED = 8


def nest_of(plan: StoragePlan, node: Node) -> list[Node]:
    """The largest nest inside of a reduction whose widths are known before it, outer ones first."""
    nodes = [node]
    while (inner := _inner(plan, node, nodes[-1])) is not None:
        nodes.append(inner)
    return nodes[1:]


def _inner(plan: StoragePlan, outermost: Node, outer: Node) -> Node | None:
    """The reduction of which another one combines the results, in the same way and element by element."""
    operators = [node for node in outer.regions[0][:-1] if node.regions]
    if outer.name != "soac.fused" or len(operators) != 1 or operators[0].name not in COMBINES:
        return None
    inner, between = operators[0], [node for node in outer.regions[0][:-1] if not node.regions]
    if len(between) > MOST_REPEATED or not all(map(is_plain, between)):
        return None
    if not is_defined_outside(inner.op.width, outermost.op.operation) or _has_prefixes(inner):
        return None
    yielded = outer.terminator.operands
    alike = _combination(outer)
    if yielded != inner.results or alike is None or _combination(inner) != alike:
        return None
    reduced = sum(not is_array(value) for value in yielded)
    are_in_place = all(
        plan.storages.memory(value).sink == Sink("row", outer, number)
        for number, value in enumerate(yielded)
        if number >= reduced
    )
    return inner if are_in_place else None


def _has_prefixes(node: Node) -> bool:
    return node.name == "soac.fused" and len(node.op.scan_neutral) > 0


def _combination(node: Node) -> tuple[str, ...] | None:
    """The operations by which a reduction combines its components, each free in its order."""
    region = COMBINES[node.name]
    nodes = node.regions[region]
    if not nodes or not combines_in_any_order(node, region):
        return None
    makers = {inner.results[0]: inner.name for inner in nodes[:-1]}
    return tuple(makers[value] for value in nodes[-1].operands)
