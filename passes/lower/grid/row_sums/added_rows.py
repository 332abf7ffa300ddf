"""Which rows of tables an iteration adds to, each at an index that it finds once."""

from __future__ import annotations

import math
from collections.abc import Iterator

from tapeless._mlir import ir
from tapeless.dataclasses_on_use import dataclass
from tapeless.passes.ir.machine import BANKS_BYTES, SHARED_OF_THIRD_BLOCK
from tapeless.passes.lower.blocks.copies import element_type
from tapeless.passes.lower.llvm.descriptor import element_bytes
from tapeless.passes.lower.loops.maps import Map
from tapeless.passes.lower.loops.views import View, whole_view
from tapeless.passes.lower.storage.aliasing import is_accumulator
from tapeless.passes.lower.storage.tree import Node

BLOCK_SIZES = (256, 128, 64, 32)
# Threads keep their rows in registers while they add to them.
MOST_ELEMENTS = 64
INDEX_BYTES = 8
# Larger arrays of a thread would come from the heap of the device.
LARGEST_OWN_BYTES = 1024
ELEMENTS = ("f32", "f64", "i32", "i64")


@dataclass(frozen=True)
class Rows:
    """A table and the indices of those rows of it to which an iteration adds."""

    number: int
    table: View
    leads: tuple[ir.Value, ...]

    @property
    def element(self) -> ir.Type:
        return element_type(self.table)

    @property
    def shape(self) -> list[int]:
        """The sizes of a row."""
        return [size for size in self.table.sizes[1:] if isinstance(size, int)]

    @property
    def length(self) -> int:
        """How many elements a row has."""
        return math.prod(self.shape)

    @property
    def size(self) -> int:
        """How many elements all rows of an iteration have."""
        return self.length * len(self.leads)

    @property
    def pitch(self) -> int:
        """How far apart those of two threads lie in shared memory: so that few threads meet in one bank."""
        width = element_bytes(ir.MemRefType(self.table.base.type))
        return self.size + (math.gcd(self.size, BANKS_BYTES // width) > 2)

    @property
    def bytes(self) -> int:
        return self.pitch * element_bytes(ir.MemRefType(self.table.base.type)) + INDEX_BYTES * len(self.leads)


@dataclass(frozen=True)
class AddedRows:
    """The rows to which the iterations of a map add, and how many threads have room for theirs in a block."""

    found: list[Rows]
    threads: int


def added_rows(opened: Map) -> AddedRows | None:
    """The rows of a map with accumulators, if there are any that fit."""
    if not has_little_memory(opened.node):
        return None
    found: list[Rows] = []
    for rows in sorted(_all_rows(opened), key=lambda rows: rows.size):
        if sum(each.size for each in [*found, rows]) <= MOST_ELEMENTS:
            found.append(rows)
    if not found:
        return None
    total = sum(rows.bytes for rows in found)
    return AddedRows(found, next(threads for threads in BLOCK_SIZES if threads * total <= SHARED_OF_THIRD_BLOCK))


def has_little_memory(node: Node) -> bool:
    """Whether all arrays that an iteration makes are of fixed size and small."""
    return all(map(_is_small, _inside(node)))


def _all_rows(opened: Map) -> Iterator[Rows]:
    node, storages = opened.node, opened.emitter.plan.storages
    accumulators = node.arguments()[-len(opened.sums) :]
    updates = [inner for inner in _inside(node) if inner.name == "soac.update"]
    for number, (argument, table) in enumerate(zip(accumulators, opened.sums, strict=True)):
        if not _has_fixed_rows(table):
            continue
        memory = storages.memory(argument)
        own = [update for update in updates if storages.memory(update.op.acc) is memory]
        leads = [update.operands[1] for update in own if len(update.op.indices)]
        once = tuple(dict.fromkeys(lead for lead in leads if _is_found_once(opened, lead)))
        if once:
            yield Rows(number, table, once)


def _has_fixed_rows(table: View) -> bool:
    """Whether an array is a whole buffer of rows of several elements, whose size is known."""
    if table.rank < 2 or table.axes != whole_view(table.base, table.sizes).axes:
        return False
    if not all(isinstance(size, int) for size in table.sizes[1:]) or str(element_type(table)) not in ELEMENTS:
        return False
    return math.prod(table.sizes[1:]) > 1


def _is_found_once(opened: Map, lead: ir.Value) -> bool:
    """Whether an index is the same wherever an iteration uses it: computed in its body itself, or before."""
    definition = opened.emitter.plan.tree.definition[lead]
    if isinstance(lead, ir.BlockArgument):
        return definition is opened.node or not opened.node.contains(definition)
    return definition.parent is opened.node or not opened.node.contains(definition)


def _is_small(node: Node) -> bool:
    """Whether the arrays that an operation makes are of fixed size and small."""
    arrays = [ir.RankedTensorType(value.type) for value in node.results if _is_array(value)]
    return all(type_.has_static_shape and _bytes(type_) <= LARGEST_OWN_BYTES for type_ in arrays)


def _is_array(value: ir.Value) -> bool:
    return isinstance(value.type, ir.RankedTensorType) and not is_accumulator(value)


def _bytes(type_: ir.RankedTensorType) -> int:
    return math.prod(type_.shape) * max(getattr(type_.element_type, "width", 64) // 8, 1)


def _inside(node: Node) -> Iterator[Node]:
    for region in node.regions:
        for inner in region:
            yield inner
            yield from _inside(inner)
