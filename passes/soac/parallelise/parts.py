"""The part of an array that each iteration of a loop reads and writes alone."""

from __future__ import annotations

from collections.abc import Sequence

from tapeless._mlir import ir, tensor
from tapeless.dataclasses_on_use import dataclass
from tapeless.dialects.array_types import DYNAMIC, array_type
from tapeless.passes.ir.build import cast_to
from tapeless.passes.ir.places.indices import is_index_of
from tapeless.passes.ir.places.slices import remaining_axes, slice_fields
from tapeless.passes.ir.rows import Size, slice_of, with_slice
from tapeless.passes.ir.scopes import is_defined_outside
from tapeless.passes.ir.search import holds
from tapeless.passes.ir.sizes.expressions import Size as Known
from tapeless.passes.ir.sizes.shapes import scalar_size, size_of
from tapeless.passes.ir.sizes.sizes import constant_int
from tapeless.passes.soac.parallelise.own_index import OwnIndex

READS = frozenset({"tensor.extract", "tensor.extract_slice"})
WRITES = frozenset({"tensor.insert", "tensor.insert_slice"})
Extent = tuple[Size, Size, Size]
# Rows that are not worth a look at which of their elements are used.
SHORT = 8


@dataclass(frozen=True)
class Parts:
    """Parts of an array: an index of the iteration's own along one axis, and one that all share along some others.

    Of the remaining axes a part has all.
    """

    array: ir.Value
    axis: int
    own: OwnIndex
    shared: tuple[tuple[int, Size], ...]

    @staticmethod
    def of(array: ir.Value, accesses: Sequence[ir.OpView], loop: ir.OpView) -> Parts | None:
        """The parts to which all these reads and writes keep, each to that of its iteration."""
        for axis in range(array.type.rank):
            found = {own_index(op, axis, loop) for op in accesses}
            if len(found) == 1 and (own := found.pop()) is not None:
                parts = _sure_parts(array, axis, own, accesses, loop)
                return parts if parts is not None and all(map(parts._keeps_axes, accesses)) else None
        return None

    def _keeps_axes(self, op: ir.OpView) -> bool:
        """Whether a slice drops the axes that a part does not have, and no others."""
        return not op.operation.name.endswith("_slice") or bool(self.axes and remaining_axes(op) == self.axes)

    @property
    def axes(self) -> list[int]:
        """The axes of the array that a part has."""
        dropped = {self.axis, *dict(self.shared)}
        return [axis for axis in range(self.array.type.rank) if axis not in dropped]

    @property
    def row(self) -> ir.Type:
        """The type of a part."""
        type_ = self.array.type
        return array_type([type_.shape[a] for a in self.axes], type_.element_type) if self.axes else type_.element_type

    def are_all(self, loop: ir.OpView) -> bool:
        """Whether the iterations of a loop have every index of their axis."""
        low, high = list(loop.operands)[:2]
        is_first = constant_int(low) == 0 and self.own == OwnIndex()
        return is_first and size_of(self.array, self.axis) == scalar_size(high)

    def access(self, op: ir.OpView, part: ir.Value) -> ir.Value:
        """The result of a read, or of a write, on the part of an iteration."""
        if op.operation.name == "tensor.extract":
            indices = list(op.operands)[1:]
            return tensor.extract(part, [indices[a] for a in self.axes]) if self.axes else part
        if op.operation.name == "tensor.insert":
            value, _, *indices = op.operands
            return tensor.insert(value, part, [indices[a] for a in self.axes]) if self.axes else value
        offsets, sizes, strides = ([extents[a] for a in self.axes] for extents in slice_fields(op))
        is_all = self._has_all(offsets, sizes, strides)
        if op.operation.name == "tensor.extract_slice":
            whole = op.results[0].type
            return cast_to(whole, part) if is_all else slice_of(part, offsets, sizes, strides, whole)
        return (
            cast_to(part.type, op.operands[0]) if is_all else with_slice(part, op.operands[0], offsets, sizes, strides)
        )

    def _has_all(self, offsets: Sequence[Size], sizes: Sequence[Size], strides: Sequence[Size]) -> bool:
        """Whether a slice is the whole part."""
        return all(
            (folded(offset), folded(stride)) == (0, 1) and _same_size(size, size_of(self.array, axis))
            for axis, offset, size, stride in zip(self.axes, offsets, sizes, strides, strict=True)
        )


def _sure_parts(
    array: ir.Value, axis: int, own: OwnIndex, accesses: Sequence[ir.OpView], loop: ir.OpView
) -> Parts | None:
    """The parts, if all of them are in the array whatever the loop does.

    Each part is made before its iteration, which may not come to an access, or only after a check of its indices.
    """
    places = [place_of(op) for op in accesses]
    shared = _shared(places, axis, loop)
    if not _always_happens(accesses, loop):
        if not is_index_of(places[0][axis][0], size_of(array, axis)):
            return None
        shared = [(a, extent) for a, extent in shared if is_index_of(extent, size_of(array, a))]
    parts = Parts(array, axis, own, tuple(shared))
    return parts if _fits(array, axis, own, loop) and _is_worth_it(parts, accesses, loop) else None


