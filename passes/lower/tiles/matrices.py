"""Tiles by instructions for products of small matrices: 16 x 8 sums of 8 products each, by the 32 threads of a warp.

`mma.sync.m16n8k8` of doubles is twice as fast as multiply-adds of single threads; GPUs have it from generation 9.0 on.
The warps of a block are two rows of four. Of every 16 x 8 sums, a thread (lane 4 g + t) has those at rows g and g + 8
and columns 2 t and 2 t + 1. It gives the elements at these rows and steps t and t + 4 of one factor, and at column g of
the other.
"""

from __future__ import annotations

from collections.abc import Sequence

from tapeless._mlir import ir, llvm, memref
from tapeless.passes.lower.tiles.contraction import Contraction
from tapeless.passes.lower.tiles.index_arithmetic import add, mul, quotient, remainder
from tapeless.passes.lower.tiles.nest_values import terminator_of

FIRST_GENERATION = 90
ROWS, COLUMNS, STEPS = 16, 8, 8
WARP, WARPS_ALONG_COLUMNS = 32, 4
FREE = "reassoc"
INSTRUCTION = (
    "mma.sync.aligned.m16n8k8.row.col.f64.f64.f64.f64 "
    "{$0, $1, $2, $3}, {$4, $5, $6, $7}, {$8, $9}, {$10, $11, $12, $13};"
)
CONSTRAINTS = ",".join(["=d"] * 4 + ["d"] * 10)


def is_product(contraction: Contraction) -> bool:
    """Whether each step adds a product of two doubles, one of each side, in an order that is free."""
    (sum_, *others), sides = (
        list(terminator_of(contraction.reduction).operands),
        (contraction.rows, contraction.columns),
    )
    made = contraction.values.made_by.get(sum_)
    if others or made is None or made.name != "llvm.intr.fmuladd" or str(sum_.type) != "f64":
        return False
    if FREE not in str(made.attributes["fastmathFlags"]) or made.operands[2] != contraction.carried[0]:
        return False
    staged = [side.staged for side in sides]
    return all(len(each) == 1 for each in staged) and {*made.operands} == {staged[0][0], staged[1][0], made.operands[2]}


class Lanes:
    """Which rows and columns a thread has, and the sums of its warp."""

    def __init__(self, thread: ir.Value, each: int) -> None:
        """`each`: how many rows, and how many columns, a thread has; half as many small matrices lie side by side."""
        self.across = each // 2
        lane, warp = remainder(thread, WARP), quotient(thread, WARP)
        self.group, self.within = quotient(lane, 4), remainder(lane, 4)
        self.first_row = mul(quotient(warp, WARPS_ALONG_COLUMNS), self.across * ROWS)
        self.first_column = mul(remainder(warp, WARPS_ALONG_COLUMNS), self.across * COLUMNS)

    def rows(self) -> list[ir.Value]:
        start = add(self.first_row, self.group)
        return [add(start, number * ROWS + half) for number in range(self.across) for half in (0, COLUMNS)]

    def columns(self) -> list[ir.Value]:
        start = add(self.first_column, mul(self.within, 2))
        return [add(start, number * COLUMNS + half) for number in range(self.across) for half in (0, 1)]

    def sums(
        self, running: Sequence[ir.Value], memory: Sequence[ir.Value], buffer: ir.Value, steps: int
    ) -> list[ir.Value]:
        """Running sums, pair by pair, with the products of so many steps of the tiles in a buffer added."""
        found, each = list(running), 2 * self.across
        left_places, right_start = self.rows(), add(self.first_column, self.group)
        right_places = [add(right_start, number * COLUMNS) for number in range(self.across)]
        for first in range(0, steps, STEPS):
            halves = [add(self.within, first), add(self.within, first + STEPS // 2)]
            left = [
                [
                    memref.load(memory[0], [buffer, step, place])
                    for step in halves
                    for place in left_places[row : row + 2]
                ]
                for row in range(0, each, 2)
            ]
            right = [[memref.load(memory[1], [buffer, step, place]) for step in halves] for place in right_places]
            for row, one in enumerate(left):
                for column, other in enumerate(right):
                    places = [(2 * row + down) * each + 2 * column + aside for down in (0, 1) for aside in (0, 1)]
                    made = multiply(one, other, [found[place] for place in places])
                    for place, value in zip(places, made, strict=True):
                        found[place] = value
        return found


def multiply(left: Sequence[ir.Value], right: Sequence[ir.Value], sums: Sequence[ir.Value]) -> list[ir.Value]:
    """The instruction: sums of 16 x 8, of which every thread has four."""
    f64 = ir.F64Type.get()
    type_ = ir.Type.parse("!llvm.struct<(f64, f64, f64, f64)>")
    made = llvm.InlineAsmOp(type_, [*left, *right, *sums], INSTRUCTION, CONSTRAINTS, has_side_effects=True)
    return [llvm.ExtractValueOp(f64, made.result, [number]).result for number in range(4)]
