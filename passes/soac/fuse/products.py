"""Matrix products among loops: nests that are worth keeping apart from their surroundings.

A map over rows around a map over columns around a sum, which reads a matrix again in every row, runs several rows
together if it is alone (`docs/vectorising.md`). Merged with another loop over rows it would share the read of a row at
most, and what it passes on need not be stored: both are little beside a sum per element.
"""

from __future__ import annotations

from collections.abc import Iterator

from tapeless._mlir import ir
from tapeless.dialects.regions import terminator
from tapeless.passes.ir.array_loops import Loop, is_in_operator
from tapeless.passes.ir.scopes import is_defined_outside
from tapeless.passes.ir.sizes.equal_sizes import EqualSizes
from tapeless.passes.ir.sizes.sizes import constant_int

SUMS = frozenset({"soac.reduce", "soac.fused"})
MOST_OPERATIONS = 12
NARROW = 16
"""Maps, and sums in them, of which neither has so many iterations run as well merged (as measured, on f32 and f64)."""


def parts_product(first: Loop, second: Loop, equal: EqualSizes) -> bool:
    """Whether merging two loops would leave one that holds a product of matrices and something else.

    In the body of another operator that does not count: it is that operator's iterations which run together.
    """
    if is_in_operator(first.op):
        return False
    if _levels(second, equal):
        return True
    levels = _levels(first, equal)
    return bool(levels) and not _works_on_elements(second, first, levels, equal)


def _levels(loop: Loop, equal: EqualSizes) -> list[ir.OpView]:
    """The maps in a product of matrices or a batch of such, outer ones first; none if the loop is something else.

    The elements of the product may pass through more maps.
    """
    if loop.op.operation.name != "soac.map" or loop.accs:
        return []
    inner, *later = _operators(loop.lift) or [None]
    if inner is None or inner.operation.name != "soac.map" or len(inner.accs):
        return []
    is_product = _is_product(loop, inner)
    deeper = [] if is_product or _is_narrow(inner) else _levels(Loop.seen_as(inner), equal)
    if not deeper and not is_product:
        return []
    levels = [inner, *deeper]
    return levels if all(_passes_on(each, levels, equal) for each in later) else []


def _is_product(rows: Loop, columns: ir.OpView) -> bool:
    """Whether a map in a map takes sums of products with a matrix that does not depend on the row."""
    sums = _operators(columns.regions[0])
    if not any(each.operation.name in SUMS for each in sums) or any(_is_small(columns, each) for each in sums):
        return False
    if any(_operators(region) for each in sums for region in each.regions) or _stores_summands(columns):
        return False
    operations = [columns, *_nested(columns)]
    return len(operations) <= MOST_OPERATIONS and _reads_matrix(operations, rows.op)


def _works_on_elements(consumer: Loop, product: Loop, levels: list[ir.OpView], equal: EqualSizes) -> bool:
    """Whether a loop computes only with the single elements of a product, so that it can be merged into all levels."""
    if consumer.op.operation.name != "soac.map" or consumer.accs:
        return False
    inner, *others = _operators(consumer.lift) or [None]
    if inner is None or others or not _is_elementwise(inner, levels, equal):
        return False
    rows = dict(zip(consumer.inputs, consumer.elements, strict=True))
    made = [rows[array] for array in rows if array in product.mapped]
    return bool(made) and all(row in inner.inputs for row in made)


def _is_elementwise(op: ir.OpView, levels: list[ir.OpView], equal: EqualSizes) -> bool:
    """Whether an operator is a nest of maps of the same widths as these, and computes scalars only."""
    level, *deeper = levels
    if op.operation.name != "soac.map" or len(op.accs) or not equal.are_same(op.width, level.width):
        return False
    inner = _operators(op.regions[0])
    if not deeper:
        return not inner
    return len(inner) == 1 and _is_elementwise(inner[0], deeper, equal)


def _passes_on(op: ir.OpView, levels: list[ir.OpView], equal: EqualSizes) -> bool:
    """Whether an operator maps single elements that operators beside it make."""
    makers = [value.owner for value in op.operands if not isinstance(value, ir.BlockArgument)]
    beside = any(maker.operation.block == op.operation.block and len(maker.regions) for maker in makers)
    return beside and _is_elementwise(op, levels, equal)


def _operators(region: ir.Region) -> list[ir.OpView]:
    return [op for block in region.blocks for op in block.operations if len(op.regions)]


def _nested(op: ir.OpView) -> Iterator[ir.OpView]:
    for region in op.regions:
        for block in region.blocks:
            for inner in block.operations:
                if inner.operation.name != "soac.yield":
                    yield inner
                yield from _nested(inner)


def _stores_summands(columns: ir.OpView) -> bool:
    """Whether a map hands out arrays as elements: stored, one number per product takes longer than what tiles save."""
    return any(isinstance(each.type, ir.RankedTensorType) for each in terminator(columns.regions[0]).operands)


def _is_small(columns: ir.OpView, total: ir.OpView) -> bool:
    """Whether a map and a sum in it are both known to have few iterations."""
    return _is_narrow(columns) and _is_narrow(total)


def _is_narrow(op: ir.OpView) -> bool:
    """Whether a loop is known to have few iterations."""
    width = constant_int(op.operands[0])
    return width is not None and width < NARROW


def _reads_matrix(operations: list[ir.OpView], rows: ir.OpView) -> bool:
    """Whether some operation reads a matrix that does not depend on the row."""
    values = [value for op in operations for value in op.operands]
    matrices = [value for value in values if isinstance(value.type, ir.RankedTensorType) and value.type.rank > 1]
    return any(is_defined_outside(value, rows.operation) for value in matrices)
