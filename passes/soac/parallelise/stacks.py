"""The parts of all iterations of a loop together, as an array with one row for each iteration."""

from __future__ import annotations

from collections.abc import Sequence

from tapeless._mlir import ir
from tapeless.dataclasses_on_use import dataclass
from tapeless.dialects import soac
from tapeless.dialects.array_types import DYNAMIC, array_type
from tapeless.passes.ir.build import dim
from tapeless.passes.ir.rows import Size, slice_of, with_slice
from tapeless.passes.soac.parallelise.parts import Parts, folded


@dataclass(frozen=True)
class Stack:
    """The parts of iterations from `low` on; `is_array` says that they are the whole array, axes turned."""

    parts: Parts
    low: ir.Value
    is_array: bool

    @staticmethod
    def of(parts: Parts, loop: ir.OpView) -> Stack:
        """The stack of the iterations of a loop."""
        return Stack(parts, loop.operands[0], not parts.shared and parts.are_all(loop))

    def rows(self, width: ir.Value) -> ir.Value:
        """All parts."""
        parts = self.parts
        if self.is_array:
            return _turned(parts.array, self._order())
        offsets, sizes, strides = self._box(width)
        kept = sorted([parts.axis, *parts.axes])
        shape = [size if isinstance(size := sizes[axis], int) else DYNAMIC for axis in kept]
        part = slice_of(parts.array, offsets, sizes, strides, array_type(shape, parts.array.type.element_type))
        return _turned(part, self._order())

    def written(self, rows: ir.Value, width: ir.Value) -> ir.Value:
        """The array with all parts replaced."""
        order = self._order()
        turned = _turned(rows, [order.index(axis) for axis in range(len(order))])
        return turned if self.is_array else with_slice(self.parts.array, turned, *self._box(width))

    def _box(self, width: ir.Value) -> tuple[list[Size], list[Size], list[Size]]:
        """Offsets, sizes and strides of all parts together."""
        array, shared = self.parts.array, dict(self.parts.shared)
        shape = array.type.shape
        offsets: list[Size] = [shared.get(axis, 0) for axis in range(len(shape))]
        sizes: list[Size] = [
            1 if axis in shared else dim(array, axis) if size == DYNAMIC else size for axis, size in enumerate(shape)
        ]
        offsets[self.parts.axis], sizes[self.parts.axis] = self.parts.own.first(self.low), folded(width)
        return offsets, sizes, [1] * len(shape)

    def _order(self) -> list[int]:
        """Where the axes of the stack are among those that all parts have together in the array."""
        kept = sorted([self.parts.axis, *self.parts.axes])
        return [kept.index(axis) for axis in (self.parts.axis, *self.parts.axes)]


def _turned(array: ir.Value, permutation: Sequence[int]) -> ir.Value:
    if list(permutation) == sorted(permutation):
        return array
    shape = [array.type.shape[k] for k in permutation]
    attribute = ir.ArrayAttr.get([ir.IntegerAttr.get(ir.IntegerType.get_signless(64), k) for k in permutation])
    return soac.TransposeOp(array, array_type(shape, array.type.element_type), permutation=attribute).out
