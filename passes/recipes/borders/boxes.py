"""Launched nests of loops between numbers, and the boxes of elements that their stores fill."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product

from tapeless._mlir import ir
from tapeless.dataclasses_on_use import dataclass
from tapeless.passes.ir.sizes.sizes import constant_int
from tapeless.passes.lower.launches.grids.grid_nests import nest_of
from tapeless.passes.lower.vectorise.walking import is_made_in
from tapeless.passes.marks import EACH_THREAD, LAUNCH
from tapeless.passes.recipes.borders.index_terms import Place, Term, number, term_of

Box = tuple[range, ...]
"""Elements by a range for each axis."""

LIGHT = ("arith.", "math.", "memref.load", "memref.store")


@dataclass(frozen=True, eq=False)
class BoxNest:
    """A launched nest, the ranges of its variables, and its operations in order."""

    loop: ir.Operation
    loops: list[ir.Operation]
    ranges: dict[ir.Value, range]
    operations: list[ir.Operation]

    @property
    def stores(self) -> list[ir.Operation]:
        return [op for op in self.operations if op.name == "memref.store"]

    @property
    def is_light(self) -> bool:
        """Whether it only loads, computes and stores."""
        return all(op.name.startswith(LIGHT) and not len(op.regions) for op in self.operations)

    def count(self) -> int:
        """How many iterations there are."""
        count = 1
        for values in self.ranges.values():
            count *= len(values)
        return count

    def singles(self) -> dict[ir.Value, Term]:
        """The variables that have one value."""
        return {var: number(values[0]) for var, values in self.ranges.items() if len(values) == 1}

    def place_of(self, access: ir.Operation) -> Place:
        """The indices of a load or store, in terms of this nest's variables and of values outside."""
        first = 1 if access.name == "memref.load" else 2
        singles = self.singles()
        return tuple(term_of(index, singles) for index in list(access.operands)[first:])

    def is_outside(self, value: ir.Value) -> bool:
        """Whether a value is there before the nest."""
        return not is_made_in(value, self.loop)


def box_nest(op: ir.Operation) -> BoxNest | None:
    """A launched nest of loops between numbers, a thread for each iteration."""
    if LAUNCH not in op.attributes or ir.StringAttr(op.attributes[LAUNCH]).value != EACH_THREAD:
        return None
    loops, ranges, operations = nest_of(op), {}, []
    for loop in loops:
        low, high, step = (constant_int(bound) for bound in list(loop.operands)[:3])
        if low is None or high is None or step != 1 or high <= low:
            return None
        block = loop.regions[0].blocks[0]
        ranges[block.arguments[0]] = range(low, high)
        inner = [view.operation for view in block.operations]
        operations.extend(inner[:-1] if loop is loops[-1] else inner[:-2])
    return BoxNest(op, loops, ranges, operations)


def cover(boxes: Sequence[Box], whole: Box) -> bool:
    """Whether boxes leave nothing of the whole."""
    cuts = []
    for axis, values in enumerate(whole):
        ends = {values.start, values.stop, *(end for box in boxes for end in (box[axis].start, box[axis].stop))}
        cuts.append(sorted(end for end in ends if values.start <= end < values.stop))
    return all(any(_has(box, corner) for box in boxes) for corner in product(*cuts))


def _has(box: Box, corner: tuple[int, ...]) -> bool:
    return all(at in values for at, values in zip(corner, box, strict=True))