def _is_worth_it(parts: Parts, accesses: Sequence[ir.OpView], loop: ir.OpView) -> bool:
    """Whether an iteration goes through its part, or has to have all of it.

    A part is stored and takes adjoints as a whole: with a few elements in use that costs more than they do. The whole
    of an array that is changed has to be made anyway, unless this is done time and again.
    """
    if _is_changed(accesses) and not _is_repeated(loop):
        return True
    return all(_is_gone_through(parts, axis, accesses, loop) for axis in parts.axes)


def _is_changed(accesses: Sequence[ir.OpView]) -> bool:
    return any(op.operation.name in WRITES for op in accesses)


def _is_repeated(loop: ir.OpView) -> bool:
    """Whether a loop stands in the body of another one, or of a map."""
    around = loop.operation.parent
    while around.name not in ("func.func", "builtin.module"):
        if around.name in ("scf.for", "scf.while", "soac.map"):
            return True
        around = around.parent
    return False


def _is_gone_through(parts: Parts, axis: int, accesses: Sequence[ir.OpView], loop: ir.OpView) -> bool:
    """Whether accesses have slices along an axis, or indices that inner loops count, or write at 0, 1 and so on."""
    size = parts.array.type.shape[axis]
    if size != DYNAMIC and size <= SHORT:
        return True
    extents = [place_of(op)[axis] for op in accesses]
    if any(size != 1 or is_counted(offset, loop) for offset, size, _ in extents):
        return True
    known = {folded(place_of(op)[axis][0]) for op in accesses if op.operation.name in WRITES}
    return len(known) > 1 and known == set(range(len(known)))


def is_counted(index: Size, loop: ir.OpView) -> bool:
    """Whether an index is computed from the counter of a loop or map inside of this one."""
    pending = [index]
    while pending:
        value = pending.pop()
        if isinstance(value, int) or is_defined_outside(value, loop.operation):
            continue
        if isinstance(value, ir.BlockArgument):
            if value.arg_number == 0 and value.owner != loop.regions[0].blocks[0]:
                return True
        elif value.owner.operation.name.startswith("arith."):
            pending += value.owner.operands
    return False


def _always_happens(accesses: Sequence[ir.OpView], loop: ir.OpView) -> bool:
    """Whether each iteration comes to one of the accesses: no check, branch or loop that may not run stands before."""
    return any(_is_reached(op, loop) for op in accesses) and not holds(loop, "soac.assert", "func.call")


def _is_reached(op: ir.OpView, loop: ir.OpView) -> bool:
    """Whether all around an operation, up to the body of a loop, are loops that run if that one does."""
    around = op.operation.parent
    while around != loop.operation:
        if around.name != "scf.for" or not _runs_with(around, loop):
            return False
        around = around.parent
    return True


def _runs_with(inner: ir.Operation, loop: ir.OpView) -> bool:
    """Whether an inner loop surely has an iteration where a loop has one: its length is a factor of that loop's."""
    if constant_int(inner.operands[0]) != 0:
        return False
    length = constant_int(inner.operands[1])
    if length is not None:
        return length > 0
    first = constant_int(loop.operands[0])
    return first is not None and first >= 0 and _is_factor(inner.operands[1], loop.operands[1])


def _is_factor(value: ir.Value, product: ir.Value) -> bool:
    """Whether a number is another one times a positive constant, so that both are positive or none is."""
    if value == product:
        return True
    if isinstance(product, ir.BlockArgument) or product.owner.operation.name != "arith.muli":
        return False
    left, right = product.owner.operands
    pairs = ((left, constant_int(right)), (right, constant_int(left)))
    return any(times is not None and times > 0 and _is_factor(value, each) for each, times in pairs)


def _fits(array: ir.Value, axis: int, own: OwnIndex, loop: ir.OpView) -> bool:
    """Whether known indices are in known sizes: without checks, a program may ask for elements that do not exist."""
    size, low, high = array.type.shape[axis], constant_int(loop.operands[0]), constant_int(loop.operands[1])
    if low is None or not own.is_known:
        return True
    first = low + own.constant
    return first >= 0 and (size == DYNAMIC or high is None or high + own.constant <= size)


def place_of(op: ir.OpView) -> list[Extent]:
    """Offset, size and stride along each axis."""
    if op.operation.name.endswith("_slice"):
        return list(zip(*slice_fields(op), strict=True))
    indices = list(op.operands)[2 if op.operation.name in WRITES else 1 :]
    return [(extent, 1, 1) for extent in indices]


def own_index(op: ir.OpView, axis: int, loop: ir.OpView) -> OwnIndex | None:
    """The index of an access along an axis, if it is the iteration's own."""
    offset, size, _ = place_of(op)[axis]
    return OwnIndex.of(offset, loop) if size == 1 else None


def _shared(places: Sequence[list[Extent]], own: int, loop: ir.OpView) -> list[tuple[int, Size]]:
    """The axes along which all accesses have one index that no iteration changes."""
    shared: list[tuple[int, Size]] = []
    for axis in range(len(places[0])):
        extents = {(folded(offset), size) for offset, size, _ in (place[axis] for place in places)}
        if axis != own and len(extents) == 1:
            ((extent, size),) = extents
            if size == 1 and (isinstance(extent, int) or is_defined_outside(extent, loop.operation)):
                shared.append((axis, extent))
    return shared


def _same_size(extent: Size, size: Known) -> bool:
    return (extent if isinstance(extent, int) else scalar_size(extent)) == size


def folded(extent: Size) -> Size:
    """A size as a number where it is known."""
    if isinstance(extent, int):
        return extent
    known = constant_int(extent)
    return extent if known is None else known
