"""Arrays with zeros around them, in which sums into slices of a whole array find something for every element."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from tapeless._mlir import arith, ir
from tapeless.dialects.array_types import DYNAMIC
from tapeless.passes.ir.build import cast_to, filled, number
from tapeless.passes.ir.constants import constant_of, filling_of
from tapeless.passes.ir.places.places import Extent
from tapeless.passes.ir.rows import with_slice
from tapeless.passes.ir.scopes import is_available
from tapeless.passes.ir.sizes.shapes import dim_of
from tapeless.passes.ir.sizes.sizes import as_value
from tapeless.passes.soac.gather.chains import Link
from tapeless.passes.soac.gather.nests import SIGN, ElementNest


@dataclass(frozen=True)
class Padding:
    """A stored array, the same one with zeros around it, and by how much it lies further along each axis.

    Reading zeros where a slice has no element takes the place of asking whether it has one. `soac-hoist-fills` keeps
    the array from iteration to iteration, so that zeros are written once.
    """

    source: ir.Value
    padded: ir.Value
    shifts: list[Extent]
    at: ir.InsertionPoint

    @staticmethod
    def of(chain: Sequence[Link]) -> Padding | None:
        """The padding for a chain of sums in the body of a loop, over several axes, of multiples of one array."""
        last, base = chain[-1].write, chain[0].place.array
        block = last.operation.block
        loop = block.owner.operation
        if loop.name != "scf.for" or base.type.rank == 1 or any(link.total is None for link in chain):
            return None
        found = [_stored_source(link.part, block) for link in chain]
        sources = {source for source in found if source is not None}
        before = ir.InsertionPoint(loop)
        extents = [extent for link in chain for part in link.place.ranges for extent in (part.offset, part.size)]
        if (
            len(sources) != 1
            or any(source is None for source in found)
            or not all(_is_known(each, before) for each in extents)
        ):
            return None
        widths = [dim_of(base, axis, before) for axis in range(base.type.rank)]
        known = [width for width in widths if width is not None]
        return Padding._made(sources.pop(), chain, known, before) if len(known) == len(widths) else None

    @staticmethod
    def _made(source: ir.Value, chain: Sequence[Link], widths: Sequence[Extent], before: ir.InsertionPoint) -> Padding:
        last = chain[-1].write
        with last.location:
            offsets = zip(*([part.offset for part in link.place.ranges] for link in chain), strict=True)
            shifts = [_greatest(each, before) for each in offsets]
            sizes = [_sum(width, shift, before) for width, shift in zip(widths, shifts, strict=True)]
            with before:
                zero = number(source.type.element_type, 0.0)
                type_ = _type_of(sizes, source.type.element_type)
                zeros = filled(type_, [as_value(size, before) for size in sizes], zero)
            with ir.InsertionPoint(last):
                inner = [part.size for part in chain[0].place.ranges]
                part = cast_to(_type_of(inner, source.type.element_type), source)
                padded = with_slice(zeros, part, shifts, inner, [1] * len(inner))
        return Padding(source, padded, shifts, before)

    def indices(self, indices: Sequence[ir.Value], offsets: Sequence[Extent]) -> list[ir.Value]:
        """Where the element of a slice is that belongs to one of the whole array."""
        moved = []
        for index, shift, offset in zip(indices, self.shifts, offsets, strict=True):
            distance = _difference(shift, offset, self.at)
            is_here = isinstance(distance, int) and distance == 0
            moved.append(index if is_here else arith.addi(index, as_value(distance, ir.InsertionPoint.current)))
        return moved


def _stored_source(array: ir.Value, block: ir.Block) -> ir.Value | None:
    """The array that a loop of the block makes, of whose elements those of this one are multiples by constants."""
    nest = None if filling_of(array) is not None else ElementNest.of(array, is_alone=False)
    if nest is None:
        return None
    recipe = nest.recipe()
    if recipe is None:
        return nest.results[nest.result] if nest.outer.operation.block == block else None
    (source,), operations = recipe
    if not all(map(_keeps_zero, operations)):
        return None
    return _stored_source(nest.inputs[source] if source in nest.inputs else nest.results[source], block)


def _keeps_zero(op: ir.OpView) -> bool:
    """Whether an operation makes zero of zero: a change of sign, or a product with a constant."""
    if op.operation.name == SIGN:
        return True
    factors = [constant_of(operand) for operand in op.operands] if op.operation.name == "arith.mulf" else []
    return any(isinstance(factor, ir.FloatAttr) and math.isfinite(factor.value) for factor in factors)


def _type_of(sizes: Sequence[Extent], element: ir.Type) -> ir.RankedTensorType:
    return ir.RankedTensorType.get([size if isinstance(size, int) else DYNAMIC for size in sizes], element)


def _is_known(extent: Extent, before: ir.InsertionPoint) -> bool:
    return isinstance(extent, int) or is_available(extent, before)


def _greatest(extents: Sequence[Extent], at: ir.InsertionPoint) -> Extent:
    known = [extent for extent in extents if isinstance(extent, int)]
    if len(known) == len(extents):
        return max(known)
    result = as_value(max(known, default=0), at)
    for extent in dict.fromkeys(each for each in extents if not isinstance(each, int)):
        result = arith.maxsi(result, extent, ip=at)
    return result


def _sum(left: Extent, right: Extent, at: ir.InsertionPoint) -> Extent:
    if isinstance(left, int) and isinstance(right, int):
        return left + right
    return arith.addi(as_value(left, at), as_value(right, at), ip=at)


def _difference(left: Extent, right: Extent, at: ir.InsertionPoint) -> Extent:
    if isinstance(left, int) and isinstance(right, int):
        return left - right
    if not isinstance(left, int) and left == right:
        return 0
    return arith.subi(as_value(left, at), as_value(right, at), ip=at)
