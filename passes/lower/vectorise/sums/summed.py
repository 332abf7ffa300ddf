"""Values that a vectorised loop needs only as their sum over the lanes.

Sums into an element that all lanes share are linear, so what leads to them linearly, with the same factors in all
lanes, can be computed on sums: one number instead of a vector.

```mlir
%p = arith.mulf %u, %v          // u the same in all lanes     %s = the sum of %v over the lanes
m[j] += %p                      // shared by the lanes         m[j] += u * %s
```

Note [Where sums are taken]: a private buffer that is only read this way holds sums too. That pays when the values
stored in it are summed no deeper in loops than what is read from it was before.

Note [Additions]: the sum of a + b over the lanes is the sum of a plus the sum of b. Where a and b nearly cancel in
every lane that loses digits which the lanes still have, so only additions that may be reordered are taken apart, and
those of two products, where rounding the products has lost as many.
"""

from __future__ import annotations

from collections.abc import Iterator

from tapeless._mlir import ir
from tapeless.passes.lower.vectorise.accesses import Access, Pattern
from tapeless.passes.lower.vectorise.flow import carried_in, is_float, is_product, partners
from tapeless.passes.lower.vectorise.lanes import LaneAnalysis, Lanes
from tapeless.passes.lower.vectorise.walking import body_of, loops_between, memref_of, nested, op_name
from tapeless.passes.marks import ACCUMULATE

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
            if accesses[store].pattern is Pattern.SHARED and not analysis.is_in_arm(store)
        }
        ops = list(nested(body_of(analysis.loop)))
        self.stores = [op for op in ops if op_name(op) == "memref.store"]
        picked = {memref_of(op) for op, access in accesses.items() if access.pattern is Pattern.PICKED}
        even = [op for op in ops if op_name(op) == "scf.for" and op.operation not in analysis.uneven]
        self.partners = dict(pair for op in even for pair in partners(op))
        self.uneven = {value for op in ops if analysis.is_in_uneven(op) for value in op.operation.results}
        picked |= {memref_of(op) for op in accesses if analysis.is_in_uneven(op) or analysis.is_in_arm(op)}
        self.buffers = {each for each in analysis.private if each not in picked and _may_hold_sums(each, analysis)}
        values = [*self.partners, *(value for op in ops for value in op.operation.results)]
        self.carried = {value for value in values if self._may_be_carried(value)}
        self._settle()
        while deeper := {each for each in {*self.buffers, *self._loop_results()} if not self._pays(each)}:
            self.buffers -= deeper
            self.carried -= deeper
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
        """Whether `value` is linear in vectors of lanes, as a result of its op or as what an inner loop carries."""
        if self.analysis.of(value) is not Lanes.VARYING or not is_float(value.type):
            return False
        if value in self.uneven:
            return False
        if value in self.partners:
            return True
        return not isinstance(value.owner, ir.Block) and self._is_linear(value.owner)

    def _is_linear(self, op: ir.Operation) -> bool:
        if op_name(op) == "arith.mulf":
            return sum(self.analysis.of(factor) is Lanes.UNIFORM for factor in op.operation.operands) == 1
        if op_name(op) in ADDITIONS:
            is_reorderable = (
                "reassoc" in str(op.operation.attributes["fastmath"]) or ACCUMULATE in op.operation.attributes
            )
            return is_reorderable or all(is_product(operand) for operand in op.operation.operands)
        return op_name(op) == "arith.negf" or (op_name(op) == "memref.load" and self.holds_sums(op))

    def _settle(self) -> None:
        """Drops what is needed as a vector until only what is needed as a sum is left."""
        size = -1
        while size != len(self.carried) + len(self.buffers):
            size = len(self.carried) + len(self.buffers)
            self.carried = {value for value in self.carried if self._is_only_summed(value)}
            self.buffers = {buffer for buffer in self.buffers if self._is_read_as_sum(buffer)}

    def _is_only_summed(self, value: ir.Value) -> bool:
        uses = [use.owner for use in value.uses]
        if value in self.partners:
            is_summed = self.partners[value] in self.carried
        elif op_name(value.owner) in ADDITIONS:
            is_summed = any(operand in self.carried for operand in value.owner.operation.operands)
        else:
            is_summed = self._is_linear(value.owner)
        return is_summed and bool(uses) and all(self._sums_up(use, value) for use in uses)

    def _sums_up(self, use: ir.Operation, value: ir.Value) -> bool:
        """Whether `use` needs `value` as a sum wherever it takes it."""
        return self._summed_operands(use).count(value) == list(use.operation.operands).count(value)

    def _loop_results(self) -> set[ir.Value]:
        """What inner loops carry as sums, as their results."""
        return {value for value in self.carried if value in self.partners and not isinstance(value.owner, ir.Block)}

    def _is_read_as_sum(self, buffer: ir.Value) -> bool:
        loads = [use.owner for use in buffer.uses if op_name(use.owner) == "memref.load"]
        return bool(loads) and all(load.operation.results[0] in self.carried for load in loads)

    def _pays(self, target: ir.Value) -> bool:
        """Whether the sums of what goes into a buffer or an inner loop are taken no deeper than those of what it gives.

        See Note [Where sums are taken].
        """
        if target in self.buffers:
            stored = [store.operation.operands[0] for store in self._stores_to(target)]
            sources = [source for value in stored for source in self._sources(value)]
            return max(map(self._depth, sources), default=0) <= self._reading_depth(target)
        return max(map(self._depth, self._sources(target)), default=0) <= self._depth(target)

    def _reading_depth(self, buffer: ir.Value) -> int:
        loads = [use.owner for use in buffer.uses if op_name(use.owner) == "memref.load"]
        plain = [load for load in loads if not self._continues_sum(load)]
        return max((loops_between(load, self.analysis.loop) for load in plain), default=0)

    def _continues_sum(self, load: ir.Operation) -> bool:
        """Whether `load` reads the old value of a sum into its own buffer."""
        sums = [use.owner for use in load.operation.results[0].uses if ACCUMULATE in use.owner.operation.attributes]
        stores = [use.owner for sum_ in sums for use in sum_.operation.results[0].uses]
        return any(memref_of(store) == memref_of(load) for store in stores)

    def _stores_to(self, buffer: ir.Value) -> list[ir.Operation]:
        return [op for op in self.stores if memref_of(op) == buffer]

    def _sources(self, value: ir.Value) -> Iterator[ir.Value]:
        """The vectors that are summed up for `value`, if that is a sum."""
        if value in self.carried:
            for operand in self._operands_behind(value):
                yield from self._sources(operand)
        elif self._is_vector(value):
            yield value

    def _operands_behind(self, value: ir.Value) -> list[ir.Value]:
        """What a sum is made of; what a loop carries counts where the loop ends."""
        if isinstance(value.owner, ir.Block):
            return []
        if value not in self.partners:
            return self._summed_operands(value.owner)
        ends = (value.owner, list(body_of(value.owner).operations)[-1])
        return [v for op in ends for v, argument in carried_in(op) if argument == self.partners[value]]

    def _summed_operands(self, op: ir.Operation) -> list[ir.Value]:
        """The operands whose sums `op` works on."""
        if op_name(op) == "memref.store":
            return [op.operation.operands[0]] if self.holds_sums(op) else []
        if op_name(op) in ("scf.for", "scf.yield"):
            return [value for value, argument in carried_in(op) if argument in self.carried]
        works_on_sums = any(value in self.carried or value in self.additions for value in op.operation.results)
        if op_name(op) == "memref.load" or not works_on_sums:
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
        return is_product(value) and all(self._sums_up(use.owner, value) for use in value.uses)


def _may_hold_sums(buffer: ir.Value, analysis: LaneAnalysis) -> bool:
    return analysis.has_own_lanes(buffer) and is_float(ir.MemRefType(buffer.type).element_type)
