"""Which arrays a launch reads rows of: its thread i all elements of row i, in loops, and nothing of other rows."""

from __future__ import annotations

from tapeless._mlir import ir
from tapeless.dataclasses_on_use import dataclass
from tapeless.passes.ir.search import ops_named
from tapeless.passes.ir.sizes.sizes import constant_int
from tapeless.passes.lower.launches.grids.grid_nests import nest_of
from tapeless.passes.lower.vectorise.walking import is_made_in

STORES = {"memref.store": 1, "memref.atomic_rmw": 1}
ELEMENTS = ("f32", "f64", "i32", "i64")


@dataclass(frozen=True)
class ReadRows:
    """An array of rows, the loads from it in a launch, and how many elements a row has."""

    memory: ir.Value
    loads: list[ir.Operation]
    length: ir.Value

    @property
    def type(self) -> ir.MemRefType:
        return ir.MemRefType(self.memory.type)


def rows_read(loop: ir.Operation) -> list[ReadRows]:
    """The arrays whose rows a launch reads, if threads need no memory of their own from outside."""
    if len(loop.results) or [constant_int(loop.operands[0]), constant_int(loop.operands[2])] != [0, 1]:
        return []
    if len(nest_of(loop)) > 1 or ops_named(loop.opview, "memref.alloc"):
        return []
    written = {op.operands[place] for name, place in STORES.items() for op in ops_named(loop.opview, name)}
    loads: dict[ir.Value, list[ir.Operation]] = {}
    for view in ops_named(loop.opview, "memref.load"):
        loads.setdefault(view.operation.operands[0], []).append(view.operation)
    found = []
    for memory, own in loads.items():
        if memory not in written and _is_table(memory, loop):
            length = _whole_rows(memory, own, loop)
            if length is not None:
                found.append(ReadRows(memory, own, length))
    return found


def _is_table(memory: ir.Value, loop: ir.Operation) -> bool:
    """Whether an array from outside has rows that lie one after the other."""
    type_ = ir.MemRefType(memory.type)
    if type_.rank != 2 or not isinstance(type_.layout, ir.AffineMapAttr) or type_.memory_space is not None:
        return False
    return str(type_.element_type) in ELEMENTS and not is_made_in(memory, loop)


def _whole_rows(memory: ir.Value, loads: list[ir.Operation], loop: ir.Operation) -> ir.Value | None:
    """How long rows are, if every iteration reads only the row of its number, and all of it at least once."""
    variable = loop.regions[0].blocks[0].arguments[0]
    if any(load.operands[1] != variable for load in loads):
        return None
    lengths = [length for load in loads if (length := _length_of_walk(memory, load, loop)) is not None]
    return lengths[0] if lengths else None


def _length_of_walk(memory: ir.Value, load: ir.Operation, loop: ir.Operation) -> ir.Value | None:
    """The number of iterations of the loop that a load follows, if that is the length of a row and always runs."""
    index = load.operands[2]
    inner = index.owner.owner.operation if isinstance(index.owner, ir.Block) else None
    if inner is None or inner.name != "scf.for" or inner == loop or inner.regions[0].blocks[0].arguments[0] != index:
        return None
    low, high, step = list(inner.operands)[:3]
    if [constant_int(low), constant_int(step)] != [0, 1] or is_made_in(high, loop) or not _is_length(high, memory):
        return None
    around = load.parent.operation
    while around != loop:
        if around.name != "scf.for":
            return None
        around = around.parent.operation
    return high


def _is_length(value: ir.Value, memory: ir.Value) -> bool:
    """Whether a number is the length of the rows of an array."""
    size = ir.MemRefType(memory.type).shape[1]
    if size >= 0:
        return constant_int(value) == size
    if isinstance(value.owner, ir.Block) or value.owner.operation.name != "memref.dim":
        return False
    source, axis = value.owner.operation.operands
    return source == memory and constant_int(axis) == 1
