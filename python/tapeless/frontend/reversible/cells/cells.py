"""Meanings of names of a procedure: cells, parts of them, temporaries that are recomputed where they are used."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from dataclasses import field

from tapeless._mlir import ir
from tapeless.abi import LONGEST_AXIS
from tapeless.dataclasses_on_use import dataclass
from tapeless.frontend.indexing import slices
from tapeless.frontend.indexing.slices import Span
from tapeless.frontend.values import integers
from tapeless.frontend.values.affine import Affine
from tapeless.frontend.values.builder import Builder, Types
from tapeless.frontend.values.value import Scalar
from tapeless.number_types import number_of, read_as
from tapeless.types import ScalarType


@dataclass(eq=False)
class Cell:
    """A parameter or an ancilla: a memref, of rank 0 for a scalar.

    An integer that is only read has a `constant`, its value for the whole procedure.
    """

    name: str
    dtype: ScalarType
    dims: tuple[Affine, ...]
    ssa: ir.Value
    is_read_only: bool = False
    constant: Scalar | None = None

    @property
    def rank(self) -> int:
        return len(self.dims)

    def whole(self) -> Place:
        """All of it."""
        return Place(self, tuple(slices.whole(size) for size in self.dims))


@dataclass(frozen=True)
class Place:
    """A part of a cell: one span per axis."""

    cell: Cell
    spans: tuple[Span, ...]

    @property
    def dims(self) -> tuple[Affine, ...]:
        return tuple(span.size for span in self.spans if not span.dropped)

    @property
    def leading(self) -> list[Affine] | None:
        """The positions of the leading axes, when all that follow are taken whole."""
        count = next((axis for axis, span in enumerate(self.spans) if not span.dropped), len(self.spans))
        rest = zip(self.spans[count:], self.cell.dims[count:], strict=True)
        is_whole = all(span.is_whole_of(size) for span, size in rest)
        return [span.offset for span in self.spans[:count]] if is_whole else None


@dataclass(frozen=True)
class Access:
    """A place that is read or written, and the node that says so."""

    place: Place
    node: ast.AST


@dataclass(eq=False)
class Temporary:
    """A name for an expression, or for an item of a tuple: recomputed at every use, as long as its operands stay."""

    name: str
    node: ast.expr
    item: int | None
    reads: Sequence[Access]
    since: int


@dataclass(eq=False)
class Stack:
    """A stack of scalars."""

    name: str
    dtype: ScalarType
    ssa: ir.Value


class Gone:
    """The meaning of a name whose block has ended."""


Named = Cell | Stack | Temporary | Gone


@dataclass
class Effects:
    """The reads and writes of statements, and the temporaries from before them that they use, in order."""

    reads: list[Access] = field(default_factory=list)
    writes: list[Access] = field(default_factory=list)
    used: list[tuple[Temporary, ast.AST]] = field(default_factory=list)

    def include(self, inner: Effects) -> None:
        self.reads += inner.reads
        self.writes += inner.writes
        self.used += inner.used


def element_type(types: Types, dtype: ScalarType) -> ir.Type:
    """The element type of cells: on the grid of fixed-point numbers `si64`, which nothing else uses."""
    number = number_of(dtype)
    if number is not None and number.is_on_grid:
        return ir.IntegerType.get_signed(64)
    return types.scalars[read_as(dtype)]


def cell_type(types: Types, dtype: ScalarType, dims: Sequence[Affine]) -> ir.MemRefType:
    """The type of a cell; sizes that are constant are static."""
    sizes = [size.constant if size.is_constant else types.dynamic for size in dims]
    return ir.MemRefType.get(sizes, element_type(types, dtype), loc=types.unknown)


def size_of(builder: Builder, cell: ir.Value, axis: int) -> Affine:
    """The size of an axis of a cell, read from it unless its type says."""
    size = cell.type.shape[axis]
    if size != builder.types.dynamic:
        return Affine(size)
    value = builder.value("memref.dim", builder.types.index, [cell, builder.index(axis)])
    return integers.opaque(builder, value, lower=(Affine(0),), upper=(Affine(LONGEST_AXIS),))
