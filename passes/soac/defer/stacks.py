"""Arrays of all iterations of a loop one behind the other: kept by the loop, or there already."""

from __future__ import annotations

from collections.abc import Sequence

from tapeless._mlir import arith, ir, tensor
from tapeless.dataclasses_on_use import dataclass
from tapeless.dialects.array_types import DYNAMIC
from tapeless.passes.ir.build import dim
from tapeless.passes.ir.places.places import Place
from tapeless.passes.ir.rows import slice_of, with_slice
from tapeless.passes.ir.scopes import is_defined_outside
from tapeless.passes.ir.sizes.shapes import dim_of
from tapeless.passes.ir.sizes.sizes import as_value
from tapeless.passes.soac.defer.positions import direction_of

VIEWS = frozenset({"tensor.extract_slice", "soac.transpose", "soac.reverse"})
Sizes = list[ir.Value | int]


@dataclass(frozen=True)
class Stored:
    """An array of the iteration that is a row, or a row of rows, of one from before the loop."""

    part: ir.Value
    source: ir.Value
    position: ir.Value
    direction: int

    @staticmethod
    def of(part: ir.Value, loop: ir.OpView) -> Stored | None:
        """The rows that a read takes of an array from before: all that one index of the first axis selects."""
        if part.owner.operation.name != "tensor.extract_slice":
            return None
        place = Place.of(part.owner)
        source, rank = place.array, len(place.ranges)
        is_view = isinstance(source, ir.OpResult) and source.owner.operation.name in VIEWS
        if is_view or not is_defined_outside(source, loop.operation) or place.kept != list(range(1, rank)):
            return None
        position = place.ranges[0].offset
        direction = direction_of(position, loop)
        if direction is None or not all(place.is_whole_along(axis) for axis in range(1, rank)):
            return None
        return Stored(part, source, position, direction)

    def rows(self) -> ir.Value:
        """The whole array without its first axis: the rows of all iterations, behind each other."""
        sizes = [dim(self.source, axis) for axis in range(self.source.type.rank)]
        kept = [arith.muli(sizes[0], sizes[1]), *sizes[2:]]
        type_ = ir.RankedTensorType.get([len(kept)], ir.IndexType.get())
        return tensor.reshape(stack_type(self.part), self.source, tensor.from_elements(type_, kept))

    def below(self) -> Sizes:
        """The sizes of a row, numbers where the type has them."""
        shape = self.part.type.shape
        return [dim(self.source, axis + 1) if shape[axis] == DYNAMIC else shape[axis] for axis in range(1, len(shape))]


@dataclass(frozen=True)
class Kept:
    """An array of the iteration that the loop has to keep: its sizes, numbers where its type has them."""

    part: ir.Value
    sizes: Sizes

    @staticmethod
    def of(part: ir.Value, width: ir.Value, loop: ir.OpView) -> Kept | None:
        """The stack of an array with so many rows; nothing if other sizes are known in the loop only."""
        at, shape = ir.InsertionPoint(loop), part.type.shape
        sizes = [width, *(dim_of(part, axis, at) for axis in range(1, part.type.rank))]
        if any(size is None for size in sizes):
            return None
        pairs = zip(shape, sizes, strict=True)
        return Kept(part, [as_value(size, at) if fixed == DYNAMIC else fixed for fixed, size in pairs])

    def height(self) -> ir.Value:
        """How many rows one iteration has, at the insertion point."""
        return as_value(self.sizes[0], ir.InsertionPoint.current)

    def bytes(self) -> ir.Value:
        """How many bytes one iteration has, at the insertion point."""
        element, at = self.part.type.element_type, ir.InsertionPoint.current
        product = as_value(8 if isinstance(element, ir.IndexType) else max(element.width // 8, 1), at)
        for size in self.sizes:
            product = arith.muli(product, as_value(size, at))
        return product

    def room(self, iterations: ir.Value) -> ir.Value:
        """Memory for so many iterations."""
        rows = arith.muli(iterations, self.height())
        return tensor.EmptyOp([rows, *self.sizes[1:]], self.part.type.element_type).result

    def written(self, stack: ir.Value, first_row: ir.Value) -> ir.Value:
        """The stack with the array of this iteration in it."""
        rest = len(self.sizes) - 1
        return with_slice(stack, self.part, [first_row, *[0] * rest], list(self.sizes), [1] * (rest + 1))


def stack_type(part: ir.Value) -> ir.RankedTensorType:
    """The type of arrays of this kind one behind the other."""
    return ir.RankedTensorType.get([DYNAMIC, *part.type.shape[1:]], part.type.element_type)


def some_rows(rows: ir.Value, first: ir.Value | int, count: ir.Value, below: Sequence[ir.Value | int]) -> ir.Value:
    """So many rows of a stack."""
    rest = len(below)
    return slice_of(rows, [first, *[0] * rest], [count, *below], [1] * (rest + 1), rows.type)


@dataclass(frozen=True)
class Factors:
    """The arrays of an iteration of which sums are made, and whether those of later ones lie behind or before them."""

    stored: dict[ir.Value, Stored]
    kept: dict[ir.Value, Kept]
    direction: int
