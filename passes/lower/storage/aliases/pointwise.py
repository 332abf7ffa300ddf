"""Maps that read an array only at the element they are about to write, so that they can write over it.

Note [Rows that begin early]: a map that makes rows writes a row from the first operation on that works in its memory.
In `acc[b] += e + tl.sum(e, axis=1)[:, None]` that is the loop that makes a row of `e` while it sums it up: the addition
takes over that memory, and with the row built in `acc` it would add to what was just overwritten. Before such a nest
may write over what it reads, the addition is given memory of its own, the row of `acc`, and `e` is made elsewhere.
"""

from __future__ import annotations

from collections.abc import Iterator

from tapeless._mlir import ir
from tapeless.passes.ir.regions.structure import arguments_of
from tapeless.passes.lower.storage.aliasing import StoragePlan, is_array
from tapeless.passes.lower.storage.storage import Storage
from tapeless.passes.lower.storage.tree import Node


def reads_pointwise(plan: StoragePlan, node: Node, members: list[ir.Value], built: list[ir.Value]) -> bool:
    """Whether a nest of maps reads these arrays only at the element of its results `built` that it writes next."""
    if node.name != "soac.map" or node.op.accs:
        return False
    for member in members:
        for use in plan.tree.reads(member):
            if node.contains(use) and not (use is node and element_is_pointwise(plan, node, member, built)):
                return False
            if use.position > node.end and node.parent is not None and node.parent.contains(use):
                return False
    return True


def element_is_pointwise(plan: StoragePlan, node: Node, array: ir.Value, built: list[ir.Value]) -> bool:
    """Whether what a map does with the elements of one of its inputs is pointwise in turn."""
    for argument, value in zip(arguments_of(node.op, "inputs"), node.op.inputs, strict=True):
        if value == array and is_array(argument):
            uses = set(plan.tree.reads(argument))
            if len(uses) > 1 or not all(row_is_pointwise(plan, node, argument, use, built) for use in uses):
                return False
    return True


def row_is_pointwise(plan: StoragePlan, node: Node, row: ir.Value, use: Node, built: list[ir.Value]) -> bool:
    """Whether the one operation that reads a row does so element by element, before anything is written there."""
    early = early_rows(plan, node, built, use)
    if use.parent is not node or not all(value in use.results and plan.storages.can_separate(value) for value in early):
        return False
    return reads_pointwise(plan, use, [row], rows_built_by(plan, node, built, use))


def early_rows(plan: StoragePlan, node: Node, built: list[ir.Value], use: Node) -> list[ir.Value]:
    """The rows whose memory is written before `use` runs."""
    homes = [(row, plan.storages.of(row).home) for row in rows_of(node, built)]
    return [row for row, home in homes if node.contains(home) and home.position < use.position]


def rows_of(node: Node, built: list[ir.Value]) -> list[ir.Value]:
    """The rows of some results of a map."""
    pairs = zip(node.results, node.terminator.operands, strict=False)
    return [row for result, row in pairs if result in built and is_array(row)]


def rows_built_by(plan: StoragePlan, node: Node, built: list[ir.Value], maker: Node) -> list[ir.Value]:
    """The results of an operation in a map that lie in the memory of the map's own rows."""
    return [each for row in rows_of(node, built) for each in results_in(plan, maker, plan.storages.of(row))]


def results_in(plan: StoragePlan, node: Node, storage: Storage) -> list[ir.Value]:
    """The results of an operation that lie in a storage."""
    return [value for value in node.results if is_array(value) and plan.storages.of(value) is storage]


def pointwise_nest(
    plan: StoragePlan, node: Node, arrays: list[ir.Value], built: list[ir.Value], whole: Storage
) -> list[Node] | None:
    """The nest of maps that read these parts of a storage pointwise, if their inputs hold no other part of it."""
    nest = [node]
    inputs = node.op.inputs
    if any(plan.storages.of(value) is whole and value not in arrays for value in inputs):
        return None
    if not all(element_is_pointwise(plan, node, array, built) for array in arrays):
        return None
    rows = rows_read(node, arrays)
    for inner in {use for row in rows for use in plan.tree.reads(row)}:
        below = pointwise_nest(plan, inner, rows, rows_built_by(plan, node, built, inner), whole)
        if below is None:
            return None
        nest += below
    return nest


def rows_read(node: Node, arrays: list[ir.Value]) -> list[ir.Value]:
    """The arguments of a map that are rows of these arrays."""
    if not arrays:
        return []
    pairs = zip(arguments_of(node.op, "inputs"), node.op.inputs, strict=True)
    return [row for row, array in pairs if array in arrays and is_array(row)]


def separate_early_rows(plan: StoragePlan, node: Node, arrays: list[ir.Value], built: list[ir.Value]) -> None:
    """Gives the rows of a pointwise nest that begin too early memory of their own."""
    for value, maker in list(_rows_to_separate(plan, node, arrays, built)):
        plan.storages.separate(value, maker)


def _rows_to_separate(
    plan: StoragePlan, node: Node, arrays: list[ir.Value], built: list[ir.Value]
) -> Iterator[tuple[ir.Value, Node]]:
    rows = rows_read(node, arrays)
    for inner in {use for row in rows for use in plan.tree.reads(row)}:
        yield from ((value, inner) for value in early_rows(plan, node, built, inner))
        yield from _rows_to_separate(plan, inner, rows, rows_built_by(plan, node, built, inner))
