"""A launch of threads as one of blocks, whose records lie in shared memory until all of a block are there."""

from __future__ import annotations

from collections.abc import Callable

from tapeless._mlir import arith, ir, memref, scf
from tapeless.dialects.array_types import DYNAMIC
from tapeless.passes.lower.grid.block_launches import WORKGROUP
from tapeless.passes.lower.records.records_written import ACCESSES, Record, Records
from tapeless.passes.marks import EACH_BLOCK, LAUNCH, THREADS


def stage(loop: ir.Operation, records: Records) -> None:
    """Replaces a launch by one that copies its records in blocks."""
    with ir.InsertionPoint(loop):
        size, high = constant(records.threads), loop.operands[1]
        zero, one = constant(0), constant(1)
        blocks = scf.ForOp(zero, arith.ceildivsi(high, size), one)
        blocks.operation.attributes[LAUNCH] = ir.StringAttr.get(EACH_BLOCK)
    with ir.InsertionPoint(blocks.body):
        first = arith.muli(blocks.induction_variable, size)
        left = arith.minsi(arith.subi(high, first), size)
        tiles = [_tile(record, records.threads) for record in records.found]
        pairs = list(zip(records.found, tiles, strict=True))
        if any(record.reads_old for record in records.found):
            on_threads(size, lambda thread: _copies(pairs, thread, size, first, left, inwards=True))
        on_threads(size, lambda thread: _iteration(loop, pairs, thread, first))
        on_threads(size, lambda thread: _copies(pairs, thread, size, first, left, inwards=False))
        scf.YieldOp([])
    loop.erase()


def _tile(record: Record, threads: int) -> ir.Value:
    """Shared memory for the records of a block."""
    space = ir.Attribute.parse(WORKGROUP)
    type_ = ir.MemRefType.get([threads * record.pitch], record.type.element_type, None, space)
    return memref.alloca(type_, [], [])


def on_threads(count: ir.Value, body: Callable[[ir.Value], None]) -> None:
    loop = scf.ForOp(constant(0), count, constant(1))
    loop.operation.attributes[THREADS] = ir.UnitAttr.get()
    with ir.InsertionPoint(loop.body):
        body(loop.induction_variable)
        scf.YieldOp([])


def _iteration(loop: ir.Operation, pairs: list[tuple[Record, ir.Value]], thread: ir.Value, first: ir.Value) -> None:
    """What the launch did, with records in shared memory."""
    number = arith.addi(first, thread)
    branch = scf.IfOp(arith.cmpi(arith.CmpIPredicate.slt, number, loop.operands[1]))
    with ir.InsertionPoint(branch.then_block):
        starts = [arith.muli(thread, constant(record.pitch)) for record, _ in pairs]
        end = scf.YieldOp([])
    for (record, tile), start in zip(pairs, starts, strict=True):
        for access in record.accesses:
            _redirect(access, record, tile, start)
    body = loop.regions[0].blocks[0]
    body.arguments[0].replace_all_uses_with(number)
    for view in list(body.operations)[:-1]:
        view.operation.move_before(end.operation)


def _redirect(access: ir.Operation, record: Record, tile: ir.Value, start: ir.Value) -> None:
    """Has an access go to shared memory."""
    indices = list(access.operands)[ACCESSES[access.name] + 2 :]
    with ir.InsertionPoint(access), access.location:
        place = start
        for axis, index in enumerate(indices):
            stride = 1
            for size in record.type.shape[axis + 2 :]:
                stride *= size
            place = arith.addi(place, arith.muli(index, constant(stride)) if stride > 1 else index)
        if access.name == "memref.store":
            memref.store(access.operands[0], tile, [place])
        else:
            access.results[0].replace_all_uses_with(memref.load(tile, [place]))
    access.erase()


def _copies(
    pairs: list[tuple[Record, ir.Value]],
    thread: ir.Value,
    size: ir.Value,
    first: ir.Value,
    left: ir.Value,
    *,
    inwards: bool,
) -> None:
    """Copies records between memory and shared memory, every so many elements for each thread."""
    for record, tile in pairs:
        if inwards and not record.reads_old:
            continue
        length = constant(record.size)
        flat, start = _flat(record), arith.muli(first, length)
        elements = scf.ForOp(thread, arith.muli(left, length), size)
        with ir.InsertionPoint(elements.body):
            number = elements.induction_variable
            outside, inside = arith.addi(start, number), _place(record, number)
            if inwards:
                memref.store(memref.load(flat, [outside]), tile, [inside])
            else:
                memref.store(memref.load(tile, [inside]), flat, [outside])
            scf.YieldOp([])


def _flat(record: Record) -> ir.Value:
    """All elements of an array of records in one row."""
    total = record.type.shape[0] * record.size if record.type.shape[0] >= 0 else DYNAMIC
    axes = [list(range(record.type.rank))]
    return memref.collapse_shape(ir.MemRefType.get([total], record.type.element_type), record.memory, axes)


def _place(record: Record, number: ir.Value) -> ir.Value:
    """Where the element of a number among those of a block lies in shared memory."""
    if record.pitch == record.size:
        return number
    index, i32 = ir.IndexType.get(), ir.IntegerType.get_signless(32)
    narrow = arith.index_cast(i32, number)
    row = arith.divui(narrow, arith.constant(i32, record.size))
    gaps = arith.muli(row, arith.constant(i32, record.pitch - record.size))
    return arith.index_cast(index, arith.addi(narrow, gaps))


def constant(number: int) -> ir.Value:
    return arith.constant(ir.IndexType.get(), number)
