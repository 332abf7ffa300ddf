"""Maps over an array after a slice of it was written, as maps over the slice and over the borders."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TypeAlias

from tapeless._mlir import arith, ir
from tapeless.dataclasses_on_use import dataclass
from tapeless.dialects.array_types import DYNAMIC
from tapeless.passes.ir.build import cast_to, dim, mapped
from tapeless.passes.ir.places.coverage import is_nearly_whole
from tapeless.passes.ir.places.places import Extent, Place, is_write
from tapeless.passes.ir.rebuild import copy_op, replace_op
from tapeless.passes.ir.rows import slice_of, with_slice
from tapeless.passes.ir.scopes import ancestor_in, is_defined_outside, is_used_once, owner_block
from tapeless.passes.ir.sizes.equal_sizes import EqualSizes
from tapeless.passes.ir.sizes.shapes import scalar_size, size_of
from tapeless.passes.ir.sizes.sizes import as_value
from tapeless.passes.soac.gather.nests import ElementNest

Bounds: TypeAlias = tuple[Extent, Extent]
"""Where a part of an axis begins, and how many elements it has."""


def split_below(op: ir.OpView, equal: EqualSizes) -> bool:
    found = False
    for inner, known in equal.inside(op):
        if inner.operation.name == "soac.map" and (split := _Split.of(inner, known)) is not None:
            split.carry_out(known)
            found = True
        elif len(inner.regions):
            found |= split_below(inner, known)
    return found


@dataclass(frozen=True)
class _Split:
    """A map, and the write that made one of its inputs."""

    nest: ElementNest
    write: ir.OpView

    @staticmethod
    def of(op: ir.OpView, equal: EqualSizes) -> _Split | None:
        """The map as one that can be split: it makes one array, which may take the place of the one written to."""
        if len(op.results) != 1 or len(op.accs):
            return None
        made = [array.owner for array in op.inputs if not isinstance(array, ir.BlockArgument)]
        write = next((each for each in made if is_write(each) and _follows(op, each, equal)), None)
        nest = None if write is None else ElementNest.of(op.results[0])
        if write is None or nest is None or not _is_pointwise(nest):
            return None
        return _Split(nest, write)

    def carry_out(self, equal: EqualSizes) -> None:
        """Replaces the map by one over the written slice (the interior), and one over each border (the halo)."""
        op, place = self.nest.outer, Place.of(self.write)
        with ir.InsertionPoint(op), op.location:
            inside = [(part.offset, part.size) for part in place.ranges]
            made = self._written(place.array, inside, self.write.operands[0])
            for border in _borders(place, equal):
                made = self._written(made, border, None)
            replace_op(op, [cast_to(op.results[0].type, made)])

    def _written(self, base: ir.Value, ranges: Sequence[Bounds], part: ir.Value | None) -> ir.Value:
        """An array with the map's results for a part of it written there; `part` is it, unless it is to be read."""
        written = self.write.results[0]
        parts: dict[ir.Value, ir.Value] = {}
        for array in self.nest.inputs.values():
            parts[array] = _part(base if array == written else array, ranges)
        if part is not None:
            parts[written] = part
        widths = [as_value(size, ir.InsertionPoint.current) for _, size in ranges]
        value = self._computed(list(parts), list(parts.values()), widths)
        offsets, sizes = zip(*ranges, strict=True)
        return with_slice(base, value, offsets, sizes, [1] * len(ranges))

    def _computed(self, names: list[ir.Value], rows: list[ir.Value], widths: list[ir.Value]) -> ir.Value:
        """The nest's results for parts of its arrays."""
        if widths:
            return mapped(widths[0], rows, lambda *below: self._computed(names, list(below), widths[1:]))
        elements = dict(zip(names, rows, strict=True))
        values = {argument: elements[array] for argument, array in self.nest.inputs.items()}
        for inner in list(self.nest.body.operations)[:-1]:
            copy_op(inner, values)
        return values.get(self.nest.result, self.nest.result)


def _is_pointwise(nest: ElementNest) -> bool:
    """Whether the scalar code of a nest uses elements, its own results, and values from outside, but no index."""
    own = {result for op in nest.body.operations for result in op.results}
    return all(
        len(op.regions) == 0
        and all(
            value in nest.inputs or value in own or is_defined_outside(value, nest.outer.operation)
            for value in op.operands
        )
        for op in nest.body.operations
    )


def _follows(op: ir.OpView, write: ir.OpView, equal: EqualSizes) -> bool:
    """Whether a map directly follows the write of a nearly whole slice that another map made, in the same block."""
    if write.operation.name != "tensor.insert_slice" or write.results[0].type != op.results[0].type:
        return False
    block = op.operation.block
    part, base = write.operands[0], write.operands[1]
    if isinstance(part, ir.BlockArgument) or part.owner.operation.name != "soac.map" or part == base:
        return False
    if any(owner != block for owner in (write.operation.block, owner_block(part), owner_block(base))):
        return False
    place = Place.of(write)
    if not is_used_once(part) or not is_used_once(write.results[0]) or not is_nearly_whole(place, equal.are_equal):
        return False
    users = [use.owner.operation for use in base.uses]
    return all(user.name == "tensor.dim" or _is_before(user, write, block) for user in users)


def _is_before(user: ir.Operation, write: ir.OpView, block: ir.Block) -> bool:
    """Whether an operation runs before a write in a block, or is that write."""
    holder = ancestor_in(block, user)
    return holder is not None and (holder == write.operation or holder.is_before_in_block(write.operation))


def _borders(place: Place, equal: EqualSizes) -> Iterator[list[Bounds]]:
    """The parts of an array outside of a place: along each axis before and behind it, within the place along others."""
    sizes = [_size(place.array, axis) for axis in range(len(place.ranges))]
    inside: list[Bounds] = []
    for axis, part in enumerate(place.ranges):
        beyond: list[Bounds] = [(0, size) for size in sizes[axis + 1 :]]
        if part.offset != 0:
            yield [*inside, (0, part.offset), *beyond]
        end = _calculated(arith.addi, part.offset, part.size)
        if not equal.are_equal(end if isinstance(end, int) else scalar_size(end), size_of(place.array, axis)):
            yield [*inside, (end, _calculated(arith.subi, sizes[axis], end)), *beyond]
        inside.append((part.offset, part.size))


def _size(array: ir.Value, axis: int) -> Extent:
    size = size_of(array, axis)
    return size if isinstance(size, int) else dim(array, axis)


def _calculated(operation: Callable[..., ir.Value], left: Extent, right: Extent) -> Extent:
    """A sum or difference, as a number when both operands are."""
    if isinstance(left, int) and isinstance(right, int):
        return left + right if operation is arith.addi else left - right
    at = ir.InsertionPoint.current
    return operation(as_value(left, at), as_value(right, at))


def _part(array: ir.Value, ranges: Sequence[Bounds]) -> ir.Value:
    """A slice of an array, next to each other along all axes."""
    shape = [size if isinstance(size, int) else DYNAMIC for _, size in ranges]
    type_ = ir.RankedTensorType.get(shape, array.type.element_type)
    offsets, sizes = zip(*ranges, strict=True)
    return slice_of(array, offsets, sizes, [1] * len(ranges), type_)
