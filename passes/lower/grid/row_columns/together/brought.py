"""Rows of some iterations, and tables that all of them go through, in the shared memory of a block."""

from __future__ import annotations

from collections.abc import Callable

from tapeless._mlir import ir
from tapeless.dataclasses_on_use import dataclass
from tapeless.passes.lower.blocks.alternatives import few_or_many
from tapeless.passes.lower.blocks.copies import element_type
from tapeless.passes.lower.grid.block_launches import THREADS_PER_BLOCK, WIDTHS, send, shared_table
from tapeless.passes.lower.grid.row_columns.tables import Share, bytes_of
from tapeless.passes.lower.grid.row_columns.together.walks import Stop, Walk, walk
from tapeless.passes.lower.loops.builder import Builder, Index
from tapeless.passes.lower.loops.bulk import end_region
from tapeless.passes.lower.loops.emitter import Emitter
from tapeless.passes.lower.loops.views import Along, View, load, store
from tapeless.passes.soac.spread.together import ITERATIONS, MOST_COLUMNS, MOST_TABLE

# So many elements of a thread are on their way at a time: few instructions for those that arrive by themselves.
SENT_AT_ONCE, CARRIED_AT_ONCE = 4, 8
# The bytes of the largest piece that arrives by itself. Rows of a block begin at multiples of it.
PIECE = 16
# Tables have as many rows as sums have places, which are of four bytes or more.
MOST_PLACES = MOST_TABLE // 4


def pitch_of(builder: Builder, array: View) -> Index:
    """How far rows are apart, an odd number: threads that read the same element of theirs meet no other in a bank."""
    return builder.add(builder.mul(builder.arith("arith.divui", array.sizes[1], 2), 2), 1)


def row_bytes(builder: Builder, array: View) -> Index:
    """The bytes of the rows of a block's iterations."""
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

    def bring(self, emitter: Emitter, share: Share, slices: Index, first: Index, left: Index) -> None:
        """The rows of so many iterations that are left, from the first on, by all threads of the block."""
        high = share.if_inside(emitter.builder, left)
        if not self.array.covers_base or bytes_of(self.array) not in WIDTHS:
            self._carry_columns(emitter, share, slices, first, high)
            return
        few_or_many(
            emitter,
            emitter.builder.sub(self.pitch, self.array.sizes[1]),
            0,
            lambda: self._send_stretch(emitter, share, first, left),
            lambda: self._send_columns(emitter, share, slices, first, high),
        )

    def _carry_columns(self, emitter: Emitter, share: Share, slices: Index, first: Index, high: Index) -> None:
        """Each thread the elements in its column, of every so many iterations."""
        builder = emitter.builder

        def carry(stops: list[Stop]) -> None:
            values = [load(builder, self.array, [builder.add(first, stop.number), share.column]) for stop in stops]
            for stop, value in zip(stops, values, strict=True):
                store(builder, value, self.memory, stop.places)

        walk(emitter, Walk(share.slice, high, slices, [share.column], [self.pitch]), CARRIED_AT_ONCE, carry)

    def _send_columns(self, emitter: Emitter, share: Share, slices: Index, first: Index, high: Index) -> None:
        """The same, of elements that arrive by themselves."""
        builder, width = emitter.builder, bytes_of(self.array)
        source, target = self._begin(builder, first)
        beside = builder.mul(share.column, width)
        origins = [builder.add(source, beside), builder.add(target, beside)]
        strides = [builder.mul(apart, width) for apart in (self.array.sizes[1], self.pitch)]
        walk(emitter, Walk(share.slice, high, slices, origins, strides), SENT_AT_ONCE, _sending(builder, width))

    def _send_stretch(self, emitter: Emitter, share: Share, first: Index, left: Index) -> None:
        """All rows as one contiguous range of memory, in pieces; the remainder is less than one of these."""
        builder, width = emitter.builder, bytes_of(self.array)
        elements = builder.mul(left, self.array.sizes[1])
        pieces = builder.arith("arith.divui", elements, PIECE // width)
        sent = builder.mul(pieces, PIECE // width)
        for start, end, size in ((share.thread, pieces, PIECE), (builder.add(sent, share.thread), elements, width)):
            loop = builder.begin_for(start, end, THREADS_PER_BLOCK)
            beyond = builder.mul(loop.variable, size)
            at = [builder.as_value(builder.add(place, beyond)) for place in self._begin(builder, first)]
            _sending(builder, size)([Stop(loop.variable, at)])
            end_region(emitter)

    def _begin(self, builder: Builder, first: Index) -> list[Index]:
        """Where the rows from the first on begin, in memory and in shared memory."""
        before = builder.mul(builder.mul(first, self.array.sizes[1]), bytes_of(self.array))
        return [builder.add(_address(builder, self.array.base), before), _address(builder, self.memory.base)]


def _sending(builder: Builder, width: int) -> Callable[[list[Stop]], None]:
    """Has so many bytes sent for every stop."""

    def start(stops: list[Stop]) -> None:
        with builder.here():
            for stop in stops:
                source, target = stop.places
                send(source, target, width)

    return start


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
        """The bytes of both copies."""
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
