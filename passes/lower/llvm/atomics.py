"""Sums into memory that threads share: `m[i] += v` as one atomic addition per element.

The lowering marks such additions with `tapeless.atomic`, beside the mark of all sums into memory, so that loops around
them are vectorised as others are. What then is a load, an addition and a store becomes atomic here:

```mlir
%old = memref.load %m[%i]
%new = arith.addf %old, %v {tapeless.atomic}        memref.atomic_rmw addf %v, %m[%i]
memref.store %new, %m[%i]
```
"""

from __future__ import annotations

from collections.abc import Sequence

from tapeless._mlir import arith, ir, memref, vector
from tapeless.passes.ir.search import ops_named
from tapeless.passes.marks import ATOMIC

LOADS = frozenset({"memref.load", "vector.load"})
KINDS = {"arith.addf": arith.AtomicRMWKind.addf, "arith.addi": arith.AtomicRMWKind.addi}


def make_sums_atomic(root: ir.Operation) -> None:
    """Rewrites all marked additions below an operation."""
    for addition in [op.operation for op in ops_named(root.opview, *KINDS) if ATOMIC in op.operation.attributes]:
        _rewrite(addition)


def _rewrite(addition: ir.Operation) -> None:
    (store,) = [use.owner.operation for use in addition.results[0].uses]
    place = list(store.operands)[1:]
    load = next(value.owner for value in addition.operands if _reads(value, place))
    (added,) = [value for value in addition.operands if value != load.operation.results[0]]
    with ir.InsertionPoint(store), addition.location:
        for offset, piece in enumerate(_elements(added)):
            memref.AtomicRMWOp(KINDS[addition.name], piece, place[0], _moved(place[1:], offset))
    for op in (store, addition, load.operation):
        op.erase()


def _reads(value: ir.Value, place: Sequence[ir.Value]) -> bool:
    """Whether a value was loaded from a place."""
    if isinstance(value.owner, ir.Block) or value.owner.operation.name not in LOADS:
        return False
    return list(value.owner.operation.operands) == list(place)


def _elements(value: ir.Value) -> list[ir.Value]:
    if not isinstance(value.type, ir.VectorType):
        return [value]
    return [vector.ExtractOp(value, [], [lane]).result for lane in range(value.type.shape[0])]


def _moved(indices: Sequence[ir.Value], offset: int) -> list[ir.Value]:
    """Indices of a later element of the last axis."""
    if not offset:
        return list(indices)
    *outer, last = indices
    return [*outer, arith.AddIOp(last, arith.ConstantOp(ir.IndexType.get(), offset).result).result]
