"""Reads looked up in the writes before them, and writes that later ones make superfluous.

```mlir
%1 = tensor.insert_slice %zeros into %0[8, 0] [1, %n] [1, 1]
%a = tensor.extract_slice %1[7, 0] [1, %n] [1, 1]
%b = tensor.extract_slice %1[8, 0] [1, %n] [1, 1]
```
`%a` is read from `%0`, `%b` is `%zeros`.
"""

from __future__ import annotations

from tapeless._mlir import ir, tensor

from .delays import delay_writes
from .places import Place, are_disjoint, is_whole, is_write, offsets_within
from .rebuild import replace_op
from .sizes import as_value
from .slices import DYNAMIC, FIELDS

# How many writes before it a read is compared with.
LONGEST_CHAIN = 64


def read_past_writes(op: ir.OpView) -> ir.OpView | None:
    """A read of what was written is the written part; one of elements that were not written, a read of the array before.

    The array before is read only where the writes can come after all that uses the read: they then stay in place.
    """
    place = Place.of(op)
    passed = _disjoint_writes(op.operands[0], place)
    source = passed[-1].operands[1] if passed else op.operands[0]
    write = _write_of(source)
    if write is not None:
        return _read_part(op, place, write)
    if passed and len(passed) < LONGEST_CHAIN and delay_writes(passed, op):
        op.operation.operands[0] = source
        return _retyped(op)
    return op


def drop_covered_writes(op: ir.OpView) -> ir.OpView:
    """A write that nothing reads before this one overwrites all of its place is left out."""
    place = Place.of(op)
    earlier = _write_of(op.operands[1])
    for _ in range(LONGEST_CHAIN):
        if earlier is None or not _is_read_once(earlier):
            break
        before = _write_of(earlier.operands[1])
        if earlier.results[0].type == earlier.operands[1].type and offsets_within(Place.of(earlier), place) is not None:
            replace_op(earlier, [earlier.operands[1]])
        earlier = before
    return op


def drop_covered_fill(op: ir.OpView) -> ir.OpView:
    """A fill under writes that cover the whole array, part by part along one axis, need not be made."""
    if _continues(op):
        return op
    places, write = [Place.of(op)], _write_of(op.operands[1])
    last = op
    while write is not None and _is_read_once(write):
        places.append(Place.of(write))
        last, write = write, _write_of(write.operands[1])
    fill = last.operands[1]
    if isinstance(fill, ir.BlockArgument) or fill.owner.operation.name != "tensor.splat":
        return op
    if any(_covers_axis(places, axis) for axis in range(fill.type.rank)):
        at = ir.InsertionPoint(fill.owner)
        sizes = [
            size if size != DYNAMIC else None for size in fill.type.shape
        ]
        dynamic = iter(list(fill.owner.operands)[1:])
        mixed = [next(dynamic) if size is None else size for size in sizes]
        empty = tensor.EmptyOp(mixed, fill.type.element_type, loc=fill.owner.location, ip=at)
        last.operation.operands[1] = empty.result
    return op
