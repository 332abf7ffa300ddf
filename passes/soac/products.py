"""Products of matrices among loops: nests that are worth keeping apart from what is around them.

A map over rows around a map over columns around a sum, which reads a matrix again in every row, runs several rows
together if it is alone (`docs/vectorising.md`). Merged with another loop over rows it would share the read of a row at
most, and what it passes on need not be stored: both are little beside a sum per element.
"""

from __future__ import annotations

from collections.abc import Iterator

from tapeless._mlir import ir

from .equal_sizes import EqualSizes
from .loops import Loop
from .scopes import is_defined_outside
from .sizes import constant_int

SUMS = frozenset({"soac.reduce", "soac.fused"})
MOST_OPERATIONS = 12
FEWEST_COLUMNS = 16


def parts_product(first: Loop, second: Loop, equal: EqualSizes) -> bool:
    """Whether merging two loops would leave one that holds a product of matrices and something else."""
    if _columns(second, equal) is not None:
        return True
    columns = _columns(first, equal)
    return columns is not None and not _works_on_elements(second, first, columns, equal)


def _columns(loop: Loop, equal: EqualSizes) -> ir.OpView | None:
    """The map over columns of a product of matrices, if the loop is one; its elements may pass through more maps."""
    if loop.op.operation.name != "soac.map" or loop.accs:
        return None
    inner, *later = _operators(loop.lift) or [None]
    if inner is None or inner.operation.name != "soac.map" or len(inner.accs) or _is_narrow(inner):
        return None
    if not all(_passes_on(each) and equal.are_same(each.width, inner.width) for each in later):
        return None
    sums = _operators(inner.regions[0])
    if not any(each.operation.name in SUMS for each in sums) or any(_is_narrow(each) for each in sums):
        return None
    if any(_operators(region) for each in sums for region in each.regions):
        return None
    operations = [inner, *_nested(inner)]
    return inner if len(operations) <= MOST_OPERATIONS and _reads_matrix(operations, loop.op) else None


def _works_on_elements(consumer: Loop, product: Loop, columns: ir.OpView, equal: EqualSizes) -> bool:
    """Whether a loop computes only with the single elements of a product, so that it can be merged into all levels."""
    if consumer.op.operation.name != "soac.map" or consumer.accs:
        return False
    inner, *others = _operators(consumer.lift) or [None]
    if inner is None or others or not _is_elementwise(inner):
        return False
    rows = dict(zip(consumer.inputs, list(consumer.lift.blocks[0].arguments)[1:], strict=True))
    made = [rows[array] for array in rows if array in product.mapped]
    return bool(made) and all(row in inner.inputs for row in made) and equal.are_same(inner.width, columns.width)


def _is_elementwise(op: ir.OpView) -> bool:
    return op.operation.name == "soac.map" and not len(op.accs) and not _operators(op.regions[0])


def _passes_on(op: ir.OpView) -> bool:
    """Whether an operator maps single elements that operators beside it make."""
    if not _is_elementwise(op):
        return False
    makers = [value.owner for value in op.inputs if not isinstance(value, ir.BlockArgument)]
    return any(maker.operation.block == op.operation.block and len(maker.regions) for maker in makers)


def _operators(region: ir.Region) -> list[ir.OpView]:
    return [op for block in region.blocks for op in block.operations if len(op.regions)]


def _nested(op: ir.OpView) -> Iterator[ir.OpView]:
    for region in op.regions:
        for block in region.blocks:
            for inner in block.operations:
                if inner.operation.name != "soac.yield":
                    yield inner
                yield from _nested(inner)


def _is_narrow(op: ir.OpView) -> bool:
    """Whether a loop is known to have few iterations."""
    width = constant_int(op.operands[0])
    return width is not None and width < FEWEST_COLUMNS


def _reads_matrix(operations: list[ir.OpView], rows: ir.OpView) -> bool:
    """Whether some operation reads a matrix that does not depend on the row."""
    values = [value for op in operations for value in op.operands]
    matrices = [value for value in values if isinstance(value.type, ir.RankedTensorType) and value.type.rank > 1]
    return any(is_defined_outside(value, rows.operation) for value in matrices)
