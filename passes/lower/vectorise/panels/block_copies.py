"""Copies between the rows of an array and a lane-major buffer: squares that are transposed in registers, or elements.

```
array[iteration, c]  <->  buffer[c, lane]          the lanes of a block are iterations from `start` on
```
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial, reduce

from tapeless._mlir import arith, ir, memref, scf, vector
from tapeless.dataclasses_on_use import dataclass
from tapeless.passes.ir.build import index
from tapeless.passes.lower.vectorise.accesses import last_stride
from tapeless.passes.lower.vectorise.panels.panel_copies import LARGEST_SQUARE, Places, each_place, transposed

# The iteration and the number of each lane.
Lanes = list[tuple[ir.Value, ir.Value]]


@dataclass(frozen=True)
class BlockCopy:
    """One block of an array, whose lanes count along `axis`, and the buffer that has its lanes side by side.

    The array is reached at the indices `fixed` of some axes; where an index is outside of it, it is not reached.
    """

    array: ir.Value
    axis: int
    buffer: ir.Value
    fixed: Mapping[int, ir.Value]

    @property
    def lanes(self) -> int:
        """How many iterations a block has."""
        return ir.MemRefType(self.buffer.type).shape[-1]

    @property
    def square(self) -> int:
        """How many lanes are transposed together; 1 where rows do not lie in memory one element after the other."""
        last = ir.MemRefType(self.array.type).rank - 1
        is_along_rows = last not in (self.axis, *self.fixed) and last_stride(self.array) == 1
        return LARGEST_SQUARE if is_along_rows and self.lanes % LARGEST_SQUARE == 0 else 1

    def fill(self, start: ir.Value) -> None:
        """Copies from the array to the buffer."""
        self._copy(start, is_back=False)

    def flush(self, start: ir.Value) -> None:
        """Copies from the buffer to the array."""
        self._copy(start, is_back=True)

    def _copy(self, start: ir.Value, is_back: bool) -> None:
        if not self.fixed:
            self._groups(start, is_back)
            return
        choice = scf.IfOp(self._is_inside())
        with ir.InsertionPoint(choice.then_block):
            self._groups(start, is_back)
            scf.YieldOp([])

    def _is_inside(self) -> ir.Value:
        """Whether all fixed indices are."""
        checks = [
            arith.CmpIOp(arith.CmpIPredicate.ult, place, memref.DimOp(self.array, index(axis)).result).result
            for axis, place in self.fixed.items()
        ]
        return reduce(lambda left, right: arith.AndIOp(left, right).result, checks)

    def _groups(self, start: ir.Value, is_back: bool) -> None:
        """Copies the lanes, a few at a time."""
        step = self.square
        groups = scf.ForOp(index(0), index(self.lanes), index(step))
        with ir.InsertionPoint(groups.body):
            lane = groups.induction_variable
            first = arith.AddIOp(start, lane).result
            lanes = [(arith.AddIOp(first, index(k)).result, arith.AddIOp(lane, index(k)).result) for k in range(step)]
            if step == 1:
                each_place(self._sizes(), partial(self._elements, lanes=lanes, is_back=is_back))
            else:
                each_place(self._sizes()[:-1], partial(self._rows, lanes=lanes, is_back=is_back))
            scf.YieldOp([])

    def _sizes(self) -> list[ir.Value]:
        """The sizes of the axes that the lanes do not count along, and that are copied."""
        return [memref.DimOp(self.buffer, index(k)).result for k in range(ir.MemRefType(self.buffer.type).rank - 1)]

    def _rows(self, at: Places, lanes: Lanes, is_back: bool) -> None:
        """All places along the last axis for a few lanes, a square at a time."""
        size, step = self._sizes()[-1], index(self.square)
        end = arith.SubIOp(size, arith.RemSIOp(size, step).result).result
        self._along(at, (index(0), end, step), partial(self._square_back if is_back else self._square, lanes=lanes))
        self._along(at, (end, size, index(1)), partial(self._elements, lanes=lanes, is_back=is_back))

    def _along(self, at: Places, bounds: tuple[ir.Value, ir.Value, ir.Value], visit: Callable[[Places], None]) -> None:
        loop = scf.ForOp(*bounds)
        with ir.InsertionPoint(loop.body):
            visit((*at, loop.induction_variable))
            scf.YieldOp([])

    def _elements(self, at: Places, lanes: Lanes, is_back: bool) -> None:
        for iteration, lane in lanes:
            pair = (self.array, self._place(at, iteration)), (self.buffer, [*at, lane])
            source, target = reversed(pair) if is_back else pair
            memref.StoreOp(memref.LoadOp(*source).result, *target)

    def _square(self, at: Places, lanes: Lanes) -> None:
        rows = [vector.LoadOp(self._vector(), self.array, self._place(at, iteration)).result for iteration, _ in lanes]
        for column, place in zip(transposed(rows), self._columns(at), strict=True):
            vector.StoreOp(column, self.buffer, [*place, lanes[0][1]])

    def _square_back(self, at: Places, lanes: Lanes) -> None:
        columns = [
            vector.LoadOp(self._vector(), self.buffer, [*place, lanes[0][1]]).result for place in self._columns(at)
        ]
        for row, (iteration, _) in zip(transposed(columns), lanes, strict=True):
            vector.StoreOp(row, self.array, self._place(at, iteration))

    def _columns(self, at: Places) -> list[Places]:
        *others, first = at
        return [(*others, arith.AddIOp(first, index(k)).result) for k in range(self.square)]

    def _place(self, at: Places, iteration: ir.Value) -> list[ir.Value]:
        known, others = {self.axis: iteration, **self.fixed}, iter(at)
        return [known[k] if k in known else next(others) for k in range(ir.MemRefType(self.array.type).rank)]

    def _vector(self) -> ir.VectorType:
        return ir.VectorType.get([self.square], ir.MemRefType(self.array.type).element_type)
