"""Values that a vectorised loop needs only as their sum over the lanes.

Sums into an element that all lanes share are linear, so what leads to them linearly, with the same factors in all
lanes, can be computed on sums: one number instead of a vector.

```mlir
%p = arith.mulf %u, %v          // u the same in all lanes     %s = the sum of %v over the lanes
m[j] += %p                      // shared by the lanes         m[j] += u * %s
```

Note [Where sums are taken]: a private buffer that is only read this way holds sums too. That pays when the values
stored in it are summed no deeper in loops than what is read from it was before.
"""

from __future__ import annotations

from collections.abc import Iterator

from tapeless._mlir import ir
from tapeless.passes.lower.spmd.accesses import Access, Pattern
from tapeless.passes.lower.spmd.accumulations import MARK
from tapeless.passes.lower.spmd.blocks import body_of, loops_between, memref_of, nested, op_name
from tapeless.passes.lower.spmd.lanes import LaneAnalysis, Lanes

ADDITIONS = ("arith.addf", "arith.subf")


class SummedValues:
    """The values of a loop that are carried as sums, the buffers that hold sums, and the vectors that are summed up.

    `carried` exist only as sums; `taken` are vectors whose sum over the lanes is needed as well; `products` are those
    of `taken` that nothing needs as vectors, so that their sum can be computed without them.
    """

    def __init__(self, analysis: LaneAnalysis, accesses: dict[ir.Operation, Access]) -> None:
        self.analysis = analysis
        self.additions = {
            each.add.results[0]
            for store, each in analysis.accumulations.by_store.items()
            if accesses[store].pattern is Pattern.SHARED
        }
        ops = list(nested(body_of(analysis.loop)))
        self.stores = [op for op in ops if op_name(op) == "memref.store"]
        self.buffers = {buffer for buffer in analysis.private if _may_hold_sums(buffer, analysis)}
        self.carried = {value for op in ops for value in op.operation.results if self._may_be_carried(value)}
        self._settle()
        while shallow := [buffer for buffer in self.buffers if not self._pays(buffer)]:
            self.buffers.difference_update(shallow)
            self._settle()
        self.taken = {value for op in ops for value in self._summed_operands(op) if self._is_vector(value)}
        self.products = {value for value in self.taken if self._is_plain_product(value)}

    def __bool__(self) -> bool:
        return bool(self.additions)

    def holds_sums(self, access: ir.Operation) -> bool:
        """Whether a load or store touches a buffer of sums."""
        return memref_of(access) in self.buffers

    def _is_vector(self, value: ir.Value) -> bool:
        return self.analysis.of(value) is not Lanes.UNIFORM and value not in self.carried

    def _may_be_carried(self, value: ir.Value) -> bool:
        """Whether the op that makes `value` is linear in vectors of lanes."""
        op = value.owner
        if self.analysis.of(value) is not Lanes.VARYING or not isinstance(value.type, (ir.F64Type, ir.F32Type)):
            return False
        if op_name(op) == "arith.mulf":
            return sum(self.analysis.of(factor) is Lanes.UNIFORM for factor in op.operation.operands) == 1
        if op_name(op) in ADDITIONS:
            return "reassoc" in str(op.operation.attributes["fastmath"]) or MARK in op.operation.attributes
        return op_name(op) == "arith.negf" or (op_name(op) == "memref.load" and self.holds_sums(op))

    def _settle(self) -> None:
        """Drops what is needed as a vector until only what is needed as a sum is left."""
        size = -1
        while size != len(self.carried) + len(self.buffers):
            size = len(self.carried) + len(self.buffers)
            self.carried = {value for value in self.carried if self._is_only_summed(value)}
            self.buffers = {buffer for buffer in self.buffers if self._is_read_as_sum(buffer)}

    def _is_only_summed(self, value: ir.Value) -> bool:
        op, uses = value.owner, [use.owner for use in value.uses]
        if op_name(op) == "memref.load" and not self.holds_sums(op):
            return False
        if op_name(op) in ADDITIONS and not any(operand in self.carried for operand in op.operation.operands):
            return False
        return bool(uses) and all(self._sums_up(use, value) for use in uses)

    def _sums_up(self, use: ir.Operation, value: ir.Value) -> bool:
        """Whether `use` needs `value` as a sum."""
        if op_name(use) == "memref.store":
            return self.holds_sums(use) and use.operation.operands[0] == value
        return any(result in self.carried or result in self.additions for result in use.operation.results)

    def _is_read_as_sum(self, buffer: ir.Value) -> bool:
        loads = [use.owner for use in buffer.uses if op_name(use.owner) == "memref.load"]
        return bool(loads) and all(load.operation.results[0] in self.carried for load in loads)

    def _pays(self, buffer: ir.Value) -> bool:
        """Whether the sums of what `buffer` stores are taken no deeper than those of what it gives back."""
        depths = [self._depth(value) for store in self._stores_to(buffer) for value in self._sources(store)]
        return max(depths, default=0) <= self._reading_depth(buffer)

    def _reading_depth(self, buffer: ir.Value) -> int:
        loads = [use.owner for use in buffer.uses if op_name(use.owner) == "memref.load"]
        plain = [load for load in loads if not self._continues_sum(load)]
        return max((loops_between(load, self.analysis.loop) for load in plain), default=0)

    def _continues_sum(self, load: ir.Operation) -> bool:
        """Whether `load` reads the old value of a sum into its own buffer."""
        sums = [use.owner for use in load.operation.results[0].uses if MARK in use.owner.operation.attributes]
        stores = [use.owner for sum_ in sums for use in sum_.operation.results[0].uses]
        return any(memref_of(store) == memref_of(load) for store in stores)

    def _stores_to(self, buffer: ir.Value) -> list[ir.Operation]:
        return [op for op in self.stores if memref_of(op) == buffer]

    def _sources(self, op: ir.Operation) -> Iterator[ir.Value]:
        """The vectors that are summed up for what `op` computes or stores."""
        for value in self._summed_operands(op):
            if value in self.carried:
                yield from self._sources(value.owner)
            elif self._is_vector(value):
                yield value

    def _summed_operands(self, op: ir.Operation) -> list[ir.Value]:
        """The operands whose sums `op` works on."""
        if op_name(op) == "memref.store":
            return [op.operation.operands[0]] if self.holds_sums(op) else []
        results = list(op.operation.results)
        if op_name(op) == "memref.load" or not any(
            value in self.carried or value in self.additions for value in results
        ):
            return []
        return [value for value in op.operation.operands if not self._reads_shared_element(value)]

    def _reads_shared_element(self, value: ir.Value) -> bool:
        """Whether `value` is the old value of an element that a sum goes into."""
        return not isinstance(value.owner, ir.Block) and value.owner.operation in self.analysis.accumulations.skipped

    def _depth(self, value: ir.Value) -> int:
        if isinstance(value.owner, ir.Block):
            return loops_between(value.owner.owner, self.analysis.loop) + 1
        return loops_between(value.owner, self.analysis.loop)

    def _is_plain_product(self, value: ir.Value) -> bool:
        if isinstance(value.owner, ir.Block) or op_name(value.owner) != "arith.mulf":
            return False
        return all(self._sums_up(use.owner, value) for use in value.uses)


def _may_hold_sums(buffer: ir.Value, analysis: LaneAnalysis) -> bool:
    element = ir.MemRefType(buffer.type).element_type
    return analysis.has_own_lanes(buffer) and isinstance(element, (ir.F64Type, ir.F32Type))
