"""Copies what the lanes touch a stride apart into a buffer where the lanes are neighbours, once per block.

What a block writes goes to the copy first and back to the array at the end of the block.

```mlir
// x[i, d] with lanes along i, read for every k:      the block's copy, filled before the loop over k:
%v = memref.load %x[%i, %d]                           %v = vector.load %copy[%d, %c0] : vector<8xf64>
```
"""

from __future__ import annotations

from tapeless._mlir import ir, memref
from tapeless.passes.ir.build import index
from tapeless.passes.lower.vectorise.accesses import Access, Pattern
from tapeless.passes.lower.vectorise.panels.block_copies import BlockCopy
from tapeless.passes.lower.vectorise.plan import LanePlan
from tapeless.passes.lower.vectorise.walking import memref_of, op_name


class Packing:
    """The lane-major copies that one vectorised loop keeps; loads of the same array along the same axis share one."""

    def __init__(self, plan: LanePlan) -> None:
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
            BlockCopy(*key, buffer).fill(start)

    def flush(self, start: ir.Value) -> None:
        """Writes the copies that the block changed back to their arrays."""
        for key in self.written:
            BlockCopy(*key, self.buffers[key]).flush(start)

    def free(self) -> None:
        """Gives the copies back."""
        for buffer in self.buffers.values():
            memref.DeallocOp(buffer)

    def _allocate(self, source: ir.Value, axis: int) -> ir.Value:
        type_ = ir.MemRefType(source.type)
        others = [k for k in range(type_.rank) if k != axis]
        sizes = [memref.DimOp(source, index(k)).result for k in others if type_.is_dynamic_dim(k)]
        shape = [type_.shape[k] for k in others]
        wide = ir.MemRefType.get([*shape, self.lanes], type_.element_type)
        return memref.AllocOp(wide, sizes, [], alignment=ir.IntegerAttr.get(ir.IntegerType.get_signless(64), 64)).result


def _key(access: Access) -> tuple[ir.Value, int]:
    return memref_of(access.op), access.axis
