"""Rows of some iterations, and tables that all of them go through, in the shared memory of a block."""

from __future__ import annotations

from dataclasses import dataclass

from tapeless._mlir import ir
from tapeless.passes.lower.blocks.copies import element_type
from tapeless.passes.lower.grid.arriving import WIDTHS, send
from tapeless.passes.lower.grid.blocks import THREADS_PER_BLOCK, shared_table
from tapeless.passes.lower.grid.row_columns.tables import Share, bytes_of
from tapeless.passes.lower.grid.row_columns.together.walks import Stop, Walk, walk
from tapeless.passes.lower.loops.builder import Builder, Index
from tapeless.passes.lower.loops.bulk import end_region
from tapeless.passes.lower.loops.emitter import Emitter
from tapeless.passes.lower.loops.views import Along, View, load, store
from tapeless.passes.soac.spread.together import ITERATIONS, MOST_COLUMNS, MOST_TABLE

# So many elements of a thread are on their way at a time: few instructions for those that arrive by themselves.
SENT_AT_ONCE, CARRIED_AT_ONCE = 4, 8
# Tables have as many rows as sums have places, which are of four bytes or more.
MOST_PLACES = MOST_TABLE // 4


def pitch_of(builder: Builder, array: View) -> Index:
    """How far rows are apart, an odd number: threads that read the same element of theirs meet no other in a bank."""
    return builder.add(builder.mul(builder.arith("arith.divui", array.sizes[1], 2), 2), 1)


def row_bytes(builder: Builder, array: View) -> Index:
    """What the rows of a block's iterations take."""
    return builder.mul(pitch_of(builder, array), ITERATIONS * bytes_of(array))


@dataclass(frozen=True)
class BroughtRows:
    """The rows of an array that belong to some iterations; `pitch` elements lie between two of them."""

    array: View
    memory: View
    pitch: Index

    @staticmethod
    def of(builder: Builder, array: View) -> BroughtRows:
        pitch = pitch_of(builder, array)
        memory = shared_table(builder, [builder.mul(pitch, ITERATIONS)], element_type(array))
        return BroughtRows(array, memory, pitch)

    def row(self, start: Index) -> View:
        """The row that begins at a place of the memory."""
        return View(self.memory.base, (Along(0, start),), (self.array.sizes[1],))

    def bring(self, emitter: Emitter, share: Share, slices: Index, first: Index, high: Index) -> None:
        """The elements in the column of a thread, of every so many iterations from the first on."""
        builder = emitter.builder

        def start(stops: list[Stop]) -> None:
            with builder.here():
                for stop in stops:
                    source, target = stop.places
                    send(source, target, bytes_of(self.array))

        def carry(stops: list[Stop]) -> None:
            values = [load(builder, self.array, [builder.add(first, stop.number), share.column]) for stop in stops]
            for stop, value in zip(stops, values, strict=True):
                store(builder, value, self.memory, stop.places)

        if self.array.covers_base and bytes_of(self.array) in WIDTHS:
            walk(emitter, Walk(share.slice, high, slices, *self._addresses(builder, share, first)), SENT_AT_ONCE, start)
        else:
            walk(emitter, Walk(share.slice, high, slices, [share.column], [self.pitch]), CARRIED_AT_ONCE, carry)

    def _addresses(self, builder: Builder, share: Share, first: Index) -> tuple[list[Index], list[Index]]:
        """Where the elements of a column begin, in memory and in shared memory, and how far apart they are."""
        width = bytes_of(self.array)
        begins = builder.add(builder.mul(first, self.array.sizes[1]), share.column), share.column
        memory = self.array.base, self.memory.base
        origins = [
            builder.add(_address(builder, base), builder.mul(begin, width))
            for base, begin in zip(memory, begins, strict=True)
        ]
        return origins, [builder.mul(apart, width) for apart in (self.array.sizes[1], self.pitch)]


def _address(builder: Builder, memory: ir.Value) -> ir.Value:
    """Where memory begins, in bytes."""
    return builder.value("memref.extract_aligned_pointer_as_index", builder.index, [memory])


@dataclass(frozen=True)
class BroughtTable:
    """An array of few rows: by rows, for threads with a column each, and by columns, for those who need all rows.

    Sizes are such that no place is multiplied out, and four rows of a column are read at once.
    """

    array: View
    by_rows: View
    by_columns: View
    length: Index

    @staticmethod
    def of(builder: Builder, array: View, length: Index) -> BroughtTable:
        by_rows = shared_table(builder, [array.sizes[0], MOST_COLUMNS], element_type(array))
        by_columns = shared_table(builder, [length, MOST_PLACES], element_type(array))
        turned = View(by_columns.base, (Along(1), Along(0)), array.sizes)
        return BroughtTable(array, by_rows, turned, length)

    @staticmethod
    def bytes(builder: Builder, array: View, length: Index) -> Index:
        """What both copies take."""
        elements = builder.add(builder.mul(array.sizes[0], MOST_COLUMNS), builder.mul(length, MOST_PLACES))
        return builder.mul(elements, bytes_of(array))

    def fill(self, emitter: Emitter, thread: ir.Value) -> None:
        """Every so many elements, by each thread of a block."""
        builder = emitter.builder
        length = builder.arith("arith.minsi", self.array.sizes[1], self.length)
        loop = builder.begin_for(thread, builder.mul(self.array.sizes[0], length), THREADS_PER_BLOCK)
        row = builder.arith("arith.divui", loop.variable, length)
        at = [row, builder.sub(loop.variable, builder.mul(row, length))]
        value = load(builder, self.array, at)
        store(builder, value, self.by_rows, at)
        store(builder, value, self.by_columns, at)
        end_region(emitter)
