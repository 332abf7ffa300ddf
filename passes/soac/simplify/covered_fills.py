"""Fills that a later write covers but for a border: only the border is filled, after the write.

```mlir
%1 = tensor.insert_slice %zeros into %0[1] [%m] [1]
%2 = tensor.insert_slice %x into %1[0] [%m] [1]
```
becomes, with one element left of the fill,
```mlir
%1 = tensor.insert_slice %x into %0[0] [%m] [1]
%2 = tensor.insert_slice %zero into %1[%m] [1] [1]
```
"""

from __future__ import annotations

from itertools import pairwise

from tapeless._mlir import arith, ir, tensor
from tapeless.dialects.array_types import DYNAMIC
from tapeless.passes.ir.constants import constant_of, filling_of
from tapeless.passes.ir.places.places import Place, are_disjoint
from tapeless.passes.ir.places.shifts import are_shifted, leftovers
from tapeless.passes.ir.rebuild import replace_op
from tapeless.passes.ir.rows import with_slice
from tapeless.passes.soac.simplify.known_writes import forget_writes, known_write, writes_meeting
from tapeless.passes.soac.simplify.write_chains import KnownWrite
from tapeless.passes.soac.simplify.writes import reads_beside


def fill_only_border(op: ir.OpView) -> ir.OpView:
    """Moves the fill of a place behind a write into a place beside it, and leaves out their intersection.

    Nothing in between may look at the filled place or write into it.
    """
    own = known_write(op.results[0])
    assert own is not None
    for position, earlier in writes_meeting(own.place, own.chain, own.position - 1):
        if not are_disjoint(earlier.place, own.place):
            can_move = _can_move(earlier.op, earlier.place, own.place)
            if can_move and _is_free(own.chain.between(position, own.position)):
                return _move_fill(earlier.op, op, earlier.place, own.place)
            return op
    return op


def _is_free(writes: list[KnownWrite]) -> bool:
    """Whether no write before the last, which is the first that runs, and no read in between looks at its place."""
    *between, filled = writes
    for later, earlier in pairwise(writes):
        reads = reads_beside(earlier, later)
        if reads is None or not all(are_disjoint(filled.place, Place.of(read)) for read in reads):
            return False
    return all(are_disjoint(filled.place, write.place) for write in between[1:])


def _can_move(write: ir.OpView, filled: Place, place: Place) -> bool:
    return _filling(write.operands[0]) is not None and are_shifted(filled, place)


def _filling(part: ir.Value) -> ir.Value | ir.Attribute | None:
    """The number that an array is filled with, or its attribute if the array is a constant."""
    constant = constant_of(part)
    if isinstance(constant, ir.DenseElementsAttr) and constant.is_splat:
        return constant.get_splat_value()
    return filling_of(part)


def _move_fill(write: ir.OpView, op: ir.OpView, filled: Place, place: Place) -> ir.OpView:
    """Replaces a fill by fills of its border, behind the operation that covers the rest."""
    forget_writes()
    value, element = _filling(write.operands[0]), write.operands[0].type.element_type
    result, users = op.results[0], [(use.owner, use.operand_number) for use in op.results[0].uses]
    made = op
    after = ir.InsertionPoint.after(op)
    with after, op.location:
        if isinstance(value, ir.Attribute):
            value = arith.constant(element, value)
        for box in leftovers(filled, place, after):
            sizes = [box.sizes[axis] for axis in filled.kept]
            part = _fill(value, sizes, element)
            result = with_slice(result, part, box.offsets, box.sizes, [1] * len(box.sizes))
            made = result.owner
    for owner, number in users:
        owner.operation.operands[number] = result
    replace_op(write, [write.operands[1]])
    return made


def _fill(value: ir.Value, sizes: list[ir.Value | int], element: ir.Type) -> ir.Value:
    shape = [size if isinstance(size, int) else DYNAMIC for size in sizes]
    dynamic = [size for size in sizes if not isinstance(size, int)]
    return tensor.SplatOp(ir.RankedTensorType.get(shape, element), value, dynamic).result
