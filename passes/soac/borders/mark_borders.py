"""`soac-mark-borders`: maps that do something else near the ends of an axis get guards, at which `lower-peel` cuts."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

from tapeless._mlir import arith, ir
from tapeless.dataclasses_on_use import dataclass
from tapeless.passes.ir.array_loops import Loop
from tapeless.passes.ir.build import index
from tapeless.passes.ir.search import ops_named
from tapeless.passes.ir.sizes.shapes import remembered_sizes, scalar_size
from tapeless.passes.marks import GUARD
from tapeless.passes.soac.borders.interior import Interior

# Bodies with more operations than this are not doubled.
LARGEST_BODY = 160
# Loops that are known to be shorter than this many borders are not cut.
LEAST_BORDERS = 8
LOOPS = frozenset({"scf.for", "scf.while", "soac.map", "soac.reduce", "soac.fused", "soac.scan", "soac.hist"})


@dataclass(frozen=True)
class MarkBorders:
    """Lets comparisons and clamps of an index be what they are everywhere but near the ends, where a guard holds.

    ```mlir
    %left = arith.maxsi %i - 1, %c0            %inside = arith.cmpi sge, %i, %c1 {tapeless.guard}
    %x = tensor.extract %u[%left]              %left = arith.select %inside, %i - 1, (arith.maxsi %i - 1, %c0)
                                               %x = tensor.extract %u[%left]
    ```
    `lower-peel` runs most iterations without the guard, and so without branches and with neighbours side by side.
    Loops whose comparisons only choose between numbers stay as they are: those are vectors without branches already.
    """

    name: ClassVar[str] = "soac-mark-borders"
    skips_numbers: ClassVar[bool] = True

    def run(self, module: ir.Module) -> bool:
        """Marks the borders of every loop that has any; says whether there were some."""
        changed = False
        with remembered_sizes():
            for op in ops_named(module.operation.opview, "soac.map", "soac.fused"):
                changed |= _mark(op)
        return changed


def _mark(op: ir.OpView) -> bool:
    loop = Loop.seen_as(op)
    if loop.lift is None or not any(True for _ in loop.body.arguments[0].uses):
        return False
    interior = _interior(loop)
    borders = interior.first + interior.last
    if not borders or _size(loop.body) > LARGEST_BODY:
        return False
    places_matter = not any(op.name in LOOPS for op in _operations(loop.body))
    if not any(_is_worth_it(op, places_matter) for op in interior.settled):
        return False
    if isinstance(interior.width, int) and interior.width < LEAST_BORDERS * borders:
        return False
    _write(loop, interior)
    return True


def _interior(loop: Loop) -> Interior:
    interior = Interior(loop.op.operation, loop.body.arguments[0], scalar_size(loop.width))
    for op in _operations(loop.body):
        interior.take(op)
    return interior


def _operations(block: ir.Block) -> Iterator[ir.Operation]:
    """The operations of a block and of the regions in it, in the order in which they run."""
    for op in block.operations:
        yield op.operation
        for region in op.regions:
            for inner in region.blocks:
                yield from _operations(inner)


def _size(block: ir.Block) -> int:
    return sum(1 for _ in _operations(block))


def _is_worth_it(op: ir.Operation, places_matter: bool) -> bool:
    """Whether an operation decides on a branch; or is a place or decides on one, in innermost loops.

    Others read rows, whose elements are neighbours wherever the row is.
    """
    if op.name != "arith.cmpi":
        return places_matter
    waiting = [op.results[0]]
    while waiting:
        for use in waiting.pop().uses:
            user = use.owner.operation
            if user.name in ("arith.andi", "arith.ori", "arith.xori"):
                waiting.append(user.results[0])
            elif user.name == "scf.if" or (places_matter and user.name == "arith.select" and _is_place(user)):
                return True
    return False


def _is_place(choice: ir.Operation) -> bool:
    return isinstance(choice.results[0].type, ir.IndexType)


def _write(loop: Loop, interior: Interior) -> None:
    """Computes the bounds before the loop, the guards at the begin of its body, and choices behind what is settled."""
    op, body = loop.op, loop.body
    with op.location:
        with ir.InsertionPoint(op):
            first = index(interior.first)
            last = arith.subi(loop.width, index(interior.last))
        with ir.InsertionPoint.at_block_begin(body):
            guards = []
            if interior.first:
                guards.append(_guard(arith.CmpIPredicate.sge, body.arguments[0], first))
            if interior.last:
                guards.append(_guard(arith.CmpIPredicate.slt, body.arguments[0], last))
            inside = guards[0] if len(guards) == 1 else arith.andi(*guards)
    for settled, result in interior.settled.items():
        old = settled.results[0]
        uses = [(use.owner, use.operand_number) for use in old.uses]
        with ir.InsertionPoint.after(settled), settled.location:
            known = arith.constant(old.type, result) if isinstance(result, bool) else result
            chosen = arith.select(inside, known, old)
        for owner, number in uses:
            owner.operands[number] = chosen


def _guard(predicate: arith.CmpIPredicate, left: ir.Value, bound: ir.Value) -> ir.Value:
    op = arith.CmpIOp(predicate, left, bound)
    op.operation.attributes[GUARD] = ir.UnitAttr.get()
    return op.result
