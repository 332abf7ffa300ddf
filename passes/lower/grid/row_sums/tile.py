"""Rows in memory: those of a thread while it adds to them, and those of a block, from where they go to their table."""

from __future__ import annotations

from collections.abc import Sequence

from tapeless._mlir import arith, ir
from tapeless.dataclasses_on_use import dataclass
from tapeless.passes.lower.grid.block_launches import shared_memory
from tapeless.passes.lower.grid.row_sums.added_rows import Rows
from tapeless.passes.lower.grid.row_sums.arithmetic import (
    begin_if,
    begin_if_not_zero,
    divided,
    less,
    narrow,
    sum_of_two,
    times,
    wide,
    word,
    zero_of,
)
from tapeless.passes.lower.loops.builder import Builder, Index
from tapeless.passes.lower.loops.bulk import end_region
from tapeless.passes.lower.loops.emitter import Emitter, WayToAdd
from tapeless.passes.lower.loops.memory.buffers import operand_groups
from tapeless.passes.lower.loops.updates import add_to
from tapeless.passes.lower.loops.views import View, element_indices

NOWHERE = -1


@dataclass(frozen=True)
class Tile:
    """The rows of the threads of a block, and where each belongs; iterations add to `carrier`."""

    emitter: Emitter
    rows: Rows
    carrier: View
    values: ir.Value
    places: ir.Value

    @staticmethod
    def of(emitter: Emitter, rows: Rows, carrier: View, threads: int) -> Tile:
        """Shared memory for the rows of so many threads."""
        (values,) = shared_memory(emitter.builder, threads * rows.pitch, [rows.element])
        (places,) = shared_memory(emitter.builder, threads * len(rows.leads), [word()])
        return Tile(emitter, rows, carrier, values, places)

    def deliver(self, thread: ir.Value, threads: int, left: Index) -> None:
        """Adds every so many elements of all rows of the block to the table."""
        emitter, builder, rows = self.emitter, self.emitter.builder, self.rows
        loop = builder.begin_for(thread, builder.mul(left, rows.size), threads)
        number = narrow(builder, loop.variable)
        row = divided(builder, number, rows.length)
        owner = divided(builder, row, len(rows.leads))
        lead = builder.load(self.places, [wide(builder, row)])
        gap = times(builder, owner, rows.pitch - rows.size)
        value = builder.load(self.values, [builder.add(loop.variable, wide(builder, gap))])
        zero = builder.constant(word(), ir.IntegerAttr.get(word(), 0))
        begin_if(builder, arith.CmpIPredicate.sge, lead, zero)
        begin_if_not_zero(builder, value)
        # Elements of a row follow each other: the last index alone leads to all of them.
        last = wide(builder, less(builder, number, times(builder, row, rows.length)))
        first = builder.value("arith.index_cast", builder.index, [lead])
        add_to(emitter, self.carrier, [first, *[0] * (len(rows.shape) - 1), last], value)
        for _ in range(3):
            end_region(emitter)


@dataclass(frozen=True)
class Own:
    """The rows of one thread, in memory of its own until all of them are known."""

    tile: Tile
    values: ir.Value
    places: ir.Value

    @staticmethod
    def of(tile: Tile) -> Own:
        rows, builder = tile.rows, tile.emitter.builder
        types = [ir.MemRefType.get([rows.size], rows.element), ir.MemRefType.get([len(rows.leads)], word())]
        made = [builder.create("memref.alloca", [type_], [], operand_groups(type_)).results[0] for type_ in types]
        return Own(tile, *made)

    def clear(self) -> None:
        """Nothing was added so far."""
        builder, rows = self.tile.emitter.builder, self.tile.rows
        nowhere = builder.constant(word(), ir.IntegerAttr.get(word(), NOWHERE))
        for group in range(len(rows.leads)):
            builder.store(nowhere, self.places, [group])
        for number in range(rows.size):
            builder.store(zero_of(builder, rows.element), self.values, [number])

    def way(self, other: WayToAdd | None) -> WayToAdd:
        """How a thread adds: to its own rows, and to other rows in the `other` way."""
        emitter, builder, rows = self.tile.emitter, self.tile.emitter.builder, self.tile.rows

        def add(target: View, indices: Sequence[Index], value: ir.Value) -> None:
            lead, *inner = element_indices(builder, target, indices)[: rows.table.rank]
            known = [emitter.env.get(each) for each in rows.leads]
            group = next((number for number, each in enumerate(known) if _is_same(builder, each, lead)), None)
            if group is None:
                _add_otherwise(emitter, other, target, indices, value)
                return
            place = builder.value("arith.index_cast", word(), [builder.as_value(lead)])
            builder.store(place, self.places, [group])
            at = builder.add(group * rows.length, _position(builder, inner, rows.shape))
            builder.store(sum_of_two(builder, builder.load(self.values, [at]), value), self.values, [at])

        return add

    def leave(self, thread: ir.Value) -> None:
        """Stores the rows of a thread for its block."""
        builder, rows = self.tile.emitter.builder, self.tile.rows
        for memory, own, size, pitch in (
            (self.tile.places, self.places, len(rows.leads), len(rows.leads)),
            (self.tile.values, self.values, rows.size, rows.pitch),
        ):
            start = builder.mul(thread, pitch)
            for number in range(size):
                builder.store(builder.load(own, [number]), memory, [builder.add(start, number)])


def _add_otherwise(
    emitter: Emitter, other: WayToAdd | None, target: View, indices: Sequence[Index], value: ir.Value
) -> None:
    """As if there were no rows in shared memory."""
    own = emitter.ways_to_add.pop(target.base)
    if other is None:
        add_to(emitter, target, indices, value)
    else:
        other(target, indices, value)
    emitter.ways_to_add[target.base] = own


def _is_same(builder: Builder, lowered: object, lead: Index) -> bool:
    return isinstance(lowered, ir.Value) and lowered == builder.as_value(lead)


def _position(builder: Builder, indices: Sequence[Index], shape: Sequence[int]) -> Index:
    """The number of an element of a row."""
    position: Index = 0
    for index, size in zip(indices, shape, strict=True):
        position = builder.add(builder.mul(position, size), index)
    return position
