"""Maps that write over one of the arrays they read, element by element, because nothing needs that afterwards."""

from __future__ import annotations

from collections.abc import Iterator

from tapeless._mlir import ir
from tapeless.passes.ir.regions.structure import arguments_of
from tapeless.passes.lower.storage.aliases.pointwise import reads_pointwise
from tapeless.passes.lower.storage.aliasing import StoragePlan
from tapeless.passes.lower.storage.tree import Node

UPDATES = frozenset({"tensor.insert", "tensor.insert_slice"})
"""What hands on its second operand with some elements changed."""


def replaced_input(plan: StoragePlan, node: Node, result: ir.Value) -> ir.Value | None:
    """An array that nothing needs once a map has read its elements: each gives way to one of the result."""
    alike = [array for array in dict.fromkeys(node.op.inputs) if array.type == result.type]
    for array in alike:
        if array.type.rank == 1 and is_made_beside(plan, node, array) and plan.storages.can_overwrite(node, array):
            return array
    there = [*carried_there(plan, node, result, alike), *chosen_instead(plan, node, result, alike)]
    return next((array for array in there if gives_way(plan, node, array)), None)


def is_made_beside(plan: StoragePlan, node: Node, array: ir.Value) -> bool:
    """Whether an operator in the same block made an array in memory of its own."""
    made = plan.tree.definition[array]
    return made.name.startswith("soac.") and made.same_block(node) and plan.storages.of(array).home is made


def carried_there(plan: StoragePlan, node: Node, result: ir.Value, arrays: list[ir.Value]) -> Iterator[ir.Value]:
    """Of some arrays, those that the loop around carries, if it hands on what the map makes; its next value first."""
    loop = node.parent
    carried = [array for array in arrays if plan.storages.of(array).home is loop]
    number = number_handed_on(plan, node, result) if carried else None
    if loop is None or number is None:
        return
    own = plan.storages.of(carried_by(loop)[number])
    yield from sorted(carried, key=lambda array: plan.storages.of(array) is not own)


def chosen_instead(plan: StoragePlan, node: Node, result: ir.Value, arrays: list[ir.Value]) -> list[ir.Value]:
    """Of arrays made beside a branch, those that its other way leaves as they are where this one gives the result.

    Written over here, they are in the place of the result either way.
    """
    branch = node.parent
    if branch is None or branch.name != "scf.if" or not all(branch.regions):
        return []
    here, other = (branch.regions[region][-1].operands for region in (node.region, 1 - node.region))
    left = {other[number] for number, value in enumerate(here) if value == result}
    return [array for array in arrays if array in left and is_own_beside(plan, branch, array)]


def is_own_beside(plan: StoragePlan, branch: Node, array: ir.Value) -> bool:
    """Whether an array was made in front of a branch, in memory of its own."""
    made = plan.tree.definition.get(array)
    return made is not None and made.same_block(branch) and plan.storages.of(array).home is made


def carried_by(loop: Node) -> list[ir.Value]:
    return arguments_of(loop.op, "carried") if loop.name == "scf.for" else loop.arguments(0)


def number_handed_on(plan: StoragePlan, node: Node, value: ir.Value) -> int | None:
    """Which of the arrays that a loop carries a value becomes, perhaps with changed elements."""
    loop = node.parent
    if loop is None or loop.name not in ("scf.for", "scf.while") or node.region != len(loop.regions) - 1:
        return None
    end = loop.regions[node.region][-1]
    following: ir.Value | None = value
    while following is not None:
        value = following
        if value in end.operands:
            return end.operands.index(value)
        updates = [use for use in plan.tree.uses[value] if use.name in UPDATES and use.operands[1] == value]
        following = next((use.results[0] for use in updates if use.parent is loop), None)
    return None


def gives_way(plan: StoragePlan, node: Node, array: ir.Value) -> bool:
    """Whether each element of an array, of any rank, is last read by the iteration that makes the one in its place."""
    storages = plan.storages

    def is_inside(member: ir.Value) -> bool:
        return isinstance(member, ir.BlockArgument) and node.contains(plan.tree.definition[member])

    members = [member for member in storages.of(array).members if not is_inside(member)]
    if array.type.rank > 1 and not reads_pointwise(plan, node, members, node.results):
        return False
    return storages.can_overwrite(node, array, beside=is_inside)
