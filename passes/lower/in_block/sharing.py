"""Which loops inside of an iteration of a launch the threads of a block may share: a test of dependences."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import field

from tapeless._mlir import ir
from tapeless.dataclasses_on_use import dataclass
from tapeless.passes.ir.search import ops_named
from tapeless.passes.ir.sizes.sizes import constant_int
from tapeless.passes.lower.in_block.allowed import CONTROL, inner_blocks
from tapeless.passes.lower.launches.kernels.failure import failed_site
from tapeless.passes.lower.launches.plan.values import is_memory
from tapeless.passes.marks import ACCUMULATING, PARALLEL

LOAD, STORE, ATOMIC_UPDATE = "memref.load", "memref.store", "memref.atomic_rmw"
# Names of an array under which its elements have other places.
VIEWS = frozenset({"memref.reinterpret_cast", "memref.subview", "memref.view", "memref.collapse_shape"})
# Arithmetic of places that differ where the index of a loop differs.
AFFINE = frozenset({"arith.addi", "arith.subi", "arith.muli", "arith.index_cast"})
SIGNS = {"arith.addi": 1, "arith.subi": -1}
# What threads do not do side by side: take memory for themselves, and wait for others.
ALONE = ("memref.alloc", "memref.dealloc", "memref.copy", "gpu.barrier")


@dataclass
class Arrays:
    """Answers which arrays a value may be, by where these are made; `viewed` are names with other places than these."""

    found: dict[ir.Value, set[ir.Value]] = field(default_factory=dict)
    viewed: set[ir.Value] = field(default_factory=set)

    def of(self, value: ir.Value) -> set[ir.Value]:
        """Allocations and arguments that a value may name."""
        if value not in self.found:
            self.found[value] = set()
            self.found[value] = self._roots(value)
        return self.found[value]

    def _roots(self, value: ir.Value) -> set[ir.Value]:
        seen: set[ir.Value] = set()
        roots: set[ir.Value] = set()
        waiting = [value]
        while waiting:
            name = waiting.pop()
            if name in seen:
                continue
            seen.add(name)
            if not isinstance(name, ir.BlockArgument) and name.owner.operation.name in VIEWS:
                self.viewed.add(value)
            sources = _sources(name)
            waiting += sources
            if not sources:
                roots.add(name)
        return roots


def _sources(name: ir.Value) -> list[ir.Value]:
    """The values that an array may be, one of which it is; none if it is made here, or nobody knows."""
    if isinstance(name, ir.BlockArgument):
        loop = name.owner.owner.operation
        if loop.name != "scf.for" or name.arg_number == 0:
            return []
        return [loop.operands[2 + name.arg_number], _end(name.owner)[name.arg_number - 1]]
    op = name.owner.operation
    if op.name in VIEWS or op.name == "memref.cast":
        return [op.operands[0]]
    if op.name == "arith.select":
        return list(op.operands)[1:]
    number = list(op.results).index(name)
    if op.name == "scf.if":
        return [_end(block)[number] for block in inner_blocks(op)]
    return [op.operands[3 + number], _end(op.regions[0].blocks[0])[number]] if op.name == "scf.for" else []


def _end(block: ir.Block) -> list[ir.Value]:
    return list(block.operations[len(block.operations) - 1].operation.operands)


def shared_loops(block: ir.Block, arrays: Arrays) -> Iterator[list[ir.Operation]]:
    """The outermost loops in a block of an iteration, and in its sequential loops and branches, that can be shared.

    Each is the first of a nest of such loops.
    """
    for op in [view.operation for view in block.operations]:
        if op.name not in CONTROL or failed_site(op) is not None:
            continue
        nest = list(_nest(op, arrays))
        if nest:
            yield nest
        else:
            for inner in inner_blocks(op):
                yield from shared_loops(inner, arrays)


def _nest(loop: ir.Operation | None, arrays: Arrays) -> Iterator[ir.Operation]:
    """A loop, if it is shared, and those that end its iterations and are shared, too."""
    while loop is not None and _is_shareable(loop, arrays):
        yield loop
        block = loop.regions[0].blocks[0]
        loop = block.operations[len(block.operations) - 2].operation if len(block.operations) > 1 else None


def _is_shareable(loop: ir.Operation, arrays: Arrays) -> bool:
    """Whether all threads of a block may run the iterations of a loop side by side.

    Loops that come from maps are independent, but for arrays of their iterations that were made once for all of them:
    these are written at places that do not depend on the index. Of any other loop, all accesses to what it writes must
    be at one place that moves with the index. A step that is computed is that of threads that share a loop already, of
    which few iterations are left.
    """
    if loop.name != "scf.for" or len(loop.results) or constant_int(loop.operands[2]) is None:
        return False
    stores = [view.operation for view in ops_named(loop.opview, STORE)]
    updates = ops_named(loop.opview, ATOMIC_UPDATE)
    if not (stores or updates) or ops_named(loop.opview, *ALONE):
        return False
    index = loop.regions[0].blocks[0].arguments[0]
    if not all(_depends(store, index) for store in stores):
        return False
    if PARALLEL in loop.attributes:
        return True
    is_independent = not updates or ACCUMULATING in loop.attributes
    return is_independent and _owns_what_it_writes(loop, stores, arrays)


def _depends(store: ir.Operation, index: ir.Value) -> bool:
    """Whether one of the places of a store is the index of a loop, or the index and more."""
    return any(_is_made_of(place, index) for place in list(store.operands)[2:])


def _is_made_of(place: ir.Value, index: ir.Value) -> bool:
    if place == index:
        return True
    if isinstance(place, ir.BlockArgument) or place.owner.operation.name not in AFFINE:
        return False
    return any(_is_made_of(operand, index) for operand in place.owner.operation.operands)


def _owns_what_it_writes(loop: ir.Operation, stores: list[ir.Operation], arrays: Arrays) -> bool:
    """Whether what a loop writes is read and written at one distance from the index of the iteration, along an axis."""
    if any(is_memory(operand.type) for call in ops_named(loop.opview, "func.call") for operand in call.operands):
        return False
    loads = [view.operation for view in ops_named(loop.opview, LOAD)]
    accesses = [(op.operands[1], list(op.operands)[2:]) for op in stores]
    accesses += [(op.operands[0], list(op.operands)[1:]) for op in loads]
    for root in {root for store in stores for root in arrays.of(store.operands[1])}:
        own = [(array, places) for array, places in accesses if root in arrays.of(array)]
        moving = [set(_moving(loop, places)) for _, places in own]
        if any(array in arrays.viewed for array, _ in own) or not set.intersection(*moving):
            return False
    return True


def _moving(loop: ir.Operation, places: list[ir.Value]) -> Iterator[tuple[int, int, frozenset[tuple[ir.Value, int]]]]:
    """The axes along which an access moves with the index of a loop, by steps of one, each with its distance."""
    index = loop.regions[0].blocks[0].arguments[0]
    for axis, place in enumerate(places):
        terms: Counter[ir.Value] = Counter()
        constant = add_terms(place, 1, terms)
        others = [term for term, times in terms.items() if times and term != index]
        if terms[index] in (1, -1) and all(is_outside(term, loop) for term in others):
            yield axis, constant, frozenset((term, times) for term, times in terms.items() if times)


def add_terms(place: ir.Value, times: int, terms: Counter[ir.Value]) -> int:
    """Takes a place apart as a sum of values, so many times each, and a constant."""
    known = constant_int(place)
    if known is not None:
        return times * known
    name = None if isinstance(place, ir.BlockArgument) else place.owner.operation.name
    if name in SIGNS:
        operands = place.owner.operation.operands
        return add_terms(operands[0], times, terms) + add_terms(operands[1], SIGNS[name] * times, terms)
    terms[place] += times
    return 0


def is_outside(value: ir.Value, loop: ir.Operation) -> bool:
    """Whether a value is the same in all iterations of a loop."""
    block = value.owner if isinstance(value.owner, ir.Block) else value.owner.operation.block
    while (holder := block.owner.operation) != loop:
        if holder.name == "func.func":
            return True
        block = holder.block
    return False
