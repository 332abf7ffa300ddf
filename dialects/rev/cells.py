"""Cells: their types, the cell behind a view, and the cells that a region reads and writes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from tapeless._mlir import ir
from tapeless.dialects.array_types import array_type
from tapeless.dialects.rev.dialect import Operation
from tapeless.dialects.verification import Problems

VIEWS = frozenset({"rev.view", "memref.subview", "memref.cast"})
MEMREF_READS = frozenset({"memref.load"})


def is_fixed(element: ir.Type) -> bool:
    """Whether cells of an element type hold fixed-point numbers, `si64`: multiples of 2**-43, read as `f64`."""
    return isinstance(element, ir.IntegerType) and element.is_signed and element.width == 64


def holds_fixed(type_: ir.Type) -> bool:
    """Whether a type is that of a cell of fixed-point numbers."""
    return is_cell(type_) and is_fixed(type_.element_type)


def is_cell(type_: ir.Type) -> bool:
    """Whether a type is that of a cell."""
    return isinstance(type_, ir.MemRefType)


def value_type(cell: ir.MemRefType, indices: int = 0) -> ir.Type:
    """The type of a read from a cell at that many leading indices: a scalar, or a tensor of the remaining axes."""
    element = ir.F64Type.get(cell.context) if is_fixed(cell.element_type) else cell.element_type
    return element if indices == cell.rank else array_type(cell.shape[indices:], element)


def same_shape(a: ir.MemRefType, b: ir.MemRefType) -> bool:
    """Whether two cells hold values of the same type."""
    return a.shape == b.shape and a.element_type == b.element_type


def base(value: ir.Value) -> ir.Value:
    """The cell that a view looks into."""
    while isinstance(value.owner, ir.Operation | ir.OpView) and value.owner.name in VIEWS:
        value = value.owner.operands[0]
    return value


def operations_in(region: ir.Region) -> Iterator[ir.OpView]:
    """All operations of a region, at any depth, outer ones first."""
    for block in region.blocks:
        for op in block.operations:
            yield op
            for inner in op.operation.regions:
                yield from operations_in(inner)


def written(region: ir.Region) -> set[ir.Value]:
    """The cells that a region changes, as bases."""
    ours = (op for op in operations_in(region) if isinstance(op, Operation))
    return {base(cell) for op in ours for cell in op.written_cells()}


def read(region: ir.Region) -> set[ir.Value]:
    """The cells that a region reads, as bases."""
    return {base(cell) for op in operations_in(region) for cell in _cells_read_by(op)}


def _cells_read_by(op: ir.OpView) -> Sequence[ir.Value]:
    if isinstance(op, Operation):
        return op.read_cells()
    return [op.operation.operands[0]] if op.operation.name in MEMREF_READS else ()


def cell_problems(name: str, type_: ir.Type) -> Problems:
    """A type must be that of a cell."""
    if not is_cell(type_):
        yield f"has {name} of type {type_}; give a cell, a memref"


def float_cell_problems(name: str, type_: ir.Type) -> Problems:
    """A type must be that of a cell of floats."""
    yield from cell_problems(name, type_)
    if not isinstance(type_.element_type, ir.F64Type | ir.F32Type):
        yield f"has {name} of type {type_}; give a cell of f64 or f32"


def index_problems(cell: ir.MemRefType, indices: Sequence[ir.Value]) -> Problems:
    """There must be at most as many indices as axes."""
    if len(indices) > cell.rank:
        yield f"has {len(indices)} indices into {cell}; give at most {cell.rank}"
