"""Maps whose iterations reduce rows, which teams of threads can share."""

from __future__ import annotations

from tapeless._mlir import ir
from tapeless.passes.ir.scopes import is_defined_outside
from tapeless.passes.lower.schedule.bodies import combines_scalars, is_scalar_code, lifts_plainly
from tapeless.passes.lower.schedule.symmetry import combines_freely
from tapeless.passes.lower.storage.aliasing import is_array
from tapeless.passes.lower.storage.tree import Node

REDUCTIONS = frozenset({"soac.reduce", "soac.fused"})
TURNED = frozenset({"soac.transpose", "tensor.extract_slice"})


def reduces_rows(node: Node) -> bool:
    """Whether a map makes numbers by scalar code and by reductions whose operands may change places, of plain code.

    What is reduced may be parts of rows, which are looked at where they lie.
    """
    inner = node.regions[0][:-1]
    sums = [each for each in inner if each.name in REDUCTIONS]
    others = [each for each in inner if each.name not in REDUCTIONS and each.name != "tensor.extract_slice"]
    is_plain = is_scalar_code(others, may_read=True) and not any(map(is_array, node.terminator.operands))
    return bool(sums) and is_plain and all(map(_reduces_freely, sums))


def knows_lengths(node: Node) -> bool:
    """Whether the lengths of the rows that such a map reduces are known before it."""
    sums = [each for each in node.regions[0][:-1] if each.name in REDUCTIONS]
    return all(is_defined_outside(each.op.width, node.op.operation) for each in sums)


def reduces_columns(node: Node) -> bool:
    """Whether one of the rows that such a map reduces is a column in memory."""
    return any(_reads_columns(node, each) for each in node.regions[0][:-1] if each.name in REDUCTIONS)


def _reads_columns(node: Node, inner: Node) -> bool:
    """Whether neighbouring elements of a row that an iteration reduces are not neighbours in memory."""
    rows = dict(zip(node.arguments()[1:], node.op.inputs, strict=True))
    sources = [rows[array] for array in inner.op.inputs if array in rows]
    if any(not isinstance(array.owner, ir.Block) and array.owner.operation.name in TURNED for array in sources):
        return True
    reads = [each for each in inner.regions[0] if each.name == "tensor.extract"]
    return any(each.operands[-1] == node.arguments()[0] for each in reads)


def _reduces_freely(node: Node) -> bool:
    if any(is_array(value) for value in node.results):
        return False
    if node.name == "soac.reduce":
        return combines_scalars(node, 0) and combines_freely(node, 0)
    is_plain = not len(node.op.scan_neutral) and len(node.results) == len(node.op.reduce_neutral)
    return is_plain and combines_scalars(node, 1) and combines_freely(node, 1) and lifts_plainly(node)
