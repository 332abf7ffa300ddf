"""A launch of threads that read a row each, as one of blocks whose threads first bring all rows to shared memory."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from tapeless._mlir import arith, ir, memref, scf
from tapeless.dataclasses_on_use import dataclass
from tapeless.dialects.array_types import DYNAMIC
from tapeless.passes.ir.machine import SHARED_WITHOUT_ASKING
from tapeless.passes.lower.grid.block_launches import WORKGROUP, send, wait_for_all
from tapeless.passes.lower.llvm.descriptor import element_bytes
from tapeless.passes.lower.records.rows_read import ReadRows
from tapeless.passes.lower.records.staging import constant, on_threads
from tapeless.passes.marks import EACH_BLOCK, LAUNCH

THREADS = 128
# How many elements of a thread are sent at a time.
AT_ONCE = 4
# Rows that a thread reads at once need no help; longer ones than fit leave too few threads to a processor.
LARGEST_READ = 16
BLOCK_BYTES = SHARED_WITHOUT_ASKING


def bring(loop: ir.Operation, rows: Sequence[ReadRows]) -> None:
    """Replaces a launch by one whose blocks bring rows, where these are neither short nor too long; sizes tell."""
    with ir.InsertionPoint(loop):
        pitches = [arith.ori(each.length, constant(1)) for each in rows]
        branch = scf.IfOp(_is_worth(rows, pitches), has_else=True)
        with ir.InsertionPoint(branch.else_block):
            loop.clone()
            scf.YieldOp([])
        with ir.InsertionPoint(branch.then_block):
            _launch(loop, rows, pitches)
            scf.YieldOp([])
    loop.erase()


def _is_worth(rows: Sequence[ReadRows], pitches: Sequence[ir.Value]) -> ir.Value:
    """Whether every row is longer than what is read at once, and those of a block fit into its shared memory."""
    total, is_worth = constant(0), arith.constant(ir.IntegerType.get_signless(1), 1)
    for each, pitch in zip(rows, pitches, strict=True):
        width = element_bytes(each.type)
        total = arith.addi(total, arith.muli(arith.minsi(pitch, constant(BLOCK_BYTES)), constant(width * THREADS)))
        is_long = arith.cmpi(arith.CmpIPredicate.sgt, each.length, constant(LARGEST_READ // width))
        is_worth = arith.andi(is_worth, is_long)
    return arith.andi(is_worth, arith.cmpi(arith.CmpIPredicate.sle, total, constant(BLOCK_BYTES)))


def _launch(loop: ir.Operation, rows: Sequence[ReadRows], pitches: Sequence[ir.Value]) -> None:
    size, high = constant(THREADS), loop.operands[1]
    counts = [arith.muli(pitch, size) for pitch in pitches]
    blocks = scf.ForOp(constant(0), arith.ceildivsi(high, size), constant(1))
    blocks.operation.attributes[LAUNCH] = ir.StringAttr.get(EACH_BLOCK)
    with ir.InsertionPoint(blocks.body):
        first = arith.muli(blocks.induction_variable, size)
        left = arith.minsi(arith.subi(high, first), size)
        tiles = [_tile(each, count) for each, count in zip(rows, counts, strict=True)]
        for each, tile, pitch in zip(rows, tiles, pitches, strict=True):
            on_threads(size, partial(_bring, each, tile, pitch, first=first, left=left))
        on_threads(size, lambda thread: _iteration(loop, list(zip(rows, tiles, pitches, strict=True)), thread, first))
        scf.YieldOp([])


def _tile(rows: ReadRows, count: ir.Value) -> ir.Value:
    """Shared memory for the rows of a block."""
    type_ = ir.MemRefType.get([DYNAMIC], rows.type.element_type, None, ir.Attribute.parse(WORKGROUP))
    return memref.alloca(type_, [count], [])


def _bring(rows: ReadRows, tile: ir.Value, pitch: ir.Value, thread: ir.Value, first: ir.Value, left: ir.Value) -> None:
    """Has every so many elements of the rows of a block sent to shared memory, and waits until they have arrived."""
    length, width = rows.length, constant(element_bytes(rows.type))
    gap, total = _narrow(arith.subi(pitch, length)), arith.muli(left, length)
    source, target = (memref.extract_aligned_pointer_as_index(memory) for memory in (rows.memory, tile))
    start = arith.addi(source, arith.muli(arith.muli(first, length), width))
    walk = _Walk.of(length)

    def copy(numbers: Sequence[ir.Value], place: Place) -> Place:
        for number in numbers:
            gaps = arith.index_cast(ir.IndexType.get(), arith.muli(place[0], gap))
            begin = arith.addi(target, arith.muli(arith.addi(number, gaps), width))
            send(arith.addi(start, arith.muli(number, width)), begin, element_bytes(rows.type))
            place = walk.moved(place)
        return place

    several = constant(AT_ONCE * THREADS)
    rounds = arith.divui(total, several)
    whole = scf.ForOp(constant(0), rounds, constant(1), walk.place_of(thread))
    with ir.InsertionPoint(whole.body):
        begin = arith.addi(arith.muli(whole.induction_variable, several), thread)
        numbers = [arith.addi(begin, constant(THREADS * offset)) for offset in range(AT_ONCE)]
        scf.YieldOp(copy(numbers, tuple(whole.inner_iter_args)))
    begin = arith.addi(arith.muli(rounds, several), thread)
    rest = scf.ForOp(begin, total, constant(THREADS), list(whole.results))
    with ir.InsertionPoint(rest.body):
        scf.YieldOp(copy([rest.induction_variable], tuple(rest.inner_iter_args)))
    wait_for_all()


# The number of a row and of a column.
Place = tuple[ir.Value, ir.Value]


@dataclass(frozen=True)
class _Walk:
    """How a thread goes on to its next element: so many rows down, so many columns along, beyond a row to the next.

    A block has few elements: half words will do.
    """

    length: ir.Value
    down: ir.Value
    along: ir.Value

    @staticmethod
    def of(length: ir.Value) -> _Walk:
        narrow, threads = _narrow(length), _half_word(THREADS)
        return _Walk(narrow, arith.divui(threads, narrow), arith.remui(threads, narrow))

    def place_of(self, number: ir.Value) -> Place:
        narrow = _narrow(number)
        return arith.divui(narrow, self.length), arith.remui(narrow, self.length)

    def moved(self, place: Place) -> Place:
        row, column = place
        further = arith.addi(column, self.along)
        is_beyond = arith.cmpi(arith.CmpIPredicate.uge, further, self.length)
        carry = arith.select(is_beyond, _half_word(1), _half_word(0))
        column = arith.select(is_beyond, arith.subi(further, self.length), further)
        return arith.addi(arith.addi(row, self.down), carry), column


def _narrow(value: ir.Value) -> ir.Value:
    return arith.index_cast(ir.IntegerType.get_signless(32), value)


def _half_word(number: int) -> ir.Value:
    return arith.constant(ir.IntegerType.get_signless(32), number)


def _iteration(
    loop: ir.Operation, staged: Sequence[tuple[ReadRows, ir.Value, ir.Value]], thread: ir.Value, first: ir.Value
) -> None:
    """What the launch did, with rows from shared memory."""
    number = arith.addi(first, thread)
    branch = scf.IfOp(arith.cmpi(arith.CmpIPredicate.slt, number, loop.operands[1]))
    with ir.InsertionPoint(branch.then_block):
        starts = [arith.muli(thread, pitch) for _, _, pitch in staged]
        end = scf.YieldOp([])
    for (rows, tile, _), start in zip(staged, starts, strict=True):
        for load in rows.loads:
            with ir.InsertionPoint(load), load.location:
                value = memref.load(tile, [arith.addi(start, load.operands[2])])
            load.results[0].replace_all_uses_with(value)
            load.erase()
    body = loop.regions[0].blocks[0]
    body.arguments[0].replace_all_uses_with(number)
    for view in list(body.operations)[:-1]:
        view.operation.move_before(end.operation)
