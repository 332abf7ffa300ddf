"""How a symmetric matrix is divided among warps, and in how many parts its steps are."""

from __future__ import annotations

from tapeless._mlir import arith, ir
from tapeless.dataclasses_on_use import dataclass
from tapeless.passes.ir.machine import MEASURED_GPU
from tapeless.passes.lower.tiles.blocks import total_of
from tapeless.passes.lower.tiles.index_arithmetic import add, is_below, mul, product, rounded_up
from tapeless.passes.lower.tiles.matrices import COLUMNS, ROWS, STEPS
from tapeless.passes.recipes.symmetric.found import Symmetric

# Warps of a block take batches side by side, which read much of the same.
WARPS = 4
MULTIPROCESSORS = MEASURED_GPU.multiprocessors
# With fewer warps, so many parts would not keep a GPU busy.
MOST_PARTS, FEWEST_WARPS = 12, 128
# A part takes as long as so many steps before its first one, and after its last.
STEPS_AROUND = 64
Product = tuple[int, int]


@dataclass(frozen=True)
class Form:
    """A warp has the triangle of so many rows and columns at the diagonal, or beside it half as many rows.

    It takes so many steps at a time. There are at most `most` rows.
    """

    extent: int
    most: int
    steps: int
    blocks_at_once: int

    @property
    def has_more(self) -> bool:
        """Whether there may be more than one triangle."""
        return self.most > self.extent

    def triangle(self) -> list[Product]:
        """The small matrices of 16 x 8 that a triangle is made of, by their numbers along rows and columns."""
        return [(row, column) for row in range(self.extent // ROWS) for column in range(2 * row + 2)]

    def rectangle(self) -> list[Product]:
        rows, columns = self.extent // 2 // ROWS, self.extent // COLUMNS
        return [(row, column) for row in range(rows) for column in range(columns)]


NARROW, WIDE = Form(32, 32, STEPS, 4), Form(64, 128, 2 * STEPS, 2)


def warps_for(symmetric: Symmetric, form: Form) -> ir.Value:
    """How many warps there are for one part of the steps."""
    contraction = symmetric.contraction
    tiles = rounded_up(contraction.count(contraction.rows.loops[0]), form.extent)
    return product([tiles, tiles, total_of(contraction, contraction.batch)])


def parts_for(symmetric: Symmetric, form: Form) -> tuple[ir.Value, ir.Value]:
    """How many parts, of how many steps each, leave multiprocessors the least to wait for."""
    steps, warps = symmetric.contraction.reduction.operands[1], warps_for(symmetric, form)
    at_once = MULTIPROCESSORS * form.blocks_at_once * WARPS
    best: tuple[ir.Value, ir.Value, ir.Value] | None = None
    for count in range(1, MOST_PARTS + 1):
        length = mul(rounded_up(rounded_up(steps, count), form.steps), form.steps)
        time = arith.muli(rounded_up(mul(warps, count), at_once), add(length, STEPS_AROUND))
        one = arith.ceildivsi(steps, length), length, time
        if best is None:
            best = one
        else:
            is_better = is_below(time, best[2])
            best = tuple(arith.select(is_better, new, old) for new, old in zip(one, best, strict=True))
    assert best is not None
    return best[0], best[1]
