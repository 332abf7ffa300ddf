"""How one block of a panel is copied: whole vectors, squares that are transposed in registers, or single elements.

Note [Transposed squares]: as many registers as a register has elements hold a square, one row each. It is transposed by
exchanging its quarters, then those of each quarter, and so on:

    a b | c d        a b | e f        a e | b f
    e f | g h   ->   c d | g h   ->   ...          (elements here stand for runs of elements)
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from tapeless._mlir import arith, ir, memref, scf, vector
from tapeless.passes.lower.spmd.panels import Panel
from tapeless.passes.soac.build import index

Places = tuple[ir.Value, ...]


def copy_block(panel: Panel, start: ir.Value, buffer: ir.Value, block: ir.Value, register: int) -> None:
    """Copies the lanes from `start` on to place `block` of the buffer, for all iterations of the inner loops."""
    copy = BlockCopy(panel, start, buffer, block, register)
    if panel.is_contiguous:
        _each_place(panel.sizes(), copy.vectors)
    elif panel.has_contiguous_rows:
        _each_place(panel.sizes()[:-1], copy.squares)
    else:
        _each_place(panel.sizes(), copy.elements)


class BlockCopy:
    """The copy of one block."""

    def __init__(self, panel: Panel, start: ir.Value, buffer: ir.Value, block: ir.Value, register: int) -> None:
        self.panel, self.start, self.buffer, self.block, self.register = panel, start, buffer, block, register
        self.type = ir.MemRefType(buffer.type)

    @property
    def lanes(self) -> int:
        """How many iterations the block has."""
        return self.type.shape[self.type.rank - 1]

    def vectors(self, at: Places) -> None:
        """Neighbouring lanes at one place."""
        type_ = ir.VectorType.get([self.lanes], self.type.element_type)
        row = vector.LoadOp(type_, self.panel.array, self._source(at, self.start)).result
        vector.StoreOp(row, self.buffer, [self.block, *at, index(0)])

    def elements(self, at: Places) -> None:
        """Lanes at one place, one after the other."""
        loop = scf.ForOp(index(0), index(self.lanes), index(1))
        with ir.InsertionPoint(loop.body):
            lane = loop.induction_variable
            source = self._source(at, arith.AddIOp(self.start, lane).result)
            memref.StoreOp(memref.LoadOp(self.panel.array, source).result, self.buffer, [self.block, *at, lane])
            scf.YieldOp([])

    def squares(self, at: Places) -> None:
        """All places along the last axis, a register at a time; see Note [Transposed squares]."""
        size, step = self.panel.sizes()[-1], index(self.register)
        end = arith.SubIOp(size, arith.RemSIOp(size, step).result).result
        whole = scf.ForOp(index(0), end, step)
        with ir.InsertionPoint(whole.body):
            for lane in range(0, self.lanes, self.register):
                self._square(at, whole.induction_variable, lane)
            scf.YieldOp([])
        rest = scf.ForOp(end, size, index(1))
        with ir.InsertionPoint(rest.body):
            self.elements((*at, rest.induction_variable))
            scf.YieldOp([])

    def _square(self, at: Places, first: ir.Value, lane: int) -> None:
        type_ = ir.VectorType.get([self.register], self.type.element_type)
        lanes = [arith.AddIOp(self.start, index(lane + row)).result for row in range(self.register)]
        rows = [vector.LoadOp(type_, self.panel.array, self._source((*at, first), row)).result for row in lanes]
        for offset, column in enumerate(_transposed(rows)):
            place = arith.AddIOp(first, index(offset)).result
            vector.StoreOp(column, self.buffer, [self.block, *at, place, index(lane)])

    def _source(self, at: Places, lane: ir.Value) -> list[ir.Value]:
        """The indices of the array for a lane at one place of the inner loops."""
        inner = dict(zip(self.panel.loops, at, strict=True))
        places = [inner.get(place, place) for place in self.panel.places]
        places[self.panel.axis] = lane
        return places


def _transposed(rows: Sequence[ir.Value]) -> list[ir.Value]:
    square, size = list(rows), len(rows)
    width = size // 2
    while width:
        low = [c if not c & width else size + c - width for c in range(size)]
        high = [c + width if not c & width else size + c for c in range(size)]
        for row in (row for row in range(size) if not row & width):
            pair = square[row], square[row + width]
            square[row], square[row + width] = (vector.ShuffleOp(*pair, mask).result for mask in (low, high))
        width //= 2
    return square


def _each_place(sizes: Sequence[ir.Value], visit: Callable[[Places], None], at: Places = ()) -> None:
    """Loops over all places with these sizes."""
    if len(at) == len(sizes):
        visit(at)
        return
    loop = scf.ForOp(index(0), sizes[len(at)], index(1))
    with ir.InsertionPoint(loop.body):
        _each_place(sizes, visit, (*at, loop.induction_variable))
        scf.YieldOp([])
