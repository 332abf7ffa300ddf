"""Copies what the lanes touch a stride apart into a buffer where the lanes are neighbours, once per block.

What a block writes goes to the copy first and back to the array at the end of the block. Axes whose index comes from
outside of the loop, as those of a batch do, have no part in the copy.

```mlir
// x[i, d] with lanes along i, read for every k:      the block's copy, filled before the loop over k:
%v = memref.load %x[%i, %d]                           %v = vector.load %copy[%d, %c0] : vector<8xf64>
```
"""

from __future__ import annotations

from collections.abc import Sequence

from tapeless._mlir import ir, memref
from tapeless.passes.ir.build import index
from tapeless.passes.lower.vectorise.accesses import Access, Pattern
from tapeless.passes.lower.vectorise.panels.block_copies import BlockCopy
from tapeless.passes.lower.vectorise.plan import LanePlan
from tapeless.passes.lower.vectorise.walking import indices_of, is_inside, memref_of, op_name

Key = tuple[ir.Value, int]
"""An array, and the axis that the lanes count along."""


class Packing:
    """The lane-major copies that one vectorised loop keeps; loads of the same array along the same axis share one."""

    def __init__(self, plan: LanePlan) -> None:
        self.lanes = plan.lanes
        self.buffers: dict[Key, ir.Value] = {}
        packed = [access for access in plan.accesses.values() if access.pattern is Pattern.PACKED]
        self.written = {_key(access) for access in packed if op_name(access.op) == "memref.store"}
        self.fixed = _fixed(packed, plan.loop if plan.jam is None else plan.jam)
        for access in packed:
            if _key(access) not in self.buffers:
                self.buffers[_key(access)] = self._allocate(*_key(access))

    def place(self, access: Access, places: Sequence[ir.Value]) -> tuple[ir.Value, list[ir.Value]]:
        """The copy that holds what `access` reaches, and the indices there of what is at `places` of the array."""
        fixed = self.fixed[_key(access)]
        others = [place for axis, place in enumerate(places) if axis != access.axis and axis not in fixed]
        return self.buffers[_key(access)], others

    def fill(self, start: ir.Value) -> None:
        """Copies the block of iterations that begins at `start`."""
        for key, buffer in self.buffers.items():
            BlockCopy(*key, buffer, self.fixed[key]).fill(start)

    def flush(self, start: ir.Value) -> None:
        """Writes the copies that the block changed back to their arrays."""
        for key in self.written:
            BlockCopy(*key, self.buffers[key], self.fixed[key]).flush(start)

    def free(self) -> None:
        """Gives the copies back."""
        for buffer in self.buffers.values():
            memref.DeallocOp(buffer)

    def _allocate(self, source: ir.Value, axis: int) -> ir.Value:
        type_ = ir.MemRefType(source.type)
        others = [k for k in range(type_.rank) if k != axis and k not in self.fixed[source, axis]]
        sizes = [memref.DimOp(source, index(k)).result for k in others if type_.is_dynamic_dim(k)]
        shape = [type_.shape[k] for k in others]
        wide = ir.MemRefType.get([*shape, self.lanes], type_.element_type)
        return memref.AllocOp(wide, sizes, [], alignment=ir.IntegerAttr.get(ir.IntegerType.get_signless(64), 64)).result


def _key(access: Access) -> Key:
    return memref_of(access.op), access.axis


def _fixed(packed: Sequence[Access], loop: ir.Operation) -> dict[Key, dict[int, ir.Value]]:
    """For each copy the axes that all its accesses reach at one index, which is made outside of a loop."""
    found: dict[Key, dict[int, ir.Value]] = {}
    for access in packed:
        own = {k: place for k, place in enumerate(indices_of(access.op)) if not _is_made_in(place, loop)}
        others = found.get(_key(access), own)
        found[_key(access)] = {k: place for k, place in own.items() if k in others and others[k] == place}
    return found


def _is_made_in(value: ir.Value, loop: ir.Operation) -> bool:
    holder = value.owner.owner if isinstance(value.owner, ir.Block) else value.owner
    return holder.operation == loop.operation or is_inside(holder, loop)
