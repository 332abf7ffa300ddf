"""The iterations of a structured operation: dimensions with sizes, and operands that run along them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from tapeless._mlir import ir
from tapeless.dataclasses_on_use import dataclass
from tapeless.dialects.array_types import DYNAMIC
from tapeless.passes.imports.emit.layout import transposed
from tapeless.passes.imports.emit.open_sizes import require_same
from tapeless.passes.imports.linalg.arrays import Size, part, product, reshaped, sizes_of
from tapeless.passes.imports.linalg.indexing_maps import Linear
from tapeless.passes.imports.linalg.windows import gathered
from tapeless.passes.imports.stablehlo.translator import refuse
from tapeless.passes.ir.build import dim, is_array

PARALLEL, REDUCTION = "#linalg.iterator_type<parallel>", "#linalg.iterator_type<reduction>"
Map = Sequence[Linear]


@dataclass(frozen=True)
class Space:
    """The sizes of dimensions, those that results have, and those that are reduced."""

    sizes: tuple[Size, ...]
    parallel: tuple[int, ...]
    reduced: tuple[int, ...]

    def along(self, dims: Sequence[int]) -> list[Size]:
        """The sizes of some dimensions."""
        return [self.sizes[each] for each in dims]


class Operand(NamedTuple):
    """A number, or an array each of whose axes runs along a dimension."""

    value: ir.Value
    dims: tuple[int, ...]

    def arranged(self, order: Sequence[int]) -> Operand:
        """The same with its axes in the order of dimensions."""
        dims = tuple(each for each in order if each in self.dims)
        if dims == self.dims:
            return self
        return Operand(transposed(self.value, [self.dims.index(each) for each in dims]), dims)

    def joined(self, space: Space, groups: Sequence[Sequence[int]]) -> ir.Value:
        """The array with one axis for each group of dimensions that is not empty."""
        order = [each for group in groups for each in group]
        sizes = [product(space.along(group)) for group in groups if group]
        value = self.arranged(order).value
        return reshaped(value, sizes) if len(sizes) < len(order) else value


def space_of(op: ir.Operation, maps: Sequence[Map], operands: Sequence[ir.Value]) -> Space:
    """The space of an operation; sizes are those of axes that run along one dimension alone."""
    kinds = [str(each) for each in op.attributes["iterator_types"]]
    if other := next((kind for kind in kinds if kind not in (PARALLEL, REDUCTION)), None):
        refuse(op, f"has the iterator {other}; give parallel and reduction ones")
    return Space(
        tuple(_size(op, maps, operands, each) for each in range(len(kinds))),
        tuple(each for each, kind in enumerate(kinds) if kind == PARALLEL),
        tuple(each for each, kind in enumerate(kinds) if kind == REDUCTION),
    )


def _size(op: ir.Operation, maps: Sequence[Map], operands: Sequence[ir.Value], wanted: int) -> Size:
    """A static size if an operand has one, else one that is known when running."""
    axes = [
        (value, axis)
        for value, map_ in zip(operands, maps, strict=True)
        for axis, expression in enumerate(map_)
        if expression.dimension == wanted
    ]
    if not axes:
        refuse(op, f"has the dimension d{wanted}, whose size no operand tells; give one that runs along it alone")
    sizes = [value.type.shape[axis] for value, axis in axes]
    known = next((size for size in sizes if size != DYNAMIC), None)
    open_ones = [dim(*axis) for axis, size in zip(axes, sizes, strict=True) if size == DYNAMIC]
    if known is None:
        known, *open_ones = open_ones
    for size in open_ones:
        require_same(known, size, f"the dimension d{wanted} has size {{}} by one operand and {{}} by another")
    return known


def operand_of(value: ir.Value, map_: Map, space: Space) -> Operand:
    """An operand as an array whose axes run along dimensions: slices at constants, and windows put one by one."""
    if not is_array(value):
        return Operand(value, ())
    fixed = [axis for axis, expression in enumerate(map_) if not expression.terms]
    if fixed:
        starts = [expression.constant if axis in fixed else 0 for axis, expression in enumerate(map_)]
        sizes = [1 if axis in fixed else size for axis, size in enumerate(sizes_of(value))]
        value = part(value, starts, sizes, [1] * len(starts), fixed)
        map_ = [expression for axis, expression in enumerate(map_) if axis not in fixed]
    if not map_:
        return Operand(value, ())
    dims = [expression.dimension for expression in map_]
    plain = tuple(each for each in dims if each is not None)
    if len(plain) == len(dims) == len(set(plain)):
        return Operand(value, plain)
    return Operand(*gathered(value, map_, space.sizes, space.parallel))
