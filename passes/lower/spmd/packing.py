"""Copies what the lanes touch a stride apart into a buffer where the lanes are neighbours, once per block.

What a block writes goes to the copy first and back to the array at the end of the block.

```mlir
// x[i, d] with lanes along i, read for every k:      the block's copy, filled before the loop over k:
%v = memref.load %x[%i, %d]                           %v = vector.load %copy[%d, %c0] : vector<8xf64>
```
"""

from __future__ import annotations

from collections.abc import Callable

from tapeless._mlir import arith, ir, memref, scf
from tapeless.passes.lower.spmd.accesses import Access, Pattern
from tapeless.passes.lower.spmd.blocks import memref_of, op_name
from tapeless.passes.lower.spmd.plan import Plan
from tapeless.passes.soac.build import index

Copy = Callable[[ir.Value, list[ir.Value], ir.Value, list[ir.Value]], None]


class Packing:
    """The lane-major copies that one vectorised loop keeps; loads of the same array along the same axis share one."""

    def __init__(self, plan: Plan) -> None:
        self.lanes = plan.lanes
        self.buffers: dict[tuple[ir.Value, int], ir.Value] = {}
        packed = [access for access in plan.accesses.values() if access.pattern is Pattern.PACKED]
        self.written = {_key(access) for access in packed if op_name(access.op) == "memref.store"}
        for access in packed:
            if _key(access) not in self.buffers:
                self.buffers[_key(access)] = self._allocate(*_key(access))

    def of(self, access: Access) -> ir.Value:
        """The copy that holds what `access` reads."""
        return self.buffers[_key(access)]

    def fill(self, start: ir.Value) -> None:
        """Copies the block of iterations that begins at `start`."""
        for key, buffer in self.buffers.items():
            self._each_lane(key, buffer, start, _copy_in)

    def flush(self, start: ir.Value) -> None:
        """Writes the copies that the block changed back to their arrays."""
        for key in self.written:
            self._each_lane(key, self.buffers[key], start, _copy_out)

    def free(self) -> None:
        """Gives the copies back."""
        for buffer in self.buffers.values():
            memref.DeallocOp(buffer)

    def _each_lane(self, key: tuple[ir.Value, int], buffer: ir.Value, start: ir.Value, copy: Copy) -> None:
        array, axis = key
        lanes = scf.ForOp(index(0), index(self.lanes), index(1))
        with ir.InsertionPoint(lanes.body):
            iteration = arith.AddIOp(start, lanes.induction_variable).result
            _each_place(
                array,
                buffer,
                lambda at: copy(array, [*at[:axis], iteration, *at[axis:]], buffer, [*at, lanes.induction_variable]),
            )
            scf.YieldOp([])

    def _allocate(self, source: ir.Value, axis: int) -> ir.Value:
        type_ = ir.MemRefType(source.type)
        others = [k for k in range(type_.rank) if k != axis]
        sizes = [memref.DimOp(source, index(k)).result for k in others if type_.is_dynamic_dim(k)]
        shape = [type_.shape[k] for k in others]
        wide = ir.MemRefType.get([*shape, self.lanes], type_.element_type)
        return memref.AllocOp(wide, sizes, [], alignment=ir.IntegerAttr.get(ir.IntegerType.get_signless(64), 64)).result


def _each_place(
    array: ir.Value, buffer: ir.Value, visit: Callable[[list[ir.Value]], None], places: tuple[ir.Value, ...] = ()
) -> None:
    """Loops over the axes that the lanes do not count along."""
    if len(places) + 1 == ir.MemRefType(array.type).rank:
        visit(list(places))
        return
    loop = scf.ForOp(index(0), memref.DimOp(buffer, index(len(places))).result, index(1))
    with ir.InsertionPoint(loop.body):
        _each_place(array, buffer, visit, (*places, loop.induction_variable))
        scf.YieldOp([])


def _copy_in(array: ir.Value, at: list[ir.Value], buffer: ir.Value, place: list[ir.Value]) -> None:
    memref.StoreOp(memref.LoadOp(array, at).result, buffer, place)


def _copy_out(array: ir.Value, at: list[ir.Value], buffer: ir.Value, place: list[ir.Value]) -> None:
    memref.StoreOp(memref.LoadOp(buffer, place).result, array, at)


def _key(access: Access) -> tuple[ir.Value, int]:
    return memref_of(access.op), access.axis
