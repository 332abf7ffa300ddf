"""Arrays that a chain of slice writes fills slab by slab: built anew, so that nothing but their borders is copied.

```mlir
%1 = tensor.insert_slice %a into %0[0, 1] [1, %m] [1, 1] : tensor<?xf64> into tensor<2x?xf64>
%2 = tensor.insert_slice %b into %1[1, 1] [1, %m] [1, 1] : tensor<?xf64> into tensor<2x?xf64>
```
When `%a` and `%b` come from a loop that reads `%0`, neither can be built in it. With `%m` two less than the size of the
axis they are built in the memory of `%1`, which is new, and two columns of `%0` are copied.
"""

from __future__ import annotations

from tapeless._mlir import ir
from tapeless.dataclasses_on_use import dataclass
from tapeless.dialects.array_types import DYNAMIC
from tapeless.passes.ir.places.places import Place, are_disjoint
from tapeless.passes.ir.places.slices import slice_offsets, slice_sizes, slice_strides
from tapeless.passes.lower.storage.aliases.coverage import is_nearly
from tapeless.passes.lower.storage.aliasing import StoragePlan
from tapeless.passes.lower.storage.storage import Storage
from tapeless.passes.lower.storage.tree import Node

# Slice writes in a row, a bound of compile time: a guess that fits the programs.
LONGEST_CHAIN = 128


@dataclass(frozen=True)
class Slabs:
    """The writes that fill an array: each takes some indices of one axis, and nearly all of the others."""

    axis: int
    writes: list[Node]
    chain: list[Node]


def find_slabs(plan: StoragePlan, first: Node) -> Slabs | None:
    """The slabs that a chain of writes starting with `first` fills, if all sources can be built where they end."""
    if plan.storages.naive:
        return None
    chain = chain_of_writes(plan, first)
    shape = first.operands[1].type.shape
    for axis, size in enumerate(shape):
        slabs = covering_slabs(plan, chain, axis, size) if size not in (DYNAMIC, 0) else None
        if slabs is not None and can_build_all(plan, slabs, first):
            return slabs
    return None


def chain_of_writes(plan: StoragePlan, first: Node) -> list[Node]:
    """The slice writes into the results of each other, as long as nothing else looks at the array in between."""
    chain = [first]
    while len(chain) < LONGEST_CHAIN:
        reads = plan.tree.reads(chain[-1].results[0])
        if len(reads) != 1 or reads[0].name != "tensor.insert_slice" or not reads[0].same_block(first):
            break
        if reads[0].operands[1] != chain[-1].results[0]:
            break
        chain.append(reads[0])
    return chain


def covering_slabs(plan: StoragePlan, chain: list[Node], axis: int, size: int) -> Slabs | None:
    """The writes of a chain that have all indices of an axis between them and can happen before the others."""
    covered: set[int] = set()
    writes: list[Node] = []
    for number, node in enumerate(chain):
        indices = slab_indices(plan, node, axis)
        if indices and covered.isdisjoint(indices) and is_beside(node, chain[:number]):
            covered.update(indices)
            writes.append(node)
            if len(covered) == size:
                return Slabs(axis, writes, chain[: number + 1])
    return None


def slab_indices(plan: StoragePlan, node: Node, axis: int) -> range:
    """The indices of an axis that a write takes; none unless it has nearly all of the other axes."""
    offsets, sizes = slice_offsets(node.op), slice_sizes(node.op)
    offset, size = offsets[axis], sizes[axis]
    has_gaps = any(stride != 1 for stride in slice_strides(node.op))
    if has_gaps or not isinstance(offset, int) or not isinstance(size, int):
        return range(0)
    others = [k for k in range(len(sizes)) if k != axis]
    nearly = bool(others) and all(is_nearly(plan, sizes[k], plan.size(node.operands[1], k)) for k in others)
    return range(offset, offset + size) if nearly else range(0)


def is_beside(node: Node, earlier: list[Node]) -> bool:
    """Whether a write touches nothing that earlier writes of the chain do."""
    place = Place.of(node.op)
    return all(are_disjoint(place, Place.of(other.op)) for other in earlier)


def can_build_all(plan: StoragePlan, slabs: Slabs, first: Node) -> bool:
    """Whether every source is made before the first write, is looked at by nothing later, and may lie elsewhere."""
    parts = [write.operands[0] for write in slabs.writes]
    if len(set(parts)) != len(parts) or not all(is_known_before(plan, write, first) for write in slabs.writes):
        return False
    return all(can_build(plan, write, first) for write in slabs.writes)


def can_build(plan: StoragePlan, write: Node, first: Node) -> bool:
    part, storages = write.operands[0], plan.storages
    if part not in storages.storages or not storages.is_whole(part):
        return False
    storage, target = storages.of(part), plan.tree.definition[first.operands[1]]
    if storage.home.position <= target.position and not target.contains(storage.home):
        return False
    if not storage.sinkable or storage.sink is not None or not storage.home.same_block(first):
        return False
    looks = [node for member in storage.members for node in plan.tree.reads(member)]
    return all(node.position < first.position or node is write for node in looks)


def is_known_before(plan: StoragePlan, write: Node, first: Node) -> bool:
    """Whether where a slice lies is known before the first write."""
    bounds = [*slice_offsets(write.op), *slice_sizes(write.op)]
    values = [value for value in bounds if isinstance(value, ir.Value)]
    return all(plan.tree.definition[value].position < first.position for value in values)


def start_slabs(plan: StoragePlan, slabs: Slabs) -> Storage:
    """Gives the chain of writes its new memory, which is needed as soon as the first source is made."""
    first = slabs.chain[0]
    whole = plan.storages.fresh(first.results[0], first)
    homes = [plan.storages.of(write.operands[0]).home for write in slabs.writes]
    whole.home = min([first, *homes], key=lambda node: node.position)
    plan.slabs[first] = slabs
    plan.chained.update((node, slabs) for node in slabs.chain[1:])
    return whole
