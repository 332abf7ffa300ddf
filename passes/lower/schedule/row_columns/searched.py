"""Which maps search for the destinations of the rows that they add, all in one launch."""

from __future__ import annotations

from collections.abc import Sequence

from tapeless._mlir import ir
from tapeless.passes.ir.scopes import is_defined_outside
from tapeless.passes.ir.sizes.shapes import scalar_size, size_of
from tapeless.passes.lower.schedule.kinds import OPERATORS
from tapeless.passes.lower.schedule.row_columns.adding_maps import row_maps
from tapeless.passes.lower.schedule.row_columns.even import Rows
from tapeless.passes.lower.schedule.row_columns.handing import handed_by
from tapeless.passes.lower.storage.aliasing import is_accumulator, is_array
from tapeless.passes.lower.storage.tree import Node, Tree


def searches_of(node: Node) -> list[Node]:
    """The operators in the body of a map that leave numbers, and add nothing."""
    return [each for each in node.regions[0] if each.name in OPERATORS and not len(getattr(each.op, "accs", ()))]


def searched_maps(tree: Tree, node: Node) -> list[Node]:
    """The maps over elements of rows in a map with accumulators that searches, then adds rows, and does just that.

    Some input has rows that are as long as those that are added.
    """
    *body, _ = node.regions[0]
    nodes = searches_of(node)
    if not nodes or any(is_array(value) for each in nodes for value in each.results):
        return []
    if any(each.regions and each not in nodes for each in body[: body.index(nodes[-1])]):
        return []
    inner = row_maps(node, apart=nodes)
    if not inner or not read_rows(node, inner):
        return []
    return inner if handed_by(tree, node, nodes, Rows(inner, guard_of(node, inner))) is not None else []


def guard_of(node: Node, inner: Sequence[Node]) -> Node | None:
    """The branch in which all rows are added, if its condition is known before the map and it does nothing else."""
    around = [each for each in node.regions[0] if each.name == "scf.if"]
    if len(around) != 1 or not all(around[0].contains(each) for each in inner):
        return None
    (branch,) = around
    is_plain = all(map(is_accumulator, branch.results)) and all(len(nodes) < 2 for nodes in branch.regions[1:])
    return branch if is_plain and is_defined_outside(branch.operands[0], node.op.operation) else None


def dest_of(acc: ir.Value) -> ir.Value | None:
    """The array that a sum starts from."""
    holder = acc.owner.owner if isinstance(acc, ir.BlockArgument) else None
    return holder.operands[acc.arg_number] if holder is not None and holder.operation.name == "soac.with_acc" else None


def read_rows(node: Node, inner: Sequence[Node]) -> list[tuple[ir.Value, ir.Value]]:
    """The inputs with rows that are as long as those that are added, and the arguments that are such a row."""
    length = scalar_size(inner[0].op.width)
    pairs = zip(node.arguments()[1:], node.op.inputs, strict=False)
    return [
        (argument, array)
        for argument, array in pairs
        if array.type.rank == 2 and any(argument.uses) and size_of(array, 1) == length
    ]
