"""Reads looked up in the writes before them, and writes that later ones make superfluous.

```mlir
%1 = tensor.insert_slice %zeros into %0[8, 0] [1, %n] [1, 1]
%a = tensor.extract_slice %1[7, 0] [1, %n] [1, 1]
%b = tensor.extract_slice %1[8, 0] [1, %n] [1, 1]
```
`%a` is read from `%0`, and `%b` is `%zeros`.
"""

from __future__ import annotations

from itertools import pairwise

from tapeless._mlir import ir, tensor
from tapeless.dialects.array_types import DYNAMIC
from tapeless.passes.ir.places.places import Extent, Place, are_disjoint, is_read, is_whole, offsets_within
from tapeless.passes.ir.scopes import is_used_once
from tapeless.passes.ir.sizes.sizes import as_value
from tapeless.passes.soac.simplify.delays import delay_write, raise_view
from tapeless.passes.soac.simplify.known_writes import (
    LONGEST_CHAIN,
    forget_writes,
    kept_sizes,
    known_write,
    leave_out,
    replace_read,
    writes_meeting,
    writes_within,
)
from tapeless.passes.soac.simplify.write_chains import KnownWrite


def read_past_writes(op: ir.OpView) -> ir.OpView | None:
    """A read of written elements is the written part; of others, a read of the array before.

    The array before is read only where the writes can be moved behind all that uses the read: otherwise the lowering
    would have to keep a copy of it. Nothing has to be kept of a fill, a part of which is a fill of its own. A read
    behind too many writes stays where it is, rather than climb in every round.
    """
    place = Place.of(op)
    last = known_write(place.array)
    if last is None:
        return op
    with kept_sizes():
        near = (write for _, write in writes_meeting(place, last.chain, last.position))
        write = next((each for each in near if not are_disjoint(place, each.place)), None)
    if write is not None:
        return _read_part(op, place, write.op, write.place)
    if last.position + 1 >= LONGEST_CHAIN:
        return op
    first = last.chain.first()
    is_filled = _is_fill(first.before)
    if not is_filled and not delay_write(first.op, op):
        return op
    made = op.operation.clone(ip=ir.InsertionPoint(op)).opview
    made.operation.operands[0] = first.before
    replace_read(op, made.results[0])
    if not is_filled:
        raise_view(made)
    return made


def drop_covered_writes(op: ir.OpView) -> ir.OpView:
    """Writes whose place this one overwrites before anything else looks at it are left out."""
    if known_write(op.operands[1]) is not None:
        with kept_sizes():
            covered = _covered_writes(op)
        for write in covered:
            leave_out(write)
    return op


def _covered_writes(op: ir.OpView) -> list[ir.OpView]:
    """Places are compared first: who reads the arrays in between is asked only up to a write that may be covered."""
    own = known_write(op.results[0])
    assert own is not None
    asked = own.position
    seen: list[Place] = []
    found: list[ir.OpView] = []
    for position, earlier in writes_within(own.place, own.chain, own.position - 1):
        if offsets_within(earlier.place, own.place) is None:
            continue
        for later, write in pairwise(own.chain.between(position, asked)):
            reads = reads_beside(write, later)
            if reads is None:
                return found
            places = [own.place_of(read) for read in reads]
            if any(offsets_within(own.place, read) is not None for read in places):
                return found  # all that is covered is read
            seen += places
        asked = position
        if all(are_disjoint(earlier.place, read) for read in seen):
            found.append(earlier.op)
    return found


def drop_covered_fill(op: ir.OpView) -> ir.OpView:
    """A fill that writes cover completely, slab by slab along one axis, is an array of any contents."""
    fixed = [(axis, size) for axis, size in enumerate(op.results[0].type.shape) if size != DYNAMIC]
    own = known_write(op.results[0]) if fixed else None
    if own is None or own.position >= LONGEST_CHAIN or not _is_fill(fill := own.chain.start):
        return op
    chain = own.chain.between(0, own.position)
    if not all(is_used_once(write.op.results[0]) for write in chain[1:]):
        return op
    places = [write.place for write in chain]
    if any(_cover_along(places, axis, size) for axis, size in fixed):
        forget_writes()
        chain[-1].op.operation.operands[1] = _uninitialised(fill)
    return op


def _is_fill(array: ir.Value) -> bool:
    return not isinstance(array, ir.BlockArgument) and array.owner.operation.name == "tensor.splat"


def reads_beside(write: KnownWrite, later: KnownWrite) -> list[ir.OpView] | None:
    """The readers of places of a written array which a later write takes up; nothing when it has other uses."""
    uses = [(use.owner, use.operand_number) for use in write.op.results[0].uses]
    others = [owner for owner, number in uses if owner.operation != later.op.operation or number != 1]
    return others if all(map(is_read, others)) else None


def _read_part(op: ir.OpView, place: Place, write: ir.OpView, written: Place) -> ir.OpView | None:
    """The read as one of the written part, when all of it was written at once."""
    offsets = offsets_within(place, written)
    if offsets is None or not set(place.kept) <= set(written.kept):
        return op
    part = write.operands[0]
    if is_whole(place, written, offsets):
        replace_read(op, part)
        return None
    made = _element(op, part, offsets, written) if not place.kept else _slice(op, part, place, offsets, written)
    replace_read(op, made.results[0])
    return made


def _element(op: ir.OpView, part: ir.Value, offsets: list[Extent], written: Place) -> ir.OpView:
    at = ir.InsertionPoint(op)
    indices = [as_value(offsets[axis], at) for axis in written.kept]
    return tensor.ExtractOp(part, indices, loc=op.location, ip=at)


def _slice(op: ir.OpView, part: ir.Value, place: Place, offsets: list[Extent], written: Place) -> ir.OpView:
    ranges = [place.ranges[axis] for axis in written.kept]
    strides = [place.ranges[axis].stride if written.ranges[axis].stride == 1 else 1 for axis in written.kept]
    fields = ([offsets[axis] for axis in written.kept], [each.size for each in ranges], strides)
    static = [[DYNAMIC if isinstance(value, ir.Value) else value for value in values] for values in fields]
    dynamic = [[value for value in values if isinstance(value, ir.Value)] for values in fields]
    at = ir.InsertionPoint(op)
    return tensor.ExtractSliceOp(op.results[0].type, part, *dynamic, *static, loc=op.location, ip=at)


def _cover_along(places: list[Place], axis: int, size: int) -> bool:
    """Whether the places that are whole along all other axes have all of this one between them."""
    covered: set[int] = set()
    for place in places:
        part = place.ranges[axis]
        known = all(isinstance(value, int) for value in (part.offset, part.size, part.stride))
        if known and all(place.is_whole_along(other) for other in range(len(place.ranges)) if other != axis):
            covered.update(range(part.offset, part.offset + part.size * part.stride, part.stride))
    return len(covered) == size


def _uninitialised(fill: ir.Value) -> ir.Value:
    dynamic = iter(list(fill.owner.operands)[1:])
    sizes = [next(dynamic) if size == DYNAMIC else size for size in fill.type.shape]
    at = ir.InsertionPoint(fill.owner)
    return tensor.EmptyOp(sizes, fill.type.element_type, loc=fill.owner.location, ip=at).result
