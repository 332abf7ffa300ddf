"""`soac-align-gathered`: maps with guards, cut so that they can be merged with maps over a slice."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import ClassVar

from tapeless._mlir import arith, ir
from tapeless.dialects.array_types import DYNAMIC
from tapeless.passes.driver.inner import clean_up, run_inner
from tapeless.passes.ir.build import cast_to, map_
from tapeless.passes.ir.places.coverage import is_nearly_whole
from tapeless.passes.ir.places.places import Extent, Place
from tapeless.passes.ir.rebuild import copy_op, replace_op
from tapeless.passes.ir.regions.structure import arguments_of
from tapeless.passes.ir.rows import slice_of, with_slice
from tapeless.passes.ir.scopes import outer_values
from tapeless.passes.ir.sizes.equal_sizes import EqualSizes
from tapeless.passes.ir.sizes.shapes import scalar_size, size_of
from tapeless.passes.ir.sizes.sizes import as_value
from tapeless.passes.marks import GUARD
from tapeless.passes.soac.fuse.fuse import Fuse
from tapeless.passes.soac.simplify.prune import prune


@dataclass(frozen=True)
class AlignGathered:
    """Splits a stencil with guards at the slice that another map reads, so that both fuse.

    ```mlir
    %x = "soac.map"(%m, %us, ...) ({ f })           %x = "soac.map"(%m, %us, ...) ({ f })
    %y = "soac.map"(%n, %u, %b) ({ guards })        %0 = "soac.map"(%m, %us, %bs) ({ guards })
    ```
    with %us and %bs the slices of %u and %b that leave out the same elements. %0 is put where %b was, as are the
    elements before and behind, which have short maps. The two maps are one loop then, which reads %u once; merging them
    is left to `soac-fuse`. Borders of more dimensions would be many elements, and loops of their own.
    """

    name: ClassVar[str] = "soac-align-gathered"
    after: ClassVar[dict[str, str]] = {
        "soac-stencil-gather": "it cuts the guarded maps that are made there",
        "soac-fuse": "it cuts for maps that could not be fused",
    }
    skips_numbers: ClassVar[bool] = True

    def run(self, module: ir.Module) -> None:
        """Looks at the body of every loop; checks before it say which sizes are equal."""
        root = module.operation.opview
        if _align_below(root, EqualSizes()):
            prune(root)
            clean_up(module)
            run_inner(Fuse(), module)


def _align_below(op: ir.OpView, equal: EqualSizes) -> bool:
    found = False
    for inner, known in equal.inside(op):
        if inner.operation.name == "soac.map":
            cut = _Cut.of(inner, known)
            if cut is not None:
                cut.carry_out()
                found = True
        elif len(inner.regions):
            found |= _align_below(inner, known)
    return found


@dataclass(frozen=True)
class _Cut:
    """A map over a vector that takes the place of `base`, and the slice of others that a map before it reads."""

    op: ir.OpView
    base: ir.Value
    place: Place

    @staticmethod
    def of(op: ir.OpView, equal: EqualSizes) -> _Cut | None:
        """The map as one that can be cut: it makes one vector, and has a map before it to be merged with."""
        if len(op.results) != 1 or len(op.accs) or op.results[0].type.rank != 1 or not _has_guards(op):
            return None
        base = _overwritten(op)
        place = None if base is None else _slice_beside(op, equal)
        return None if base is None or place is None else _Cut(op, base, place)

    def carry_out(self) -> None:
        """Replaces the map by one over the slice and one for each border."""
        at = ir.InsertionPoint(self.op)
        with at, self.op.location:
            offset, size = self.place.ranges[0].offset, self.place.ranges[0].size
            start = as_value(offset, at)
            end = arith.addi(start, as_value(size, at))
            made = self._written(self.base, offset, size, self._moved_bounds(start))
            made = self._written(made, 0, start, {})
            made = self._written(made, end, arith.subi(self.op.width, end), {})
            replace_op(self.op, [cast_to(self.op.results[0].type, made)])

    def _moved_bounds(self, start: ir.Value) -> dict[ir.Value, ir.Value]:
        """The bounds that guards compare with, for indices that begin at the slice."""
        bounds = dict.fromkeys(guard.operands[1] for guard in _guards(self.op))
        return {bound: arith.subi(bound, start) for bound in bounds}

    def _written(self, base: ir.Value, offset: Extent, size: Extent, bounds: dict[ir.Value, ir.Value]) -> ir.Value:
        """An array with the map's results for a part of it written there; without `bounds`, no
        comparison is a guard.
        """
        arrays = [base if array == self.base else array for array in self.op.inputs]
        made, _ = map_(
            as_value(size, ir.InsertionPoint.current),
            [_part(array, offset, size) for array in arrays],
            [],
            lambda i, elements, _: ([self._element(i, elements, offset, bounds)], []),
        )
        return with_slice(base, made[0], [offset], [size], [1])

    def _element(
        self, i: ir.Value, elements: Sequence[ir.Value], offset: Extent, bounds: dict[ir.Value, ir.Value]
    ) -> ir.Value:
        """The map's result for elements at an index of a part."""
        block = self.op.regions[0].blocks[0]
        place = arith.addi(i, as_value(offset, ir.InsertionPoint.current))
        values = dict(zip(block.arguments, [place, *elements], strict=True))
        for op in list(block.operations)[:-1]:
            made = copy_op(op, values)
            if _is_guard(op.operation) and bounds:
                made.operands[0], made.operands[1] = i, bounds[op.operands[1]]
            elif _is_guard(op.operation):
                del made.attributes[GUARD]
        result = block.operations[-1].operands[0]
        return values.get(result, result)


