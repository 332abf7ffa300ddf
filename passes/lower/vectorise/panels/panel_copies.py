"""How one block of a panel is copied: whole vectors, squares that are transposed in registers, or single elements.

Note [Transposed squares]: as many vectors as a vector has elements hold a square, one row each. It is transposed by
exchanging two of its quarters, then two quarters of each quarter, and so on.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

from tapeless._mlir import arith, ir, memref, scf, vector
from tapeless.dataclasses_on_use import dataclass
from tapeless.passes.ir.build import index
from tapeless.passes.lower.vectorise.panels.panels import Panel
from tapeless.passes.lower.vectorise.panels.stretches import Stretch

LARGEST_SQUARE = 4
Places = tuple[ir.Value, ...]


@dataclass(frozen=True)
class PanelCopy:
    """The copies of a panel's blocks into its buffer; `start` is the first iteration of a block.

    Of a panel that is read along a loop in stretches, one stretch is copied.
    """

    panel: Panel
    buffer: ir.Value
    stretch: Stretch | None = None

    @property
    def type(self) -> ir.MemRefType:
        """The type of the buffer."""
        return ir.MemRefType(self.buffer.type)

    @property
    def lanes(self) -> int:
        """How many iterations a block has."""
        return self.type.shape[self.type.rank - 1]

    @property
    def square(self) -> int:
        """How many lanes are transposed together."""
        return min(self.lanes, LARGEST_SQUARE)

    def sizes(self) -> list[ir.Value]:
        """How many places there are along each inner loop."""
        return self.panel.sizes() if self.stretch is None else [self.stretch.size]

    def vectors(self, at: Places, block: ir.Value, start: ir.Value) -> None:
        """Copies neighbouring lanes at one place of the inner loops."""
        type_ = ir.VectorType.get([self.lanes], self.type.element_type)
        row = vector.LoadOp(type_, self.panel.array, self._source(at, start)).result
        vector.StoreOp(row, self.buffer, [block, *at, index(0)])

    def elements(self, at: Places, block: ir.Value, start: ir.Value, final: ir.Value | None = None) -> None:
        """Copies lanes at one place one after the other; those after the `final` one are as that."""
        loop = scf.ForOp(index(0), index(self.lanes), index(1))
        with ir.InsertionPoint(loop.body):
            iteration = arith.AddIOp(start, loop.induction_variable).result
            if final is not None:
                iteration = arith.MinSIOp(iteration, final).result
            element = memref.LoadOp(self.panel.array, self._source(at, iteration)).result
            memref.StoreOp(element, self.buffer, [block, *at, loop.induction_variable])
            scf.YieldOp([])

    def transposed(self, block: ir.Value, start: ir.Value) -> None:
        """Copies lanes that are a stride apart at all places."""
        if self.panel.has_contiguous_rows:
            each_place(self.sizes()[:-1], partial(self._squares, block=block, start=start))
        else:
            each_place(self.sizes(), partial(self.elements, block=block, start=start))

    def _squares(self, at: Places, block: ir.Value, start: ir.Value) -> None:
        """All places along the last axis, a few at a time; see Note [Transposed squares]."""
        size, step = self.sizes()[-1], index(self.square)
        end = arith.SubIOp(size, arith.RemSIOp(size, step).result).result
        whole = scf.ForOp(index(0), end, step)
        with ir.InsertionPoint(whole.body):
            lanes = scf.ForOp(index(0), index(self.lanes), step)
            with ir.InsertionPoint(lanes.body):
                self._square((*at, whole.induction_variable), block, start, lanes.induction_variable)
                scf.YieldOp([])
            scf.YieldOp([])
        rest = scf.ForOp(end, size, index(1))
        with ir.InsertionPoint(rest.body):
            self.elements((*at, rest.induction_variable), block, start)
            scf.YieldOp([])

    def _square(self, at: Places, block: ir.Value, start: ir.Value, lane: ir.Value) -> None:
        type_ = ir.VectorType.get([self.square], self.type.element_type)
        first = arith.AddIOp(start, lane).result
        lanes = [arith.AddIOp(first, index(row)).result for row in range(self.square)]
        rows = [vector.LoadOp(type_, self.panel.array, self._source(at, row)).result for row in lanes]
        for offset, column in enumerate(transposed(rows)):
            place = arith.AddIOp(at[-1], index(offset)).result
            vector.StoreOp(column, self.buffer, [block, *at[:-1], place, lane])

    def _source(self, at: Places, iteration: ir.Value) -> list[ir.Value]:
        """The indices of the array for an iteration at one place of the inner loops."""
        if self.stretch is not None:
            at = (arith.AddIOp(self.stretch.begin, at[0]).result,)
        inner = dict(zip(self.panel.loops, at, strict=True))
        places = [inner.get(place, place) for place in self.panel.places]
        places[self.panel.axis] = iteration
        return places


def transposed(rows: Sequence[ir.Value]) -> list[ir.Value]:
    """The columns of a square of vectors; see Note [Transposed squares]."""
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


def each_place(sizes: Sequence[ir.Value], visit: Callable[[Places], None], at: Places = ()) -> None:
    """Loops over all places with these sizes."""
    if len(at) == len(sizes):
        visit(at)
        return
    loop = scf.ForOp(index(0), sizes[len(at)], index(1))
    with ir.InsertionPoint(loop.body):
        each_place(sizes, visit, (*at, loop.induction_variable))
        scf.YieldOp([])
