"""The pass `lower-fuse-reductions`: what a loop would store only for the next loop to sum up, it sums up itself."""

from __future__ import annotations

from typing import ClassVar

from tapeless._mlir import ir, scf
from tapeless.dataclasses_on_use import dataclass
from tapeless.passes.ir.regions.structure import operands_of
from tapeless.passes.ir.search import ops_named
from tapeless.passes.lower.vectorise.walking import body_of, indices_of, memref_of, op_name
from tapeless.passes.marks import ACCUMULATING

ALLOCATIONS = ("memref.alloc", "memref.alloca")
FREE = ("memref.dealloc", "memref.dim")


@dataclass(frozen=True)
class CarriedSums:
    """Fuses a producer loop with the reduction that is the only reader of its temporary array.

    Such a loop runs one iteration after the other, so it can carry the reductions in the order they had. Reading
    vectors of what was just stored element by element would wait until all of it has reached the cache.

    ```mlir
    scf.for %i = %c0 to %n step %c1 {                     %s = scf.for %i = %c0 to %n step %c1 iter_args(%a = %z) {
      ...                                                   ...
      memref.store %v, %t[%i]                               %b = arith.addf %a, %v
    } {tapeless.accumulating}                               scf.yield %b
    %s = scf.for %i = %c0 to %n ... iter_args(%a = %z) {  } {tapeless.accumulating}
      %v = memref.load %t[%i]
      %b = arith.addf %a, %v
      scf.yield %b
    }
    ```
    """

    name: ClassVar[str] = "lower-fuse-reductions"
    skips_numbers: ClassVar[bool] = True

    def run(self, module: ir.Module) -> None:
        """Joins the loops of the module."""
        found = ops_named(module.operation.opview, "scf.for", outer_first=True)
        loops = [op.operation for op in found if ACCUMULATING in op.operation.attributes]
        for filling in loops:
            pairs = _reductions_of(filling)
            if pairs:
                _join(filling, pairs)


@dataclass(frozen=True)
class Reduction:
    """A store into a temporary, and the loop that reduces the stored values."""

    store: ir.Operation
    loop: ir.Operation

    @property
    def load(self) -> ir.Operation:
        """The load of the stored value."""
        return body_of(self.loop).operations[0].operation


def _reductions_of(filling: ir.Operation) -> list[Reduction]:
    """The reductions that a loop can carry."""
    if len(filling.results):
        return []
    stores = [op.operation for op in body_of(filling).operations if op_name(op) == "memref.store"]
    found = [(store, _only_reader(store, filling)) for store in stores]
    return [Reduction(store, loop) for store, loop in found if loop is not None]


def _only_reader(store: ir.Operation, filling: ir.Operation) -> ir.Operation | None:
    """The loop after `filling`, over the same iterations, that alone reads a temporary and only reduces it."""
    temporary = memref_of(store)
    if isinstance(temporary, ir.BlockArgument) or op_name(temporary.owner) not in ALLOCATIONS:
        return None
    others = [use.owner.operation for use in temporary.uses if op_name(use.owner) not in FREE]
    others = [op for op in others if op != store]
    if len(others) != 1 or op_name(others[0]) != "memref.load":
        return None
    load, loop = others[0], others[0].parent.operation
    reads = op_name(loop) == "scf.for" and indices_of(load) == [body_of(loop).arguments[0]]
    fills = indices_of(store) == [body_of(filling).arguments[0]]
    is_same = reads and fills and list(loop.operands)[:3] == list(filling.operands)[:3]
    return loop if is_same and _only_reduces(loop, load) and _follows(loop, filling) else None


def _only_reduces(loop: ir.Operation, load: ir.Operation) -> bool:
    """Whether a loop carries one value and combines it with its loads, by one op."""
    first, *rest = body_of(loop).operations
    if first.operation != load or len(loop.results) != 1 or len(rest) != 2:
        return False
    variable, carried = body_of(loop).arguments
    combine, end = (op.operation for op in rest)
    operands = list(combine.operands)
    is_combined = operands in ([carried, load.results[0]], [load.results[0], carried])
    return is_combined and list(end.operands) == list(combine.results) and variable not in operands


def _follows(loop: ir.Operation, filling: ir.Operation) -> bool:
    """Whether a loop stands after `filling` in its block and starts from a value that is there before."""
    if loop.block != filling.block:
        return False
    operations = [op.operation for op in filling.block.operations]
    before = operations[: operations.index(filling)]
    start = operands_of(loop, "carried")[0]
    if isinstance(start, ir.BlockArgument) or start.owner.operation.block != filling.block:
        return loop in operations[len(before) :]
    return loop in operations[len(before) :] and start.owner.operation in before


def _join(filling: ir.Operation, reductions: list[Reduction]) -> None:
    """Replaces a loop and the reductions of its stores by one loop that carries them."""
    with ir.InsertionPoint(filling), filling.location:
        joined = scf.ForOp(*list(filling.operands)[:3], [operands_of(each.loop, "carried")[0] for each in reductions])
    for name in filling.attributes:
        joined.operation.attributes[name] = filling.attributes[name]
    body_of(filling).arguments[0].replace_all_uses_with(joined.induction_variable)
    *statements, end = body_of(filling).operations
    for op in statements:
        joined.body.append(op)
    pairs = zip(reductions, joined.inner_iter_args, joined.results, strict=True)
    combined = [_combine(each, carried, result, joined.body) for each, carried, result in pairs]
    end.operation.erase()
    with ir.InsertionPoint(joined.body), filling.location:
        scf.YieldOp(combined)
    filling.erase()


def _combine(reduction: Reduction, carried: ir.Value, total: ir.Value, body: ir.Block) -> ir.Value:
    """Moves the op that combines to the end of `body`; the temporary goes."""
    store, loop = reduction.store, reduction.loop
    temporary, stored = memref_of(store).owner.operation, store.operands[0]
    combine = body_of(loop).operations[1].operation
    reduction.load.results[0].replace_all_uses_with(stored)
    body_of(loop).arguments[1].replace_all_uses_with(carried)
    loop.results[0].replace_all_uses_with(total)
    result = combine.results[0]
    body_of(loop).operations[2].operation.erase()
    body.append(combine)
    loop.erase()
    store.erase()
    _remove_unused(temporary)
    return result


def _remove_unused(temporary: ir.Operation) -> None:
    users = [use.owner.operation for use in temporary.results[0].uses]
    if all(op_name(user) == "memref.dealloc" for user in users):
        for op in (*users, temporary):
            op.erase()