def _is_guard(op: ir.Operation) -> bool:
    return op.name == "arith.cmpi" and GUARD in op.attributes


def _guards(op: ir.OpView) -> list[ir.Operation]:
    return [inner.operation for inner in op.regions[0].blocks[0].operations if _is_guard(inner.operation)]


def _has_guards(op: ir.OpView) -> bool:
    """Whether a map has guards: all of its own index, with bounds from outside, and none in branches or loops."""
    position, outside = op.regions[0].blocks[0].arguments[0], set(outer_values(op))
    own = _guards(op)
    return (
        len(own) > 0
        and len(own) == sum(map(_is_guard, _inner_operations(op.operation)))
        and all(guard.operands[0] == position and guard.operands[1] in outside for guard in own)
    )


def _inner_operations(op: ir.Operation) -> Iterator[ir.Operation]:
    for region in op.regions:
        for block in region.blocks:
            for inner in block.operations:
                yield inner.operation
                yield from _inner_operations(inner.operation)


def _overwritten(op: ir.OpView) -> ir.Value | None:
    """The array that the loop around carries and this map alone reads, element by element, so that it may be lost."""
    loop = op.operation.parent
    if loop is None or loop.name != "scf.for":
        return None
    for array in op.inputs:
        if array in arguments_of(loop.opview, "carried") and array.type == op.results[0].type:
            users = [use.owner.operation for use in array.uses]
            if all(user == op.operation or user.name == "tensor.dim" for user in users):
                return array
    return None


def _slice_beside(op: ir.OpView, equal: EqualSizes) -> Place | None:
    """The slice of an input of this map that a map before it reads, which makes nothing that this one needs."""
    for array in op.inputs:
        if not equal.are_equal(scalar_size(op.width), size_of(array, 0)):
            continue
        for read in (use.owner for use in array.uses):
            if read.operation.name != "tensor.extract_slice" or read.operation.block != op.operation.block:
                continue
            place = Place.of(read)
            if is_nearly_whole(place, equal.are_equal) and any(
                _is_partner(use.owner, op) for use in read.results[0].uses
            ):
                return place
    return None


def _is_partner(other: ir.OpView, op: ir.OpView) -> bool:
    """Whether a map in the same block comes before another one, which uses nothing of it."""
    if other.operation.name != "soac.map" or other.operation.block != op.operation.block:
        return False
    own = set(other.results)
    return other.operation.is_before_in_block(op.operation) and not own.intersection(outer_values(op))


def _part(array: ir.Value, offset: Extent, size: Extent) -> ir.Value:
    type_ = ir.RankedTensorType.get([size if isinstance(size, int) else DYNAMIC], array.type.element_type)
    return slice_of(array, [offset], [size], [1], type_)
