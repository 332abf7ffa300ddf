"""Copies what the lanes read a stride apart into a buffer where the lanes are neighbours, once per block.

```mlir
// x[i, d] with lanes along i, read for every k:      the block's copy, filled before the loop over k:
%v = memref.load %x[%i, %d]                           %v = vector.load %copy[%d, %c0] : vector<8xf64>
```
"""

from __future__ import annotations

from tapeless._mlir import arith, ir, memref, scf
from tapeless.passes.lower.spmd.accesses import Access, Pattern
from tapeless.passes.lower.spmd.lanes import memref_of
from tapeless.passes.lower.spmd.plan import Plan


class Packing:
    """The lane-major copies that one vectorised loop keeps; loads of the same array along the same axis share one."""

    def __init__(self, plan: Plan) -> None:
        self.lanes = plan.lanes
        self.buffers: dict[tuple[ir.Value, int], ir.Value] = {}
        for access in plan.accesses.values():
            if access.pattern is Pattern.PACKED and _key(access) not in self.buffers:
                self.buffers[_key(access)] = self._allocate(*_key(access))

    def of(self, access: Access) -> ir.Value:
        """The copy that holds what `access` reads."""
        return self.buffers[_key(access)]

    def fill(self, start: ir.Value) -> None:
        """Copies the block of iterations that begins at `start`."""
        for (source, axis), buffer in self.buffers.items():
            lanes = scf.ForOp(_index(0), _index(self.lanes), _index(1))
            with ir.InsertionPoint(lanes.body):
                iteration = arith.AddIOp(start, lanes.induction_variable).result
                _copy(source, axis, iteration, buffer, lanes.induction_variable, [])
                scf.YieldOp([])

    def free(self) -> None:
        """Gives the copies back."""
        for buffer in self.buffers.values():
            memref.DeallocOp(buffer)

    def _allocate(self, source: ir.Value, axis: int) -> ir.Value:
        type_ = ir.MemRefType(source.type)
        others = [k for k in range(type_.rank) if k != axis]
        sizes = [memref.DimOp(source, _index(k)).result for k in others if type_.is_dynamic_dim(k)]
        shape = [type_.shape[k] for k in others]
        wide = ir.MemRefType.get([*shape, self.lanes], type_.element_type)
        return memref.AllocOp(wide, sizes, [], alignment=ir.IntegerAttr.get(ir.IntegerType.get_signless(64), 64)).result


def _copy(
    source: ir.Value, axis: int, iteration: ir.Value, buffer: ir.Value, lane: ir.Value, places: list[ir.Value]
) -> None:
    """Copies what one iteration reads into its lane, looping over the axes that are left."""
    if len(places) + 1 < ir.MemRefType(source.type).rank:
        extent = memref.DimOp(buffer, _index(len(places))).result
        loop = scf.ForOp(_index(0), extent, _index(1))
        with ir.InsertionPoint(loop.body):
            _copy(source, axis, iteration, buffer, lane, [*places, loop.induction_variable])
            scf.YieldOp([])
        return
    element = memref.LoadOp(source, [*places[:axis], iteration, *places[axis:]]).result
    memref.StoreOp(element, buffer, [*places, lane])


def _key(access: Access) -> tuple[ir.Value, int]:
    return memref_of(access.op), access.axis


def _index(value: int) -> ir.Value:
    return arith.ConstantOp(ir.IndexType.get(), value).result
