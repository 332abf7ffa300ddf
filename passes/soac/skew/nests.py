"""Nests of two loops that fill a table cell by cell, each cell from neighbours before it: what they read and write."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from tapeless._mlir import ir
from tapeless.dataclasses_on_use import dataclass
from tapeless.dialects.regions import terminator
from tapeless.passes.ir.scopes import is_defined_outside, is_used_once, outer_values
from tapeless.passes.ir.search import ops_named
from tapeless.passes.ir.sizes.sizes import constant_int
from tapeless.passes.soac.parallelise.own_index import OwnIndex
from tapeless.passes.soac.parallelise.totals import may_be_reordered

# How far behind a cell the cells that it reads may be, along an axis.
FARTHEST = 4
SCALAR_CODE = ("arith.", "math.")
# Numbers of elements, also by way of small arrays of a cell's own.
COMPUTING = frozenset(
    {
        "ad.stop_gradient",
        "soac.fn",
        "soac.map",
        "soac.reduce",
        "tensor.dim",
        "tensor.extract",
        "tensor.extract_slice",
        "tensor.from_elements",
    }
)
EXTRACT, INSERT, ASSERT = "tensor.extract", "tensor.insert", "soac.assert"
Offset = tuple[int, int]


@dataclass(frozen=True)
class Sum:
    """A number to which every cell adds: its position among the carried values, the addition, the addend's operand."""

    number: int
    addition: ir.OpView
    operand: int

    @property
    def addend(self) -> ir.Value:
        """What is added; it may be a neighbour, whose reads are made one."""
        return self.addition.operands[self.operand]


@dataclass(frozen=True)
class TableNest:
    """Two loops, the table that they carry, the place that an iteration writes, and reads by how far behind they are.

    `reads` are of cells that iterations before have written, where there are any; other reads see what the table
    held before the nest.
    """

    outer: ir.OpView
    inner: ir.OpView
    table: int
    write: ir.OpView
    place: Offset
    reads: dict[Offset, list[ir.OpView]]
    sums: tuple[Sum, ...]

    @staticmethod
    def of(outer: ir.OpView) -> TableNest | None:
        """The nest that a loop and the only one in it are, if they fill one table from cells before."""
        inner = _inner_loop(outer)
        if inner is None or not _writes_one_element(outer, inner):
            return None
        tables = [k for k, value in enumerate(inner.results) if isinstance(value.type, ir.RankedTensorType)]
        if len(tables) != 1:
            return None
        (table,) = tables
        sums = [_sum(inner, k) for k in range(len(inner.results)) if k != table]
        known = tuple(each for each in sums if each is not None)
        if len(known) < len(sums) or not starts_outside(outer, table):
            return None
        return _filled(outer, inner, table, known)

    @property
    def start(self) -> ir.Value:
        """The table before the nest."""
        return self.outer.operands[3 + self.table]

    @property
    def counters(self) -> tuple[ir.Value, ir.Value]:
        """The numbers of an iteration."""
        first, second = (loop.regions[0].blocks[0].arguments[0] for loop in (self.outer, self.inner))
        return first, second

    @property
    def carried(self) -> ir.Value:
        """The table as an iteration gets it."""
        return self.inner.regions[0].blocks[0].arguments[1 + self.table]

    def operations(self) -> Iterator[ir.OpView]:
        """All operations of an iteration, but for the loops."""
        for loop in (self.outer, self.inner):
            for op in list(loop.regions[0].blocks[0].operations)[:-1]:
                if op.operation != self.inner.operation:
                    yield op

    def waiting(self) -> list[ir.OpView]:
        """The operations that need cells before them, in order, but for those by which cells and sums are kept."""
        kept = [self.write.operation, *(each.addition.operation for each in self.sums)]
        operations = [op for op in self.operations() if op.operation not in kept]
        return waiting_for([op for reads in self.reads.values() for op in reads], operations)


def waiting_for(reads: Sequence[ir.OpView], operations: Iterable[ir.OpView]) -> list[ir.OpView]:
    """Those of some operations, which are in order, that need what is read."""
    late = {op.results[0] for op in reads}
    found = []
    for op in operations:
        if any(value in late for value in outer_values(op)) or _holds_any(op, late):
            late.update(op.results)
            found.append(op)
    return found


