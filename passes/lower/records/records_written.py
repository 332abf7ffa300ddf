"""Which arrays a launch writes records of: its thread i the whole of row i, and nothing of other rows."""

from __future__ import annotations

import math

from tapeless._mlir import ir
from tapeless.dataclasses_on_use import dataclass
from tapeless.passes.ir.machine import BANKS_BYTES, SHARED_OF_THIRD_BLOCK
from tapeless.passes.ir.search import ops_named
from tapeless.passes.ir.sizes.sizes import constant_int
from tapeless.passes.lower.launches.grids.grid_nests import nest_of
from tapeless.passes.lower.llvm.descriptor import element_bytes
from tapeless.passes.lower.records.coverage import Coverage, coverage_of
from tapeless.passes.lower.vectorise.walking import is_inside, is_made_in

# What a thread stores at once needs no help.
LARGEST_STORE = 16
BLOCK_SIZES = (256, 128, 64, 32)
# Larger records leave even the smallest block too little shared memory.
LARGEST_RECORD = SHARED_OF_THIRD_BLOCK // BLOCK_SIZES[-1]
ACCESSES = {"memref.load": 0, "memref.store": 1}


@dataclass(frozen=True)
class Record:
    """An array of records, the accesses to it in a launch, and whether these read what was there before."""

    memory: ir.Value
    accesses: list[ir.Operation]
    reads_old: bool

    @property
    def type(self) -> ir.MemRefType:
        return ir.MemRefType(self.memory.type)

    @property
    def size(self) -> int:
        """How many elements a record has."""
        return math.prod(self.type.shape[1:])

    @property
    def pitch(self) -> int:
        """How far apart records lie in shared memory: so that few threads meet in one bank."""
        return self.size + (math.gcd(self.size, BANKS_BYTES // element_bytes(self.type)) > 2)

    @property
    def bytes(self) -> int:
        return self.pitch * element_bytes(self.type)


@dataclass(frozen=True)
class Records:
    """The records of a launch, and how many threads a block has so that they fit into its shared memory."""

    found: list[Record]
    threads: int


def records_of(loop: ir.Operation) -> Records | None:
    """The records that a launch writes, if there are any that fit."""
    if len(loop.results) or [constant_int(loop.operands[0]), constant_int(loop.operands[2])] != [0, 1]:
        return None
    if len(nest_of(loop)) > 1 or ops_named(loop.opview, "memref.alloc"):
        return None
    found, total = [], 0
    for record in sorted(_all_records(loop), key=lambda record: record.bytes):
        if (total + record.bytes) * BLOCK_SIZES[-1] <= SHARED_OF_THIRD_BLOCK:
            found.append(record)
            total += record.bytes
    if not found:
        return None
    return Records(found, next(threads for threads in BLOCK_SIZES if threads * total <= SHARED_OF_THIRD_BLOCK))


def _all_records(loop: ir.Operation) -> list[Record]:
    records = []
    for memory, accesses in _accessed(loop).items():
        if _is_table(memory.type) and _are_of_one_row(memory, accesses, loop):
            coverage = coverage_of(loop, memory, ir.MemRefType(memory.type).shape[1:])
            if coverage is not Coverage.PARTIAL:
                records.append(Record(memory, accesses, coverage is Coverage.AFTER_READING))
    return records


def _accessed(loop: ir.Operation) -> dict[ir.Value, list[ir.Operation]]:
    """The arrays from outside that a loop stores to, with all that loads or stores elements of them."""
    found: dict[ir.Value, list[ir.Operation]] = {}
    for view in ops_named(loop.opview, *ACCESSES):
        memory = view.operation.operands[ACCESSES[view.operation.name]]
        found.setdefault(memory, []).append(view.operation)
    return {
        memory: accesses
        for memory, accesses in found.items()
        if any(access.name == "memref.store" for access in accesses) and not is_made_in(memory, loop)
    }


def _is_table(type_: ir.Type) -> bool:
    """Whether an array has rows of fixed size that lie one after the other."""
    table = ir.MemRefType(type_)
    if table.rank < 2 or not isinstance(table.layout, ir.AffineMapAttr) or any(size < 0 for size in table.shape[1:]):
        return False
    if isinstance(table.element_type, ir.IntegerType) and table.element_type.width < 32:
        return False
    size = math.prod(table.shape[1:]) * element_bytes(table)
    return LARGEST_STORE < size <= LARGEST_RECORD


def _are_of_one_row(memory: ir.Value, accesses: list[ir.Operation], loop: ir.Operation) -> bool:
    """Whether a launch touches, of an array, in each iteration only the row of its number."""
    variable = loop.regions[0].blocks[0].arguments[0]
    if any(access.operands[ACCESSES[access.name] + 1] != variable for access in accesses):
        return False
    others = [use.owner.operation for use in memory.uses if use.owner.operation not in accesses]
    return not any(op.name != "memref.dim" and is_inside(op, loop) for op in others)
