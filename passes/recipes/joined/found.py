"""Two contractions of which the second takes every element of the first, as `x @ v + h @ w` does: one launch.

```mlir
scf.for %i { scf.for %j {                                   scf.for %block {
  %s = scf.for %k ...                                         // the tiles of the first contraction, then
  memref.store %s, %t[%i, %j]                                 // those of the second one; both are in registers
} } {tapeless.launch = "each thread"}                         // stores
scf.for %i { scf.for %j {                                   } {tapeless.launch = "each block"}
  %x = memref.load %t[%i, %j]
  %u = scf.for %k ...
  memref.store ...                                          // of %u and %x
} } {tapeless.launch = "each thread"}
```
Nothing else may look at `%t`, which is not written then. What the second one writes is memory that nothing of the first
one is in.
"""

from __future__ import annotations

from collections.abc import Callable

from tapeless._mlir import ir
from tapeless.dataclasses_on_use import dataclass
from tapeless.passes.lower.tiles.contraction import Contraction
from tapeless.passes.lower.tiles.nest_values import body_of, operations_between
from tapeless.passes.lower.vectorise.walking import indices_of, memref_of

LOAD, STORE = "memref.load", "memref.store"
NAMING = ("memref.subview", "memref.cast", "memref.reinterpret_cast")
# What may stand between two launches that become one.
PASSED = ("arith.", "memref.alloc", "memref.dim", *NAMING)
# What a check does when it fails, with numbers in memory of its own.
FAIL = "tl_fail"
REPORTING = (
    "arith.",
    "memref.alloca",
    STORE,
    "memref.extract_aligned_pointer_as_index",
    "llvm.inttoptr",
    "func.call",
    "scf.yield",
)
# What can be done to memory without giving it another name that outlives the operation.
TOUCHING = frozenset({LOAD, STORE, "memref.dealloc", "memref.dim", "memref.copy"})


@dataclass(frozen=True)
class Joined:
    """The two contractions, the store of the first and the load of the second that hand on its elements."""

    first: Contraction
    second: Contraction
    store: ir.Operation
    load: ir.Operation


def paired(launches: list[ir.Operation], contraction_of: Callable[[ir.Operation], Contraction | None]) -> list[Joined]:
    """All pairs of launches that can be one; no launch is in two of them."""
    found: list[Joined] = []
    for one in launches:
        other = _next_of(one)
        if other is None or other not in launches or (found and found[-1].second.loops[0] == one):
            continue
        first, second = contraction_of(one), contraction_of(other)
        joined = joined_of(first, second) if first is not None and second is not None else None
        if joined is not None:
            found.append(joined)
    return found


def _next_of(launched: ir.Operation) -> ir.Operation | None:
    """The operation after a launch, but for those that do not matter to it."""
    is_behind = False
    for view in launched.block.operations:
        if is_behind and not view.operation.name.startswith(PASSED) and not _is_check(view.operation):
            return view.operation
        is_behind |= view.operation == launched
    return None


def _is_check(op: ir.Operation) -> bool:
    """Whether an operation is a check of numbers, before or after which a launch comes to the same."""
    if op.name != "scf.if" or len(op.results):
        return False
    inside = [view.operation for region in op.regions for block in region.blocks for view in block.operations]
    calls = [ir.FlatSymbolRefAttr(each.attributes["callee"]).value for each in inside if each.name == "func.call"]
    stores = [each for each in inside if each.name == STORE]
    return (
        calls == [FAIL]
        and all(each.name.startswith(REPORTING) for each in inside)
        and all(memref_of(each).owner.operation.name == "memref.alloca" for each in stores)
    )


def joined_of(first: Contraction, second: Contraction) -> Joined | None:
    """Two contractions that can be one launch."""
    divisions = [(each.rows.loops, each.columns.loops, each.batch) for each in (first, second)]
    staged = [[value.type for side in (each.rows, each.columns) for value in side.staged] for each in (first, second)]
    if divisions[0] != divisions[1] or staged[0] != staged[1]:
        return None
    stores = [op for op in _around(first) if op.name == STORE]
    written = [memref_of(op) for op in stores]
    loads = [op for op in _around(second) if op.name == LOAD and memref_of(op) in written]
    if len(stores) != 1 or len(loads) != 1:
        return None
    made = Joined(first, second, stores[0], loads[0])
    return made if _hands_on(made) and _writes_elsewhere(made) else None


def _around(contraction: Contraction) -> list[ir.Operation]:
    return list(operations_between(contraction.loops, contraction.reduction))


def _hands_on(joined: Joined) -> bool:
    """Whether each iteration of the second takes what the same iteration of the first stores, when its sum is there,
    and nothing else looks at it.
    """
    accesses = (joined.first, joined.store), (joined.second, joined.load)
    for contraction, access in accesses:
        if indices_of(access) != [contraction.variable(number) for number in range(len(contraction.loops))]:
            return False
    second = joined.second
    used = [*second.reduction.operands, *(operand for op in body_of(second.reduction) for operand in op.operands)]
    if joined.load in second.values.closure(used):
        return False
    memory = memref_of(joined.store)
    others = [op for op in _users(memory) if op not in (joined.store, joined.load)]
    return _is_private(memory) and all(op.name == "memref.dealloc" for op in others)


def _writes_elsewhere(joined: Joined) -> bool:
    """Whether what the second stores is memory of its own, so that blocks that are ahead disturb no other."""
    written = [_memory_of(op) for op in _around(joined.second) if op.name == STORE]
    read = [_memory_of(op) for op in (*_around(joined.first), *body_of(joined.first.reduction)) if op.name == LOAD]
    return all(_is_private(each) and each not in read for each in written)


def _memory_of(access: ir.Operation) -> ir.Value:
    """What a load or store touches, by its first name."""
    value = memref_of(access)
    while not isinstance(value.owner, ir.Block) and value.owner.operation.name in NAMING:
        value = value.owner.operation.operands[0]
    return value


def _is_private(memory: ir.Value) -> bool:
    """Whether memory has no other name: it is allocated, and no loop, branch or call takes it."""
    if isinstance(memory.owner, ir.Block) or memory.owner.operation.name != "memref.alloc":
        return False
    return all(_keeps_name(op) for op in _users(memory))


def _keeps_name(user: ir.Operation) -> bool:
    """Whether an operation only touches memory, or gives it a name for which the same is true."""
    if user.name in TOUCHING:
        return True
    return user.name in NAMING and all(_keeps_name(op) for op in _users(user.results[0]))


def _users(value: ir.Value) -> list[ir.Operation]:
    return [use.owner.operation for use in value.uses]
