"""The pass `lower-scalar-replacement` keeps a value that the next iteration would load in a register."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

from tapeless._mlir import arith, ir, memref, scf
from tapeless.dataclasses_on_use import dataclass
from tapeless.passes.ir.rebuild import copy_op
from tapeless.passes.ir.regions.structure import operands_of
from tapeless.passes.ir.search import ops_named
from tapeless.passes.lower.cells.places import Cell, Places, argument_of_part, buffer_behind, places_of
from tapeless.passes.lower.vectorise.walking import (
    body_of,
    counts_by_one,
    indices_of,
    is_made_in,
    memref_of,
    op_name,
)
from tapeless.passes.marks import ACCUMULATE, ACCUMULATING, ATOMIC, PARALLEL, REDUCING

LOAD, STORE = "memref.load", "memref.store"
# What may stand in the body besides loads and stores: it touches no memory.
PURE = ("arith.", "math.", "soac.fn")
# More would not stay in registers.
MOST_CARRIED = 12
# A register that holds a pair of doubles.
PAIR_BITS = 128
# What is said of loops whose iterations do not wait for one another, which is no longer so.
INDEPENDENT = (ACCUMULATING, REDUCING)


@dataclass(frozen=True)
class CarriedCells:
    """Replaces array cells that an iteration stores and the next one loads by loop-carried scalars.

    ```mlir
    scf.for %i = %c0 to %n step %c1 {              %last = scf.for %i = %c0 to %n step %c1 iter_args(%b = %first) {
      %a = memref.load %d[%i + 1]                    %a = memref.load %d[%i + 1]
      %b = memref.load %d[%i]                        memref.store %b - %v, %d[%i]
      memref.store %a + %v, %d[%i + 1]               scf.yield %a + %v
      memref.store %b - %v, %d[%i]                 }
    }                                              memref.store %last, %d[%n]
    ```
    This is how adjoints of neighbours are summed (`x[i + 1] - x[i]`). Processors wait long for a vector whose elements
    two stores wrote just before, which is what LLVM makes of rows (`p[i + 1, 0] - p[i, 0]`).

    Stores stand at the end of an iteration, behind all that it hands on: LLVM then makes lanes of iterations. Registers
    of `vector_bits` that hold no more than two numbers gain nothing by that, for rows are pairs already.
    """

    name: ClassVar[str] = "lower-scalar-replacement"
    after: ClassVar[dict[str, str]] = {
        "lower-vectorise": "loops that carry cells run one iteration after the other",
    }
    skips_numbers: ClassVar[bool] = True

    vector_bits: int = 512

    def run(self, module: ir.Module) -> None:
        """Rewrites innermost loops without branches, one array after the other."""
        for loop in [op.operation for op in ops_named(module.operation.opview, "scf.for", outer_first=True)]:
            if _is_plain(loop):
                while (found := _first_chain(loop)) is not None:
                    loop = found.carry(stores_last=self.vector_bits > PAIR_BITS)


@dataclass(frozen=True)
class Link:
    """A cell that an iteration stores, its index in the next one, and the load of it there."""

    cell: Cell
    later: Cell
    load: ir.Operation


@dataclass(frozen=True)
class Chain:
    """The cells of one array that a loop can carry."""

    loop: ir.Operation
    places: Places
    links: tuple[Link, ...]

    def carry(self, *, stores_last: bool) -> ir.Operation:
        """Rewrites the loop; the new one stands in a branch that runs if it has iterations."""
        loop = self.loop
        begin, end, step = list(loop.operands)[:3]
        before = operands_of(loop, "carried")
        with ir.InsertionPoint(loop), loop.location:
            runs = arith.cmpi(arith.CmpIPredicate.slt, begin, end)
            branch = scf.IfOp(runs, [value.type for value in before], has_else=bool(before))
        if before:
            with ir.InsertionPoint(branch.else_block), loop.location:
                scf.YieldOp(before)
        with ir.InsertionPoint(branch.then_block), loop.location:
            firsts = [memref.load(memref_of(link.load), _at(link.load, loop, begin)) for link in self.links]
            made = scf.ForOp(begin, end, step, [*before, *firsts])
        for name in loop.attributes:
            if name not in INDEPENDENT:
                made.operation.attributes[name] = loop.attributes[name]
        gone = [self._last_store(link.cell) for link in self.links if self._is_stored(link.later)]
        with ir.InsertionPoint(branch.then_block), loop.location:
            last = arith.subi(end, _one(end))
            targets = {self.places.cells[store]: (memref_of(store), _at(store, loop, last)) for store in gone}
        self._move_body(made, {self.places.cells[store] for store in gone}, stores_last)
        with ir.InsertionPoint(branch.then_block), loop.location:
            for link, value in zip(self.links, list(made.results)[len(before) :], strict=True):
                if link.cell in targets:
                    memref.store(value, *targets[link.cell])
            scf.YieldOp(list(made.results)[: len(before)])
        for old, new in zip(loop.results, branch.results, strict=True):
            old.replace_all_uses_with(new)
        loop.erase()
        return made.operation

    def _is_stored(self, cell: Cell) -> bool:
        return any(op_name(op) == STORE and at == cell for op, at in self.places.cells.items())

    def _last_store(self, cell: Cell) -> ir.Operation:
        return [op for op, at in self.places.cells.items() if op_name(op) == STORE and at == cell][-1]

    def _move_body(self, made: scf.ForOp, gone: set[Cell], stores_last: bool) -> None:
        """Moves the body; loads of known cells go, and stores that the next iteration would overwrite."""
        body, arguments = body_of(self.loop), list(made.body.arguments)
        *statements, end = (op.operation for op in body.operations)
        cells = [self.places.cells.get(op) for op in statements]  # the hash of an op changes with its operands
        for old, new in zip(body.arguments, arguments, strict=False):
            old.replace_all_uses_with(new)
        carried = arguments[len(body.arguments) :]
        known = {link.later: value for link, value in zip(self.links, carried, strict=True)}
        last: list[ir.Operation] = []
        for op, cell in zip(statements, cells, strict=True):
            if ACCUMULATE in op.attributes:
                del op.attributes[ACCUMULATE]
            if cell is not None and op_name(op) == LOAD and cell in known:
                op.results[0].replace_all_uses_with(known[cell])
                op.erase()
                continue
            if cell is not None:
                known[cell] = op.results[0] if op_name(op) == LOAD else op.operands[0]
            if cell in gone and op_name(op) == STORE:
                op.erase()
            elif stores_last and cell is not None and op_name(op) == STORE:
                last.append(op)
            else:
                made.body.append(op)
        for op in last:
            made.body.append(op)
        with ir.InsertionPoint(made.body), end.location:
            scf.YieldOp([*end.operands, *(known[link.cell] for link in self.links)])


def _is_plain(loop: ir.Operation) -> bool:
    """Whether iterations follow one another, and nothing in them branches, calls, or adds where other threads add."""
    if PARALLEL in loop.attributes or not counts_by_one(loop):
        return False
    *statements, _ = body_of(loop).operations
    return not any(ATOMIC in op.operation.attributes for op in statements) and all(
        op_name(op) in (LOAD, STORE) or op_name(op).startswith(PURE) for op in statements
    )


def _first_chain(loop: ir.Operation) -> Chain | None:
    accesses = [op.operation for op in body_of(loop).operations if op_name(op) in (LOAD, STORE)]
    for memory in dict.fromkeys(memref_of(op) for op in accesses if op_name(op) == STORE):
        found = _chain(loop, memory, accesses)
        if found is not None:
            return found
    return None


def _chain(loop: ir.Operation, memory: ir.Value, accesses: list[ir.Operation]) -> Chain | None:
    if not _is_alone(memory, [memref_of(op) for op in accesses]):
        return None
    places = places_of([op for op in accesses if memref_of(op) == memory], loop)
    if places is None:
        return None
    links = tuple(_links(places))
    return Chain(loop, places, links) if 0 < len(links) <= MOST_CARRIED else None


def _is_alone(memory: ir.Value, accessed: list[ir.Value]) -> bool:
    """Whether no other array of the loop can share memory with this one."""
    own, others = _buffer(memory), {_buffer(other) for other in accessed if other != memory}
    return own is not None and None not in others and own not in others


def _buffer(memory: ir.Value) -> ir.Value | None:
    return buffer_behind(memory) or argument_of_part(memory)


def _links(places: Places) -> Iterator[Link]:
    """The cells that are stored, and loaded by the next iteration before anything is stored there."""
    stored = dict.fromkeys(cell for op, cell in places.cells.items() if op_name(op) == STORE)
    firsts: dict[Cell, ir.Operation] = {}
    for op, cell in places.cells.items():
        firsts.setdefault(cell, op)
    for cell in stored:
        first = firsts.get(places.later(cell))
        if first is not None and op_name(first) == LOAD:
            yield Link(cell, places.later(cell), first)


def _at(access: ir.Operation, loop: ir.Operation, iteration: ir.Value) -> list[ir.Value]:
    """The indices of an access in an iteration, computed before the loop."""
    values = {body_of(loop).arguments[0]: iteration}

    def copied(value: ir.Value) -> ir.Value:
        if value not in values and is_made_in(value, loop):
            for operand in value.owner.operands:
                copied(operand)
            copy_op(value.owner, values)
        return values.get(value, value)

    return [copied(index) for index in indices_of(access)]


def _one(like: ir.Value) -> ir.Value:
    return arith.constant(like.type, 1)