def _inner_loop(outer: ir.OpView) -> ir.OpView | None:
    """The only loop in another one, which carries what that carries and hands it back."""
    body = outer.regions[0].blocks[0]
    loops = [op for op in body.operations if op.operation.name == "scf.for"]
    if len(loops) != 1 or not all(counts_by_one(loop) for loop in (outer, loops[0])):
        return None
    (inner,) = loops
    carried = list(body.arguments)[1:]
    if list(inner.operands)[3:] != carried or list(terminator(outer.regions[0]).operands) != list(inner.results):
        return None
    is_alone = all(is_used_once(value) for value in [*carried, *inner.results])
    bounds = list(inner.operands)[:2]
    return inner if is_alone and all(is_defined_outside(bound, outer.operation) for bound in bounds) else None


def counts_by_one(loop: ir.OpView) -> bool:
    return constant_int(loop.operands[2]) == 1 and not len(loop.operation.attributes)


def _writes_one_element(outer: ir.OpView, inner: ir.OpView) -> bool:
    """Whether iterations compute numbers of numbers and elements, and write one element."""
    first = [op for op in list(outer.regions[0].blocks[0].operations)[:-1] if op.operation != inner.operation]
    second = list(inner.regions[0].blocks[0].operations)[:-1]
    writes = [op for op in second if op.operation.name == INSERT]
    return len(writes) == 1 and all(computes(op) for op in [*first, *second] if op.operation.name != INSERT)


def computes(op: ir.OpView) -> bool:
    name = op.operation.name
    if name == "scf.if":
        inside = [each for region in op.regions for block in region.blocks for each in list(block.operations)[:-1]]
        return all(computes(each) for each in inside)
    return name.startswith(SCALAR_CODE) or name in COMPUTING or name == ASSERT


def _sum(inner: ir.OpView, number: int) -> Sum | None:
    """The addition by which cells add to a carried number, if they do nothing else with it."""
    carried = inner.regions[0].blocks[0].arguments[1 + number]
    last = terminator(inner.regions[0])
    end = last.operands[number]
    if not is_used_once(carried) or isinstance(end, ir.BlockArgument) or not is_used_once(end):
        return None
    op = end.owner.opview
    if op.operation.name != "arith.addf" or carried not in list(op.operands) or not may_be_reordered(op):
        return None
    return Sum(number, op, 1 if op.operands[0] == carried else 0)


def starts_outside(outer: ir.OpView, table: int) -> bool:
    """Whether a nest is not one of many that could run side by side: it is in none, or goes on with their table."""
    holder = outer.operation.parent
    if holder.name in ("func.func", "builtin.module"):
        return True
    start = outer.operands[3 + table]
    return holder.name == "scf.for" and isinstance(start, ir.BlockArgument) and start.owner.owner == holder


def _filled(outer: ir.OpView, inner: ir.OpView, table: int, sums: Sequence[Sum]) -> TableNest | None:
    block = inner.regions[0].blocks[0]
    carried, end = block.arguments[1 + table], terminator(inner.regions[0]).operands[table]
    type_ = carried.type
    if type_.rank != 2 or not isinstance(type_.element_type, ir.F64Type | ir.F32Type):
        return None
    if isinstance(end, ir.BlockArgument) or end.owner.operation.name != INSERT or not is_used_once(end):
        return None
    write = end.owner.opview
    place = _offset(outer, inner, list(write.operands)[2:])
    if place is None or write.operands[1] != carried:
        return None
    reads: dict[Offset, list[ir.OpView]] = {}
    for use in carried.uses:
        op = use.owner.opview
        if op.operation == write.operation or op.operation.name == "tensor.dim":
            continue
        offset = _offset(outer, inner, list(op.operands)[1:]) if op.operation.name == EXTRACT else None
        if offset is None:
            return None
        behind = place[0] - offset[0], place[1] - offset[1]
        if behind > (0, 0):
            if behind[1] < 0 or max(behind) > FARTHEST:
                return None
            reads.setdefault(behind, []).append(op)
    # Where cells wait for no others along one of the axes, that one is free for maps as it is.
    along = [any(behind[axis] for behind in reads) for axis in (0, 1)]
    return TableNest(outer, inner, table, write, place, reads, tuple(sums)) if all(along) else None


def _offset(outer: ir.OpView, inner: ir.OpView, places: Sequence[ir.Value]) -> Offset | None:
    """How far places are from the numbers of an iteration, where that is always as far."""
    if len(places) != 2:
        return None
    first, second = OwnIndex.of(places[0], outer), OwnIndex.of(places[1], inner)
    if first is None or second is None or not first.is_known or not second.is_known:
        return None
    return first.constant, second.constant


def _holds_any(op: ir.OpView, values: set[ir.Value]) -> bool:
    """Whether one of the values is made in a region of an operation."""
    return any(each.results[0] in values for each in ops_named(op, EXTRACT)) if len(op.regions) else False
