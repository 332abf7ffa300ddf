"""Sums into memory: `m[i] += v`, which the lowering marks because their order does not matter.

The mark is the attribute `tapeless.accumulate` on the addition between a load and a store of the same element; a loop
whose iterations are independent but for such sums carries `tapeless.accumulating`.
"""

from __future__ import annotations

from collections.abc import Container

from tapeless._mlir import ir
from tapeless.dataclasses_on_use import dataclass
from tapeless.passes.lower.vectorise.walking import body_of, buffer_of, memref_of, nested, op_name
from tapeless.passes.marks import ACCUMULATE


@dataclass(frozen=True)
class Accumulation:
    """One sum into memory: the op that reads the old value, the addition, and the op that stores the new one."""

    load: ir.Operation
    add: ir.Operation
    store: ir.Operation

    @property
    def contribution(self) -> ir.Value:
        """What is added."""
        old = self.load.results[0]
        left, right = self.add.operands
        return right if left == old else left


class Accumulations:
    """The sums into memory of one loop."""

    def __init__(self, loop: ir.Operation, private: Container[ir.Value]) -> None:
        """Finds them; in a buffer that the loop also uses otherwise they are ordinary loads and stores."""
        marked = [_accumulation(op) for op in nested(body_of(loop)) if ACCUMULATE in op.operation.attributes]
        parts = {op for each in marked for op in (each.load, each.store)}
        accesses = [op.operation for op in nested(body_of(loop)) if op_name(op) in ("memref.load", "memref.store")]
        mixed = {buffer_of(op) for op in accesses if op not in parts}
        found = [each for each in marked if memref_of(each.store) not in private and buffer_of(each.store) not in mixed]
        self.by_store = {each.store: each for each in found}
        self.skipped = {op for each in found for op in (each.load, each.add)}

    def __bool__(self) -> bool:
        return bool(self.by_store)


def _accumulation(add: ir.OpView) -> Accumulation:
    (store,) = [use.owner.operation for use in add.operation.results[0].uses]
    loads = [value.owner.operation for value in add.operation.operands if not isinstance(value.owner, ir.Block)]
    indices = list(store.operands)[1:]
    load = next(op for op in loads if op_name(op) == "memref.load" and list(op.operands) == indices)
    return Accumulation(load, add.operation, store)
