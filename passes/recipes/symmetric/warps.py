"""What a warp does for its part of a symmetric sum of products: no memory is shared, and no warp waits for another.

A thread has places along rows and columns alike, every eighth one. At those it loads what the factors are made of,
straight to registers; the factor of columns times the weight of a step is that of rows. Warps of a block have batches
side by side, so that most of it is in the cache of the multiprocessor.
"""

from __future__ import annotations

from collections.abc import Sequence

from tapeless._mlir import arith, ir, memref, scf
from tapeless.dataclasses_on_use import dataclass
from tapeless.dialects.array_types import DYNAMIC
from tapeless.passes.lower.llvm.loop_hints import ATTRIBUTE, SHORT
from tapeless.passes.lower.tiles.blocks import Parts, total_of
from tapeless.passes.lower.tiles.contraction import Side
from tapeless.passes.lower.tiles.index_arithmetic import add, is_below, mul, number, quotient, remainder, smaller
from tapeless.passes.lower.tiles.matrices import COLUMNS, ROWS, STEPS, WARP, multiply
from tapeless.passes.lower.tiles.scopes import Scope
from tapeless.passes.lower.tiles.staging import scope_at, with_invariants
from tapeless.passes.recipes.symmetric.found import Symmetric
from tapeless.passes.recipes.symmetric.shapes import Form, Product

HALVES = (0, STEPS // 2)


@dataclass(frozen=True)
class Places:
    """Every eighth row or column from a first one on, as this thread has them, and their scopes."""

    first: ir.Value
    scopes: list[Scope]


class SymmetricWarp:
    """One thread of a warp that has a batch and the steps of a part."""

    def __init__(self, symmetric: Symmetric, form: Form, block: Scope, thread: ir.Value) -> None:
        self.symmetric, self.form, self.block = symmetric, form, block
        self.contraction = symmetric.contraction
        lane = remainder(thread, WARP)
        self.group, self.within = quotient(lane, 4), remainder(lane, 4)

    def triangle(self, number_: ir.Value, low: ir.Value, high: ir.Value) -> Sums:
        """The sums of rows and columns at the diagonal over steps [low, high)."""
        first = mul(number_, self.form.extent)
        columns = self._places(self.contraction.columns, first, self.form.extent)
        products = self.form.triangle()
        return Sums(self, columns, columns, products, self._added(None, columns, products, low, high))

    def rectangle(self, above: ir.Value, below: ir.Value, half: ir.Value, low: ir.Value, high: ir.Value) -> Sums:
        """Those of half of the rows of a triangle further down and the columns of one further up."""
        extent = self.form.extent
        first = add(mul(below, extent), mul(half, extent // 2))
        rows = self._places(self.contraction.rows, first, extent // 2)
        columns = self._places(self.contraction.columns, mul(above, extent), extent)
        products = self.form.rectangle()
        return Sums(self, rows, columns, products, self._added(rows, columns, products, low, high))

    def _places(self, side: Side, first: ir.Value, extent: int) -> Places:
        start = add(first, self.group)
        places = [add(start, aside) for aside in range(0, extent, COLUMNS)]
        scopes = [scope_at(self.contraction, side, place, self.block) for place in places]
        return Places(first, [with_invariants(self.contraction, side, scope) for scope in scopes])

    def _added(
        self, rows: Places | None, columns: Places, products: Sequence[Product], low: ir.Value, high: ir.Value
    ) -> list[ir.Value]:
        """Four sums for each small matrix; its rows are columns if none are given."""
        steps = self.form.steps
        whole = quotient(arith.subi(high, low), steps)
        starts = [_zero() for _ in products for _ in range(4)]
        loop = scf.ForOp(number(0), whole, number(1), starts)
        loop.operation.attributes[ATTRIBUTE] = ir.Attribute.parse(SHORT)
        with ir.InsertionPoint(loop.body):
            first = add(low, mul(loop.induction_variable, steps))
            running = list(loop.inner_iter_args)
            for later in range(0, steps, STEPS):
                running = self._stepped(running, rows, columns, products, add(first, later), None)
            scf.YieldOp(running)
        first = add(low, mul(whole, steps))
        rest = scf.ForOp(first, high, number(STEPS), list(loop.results))
        rest.operation.attributes[ATTRIBUTE] = ir.Attribute.parse(SHORT)
        with ir.InsertionPoint(rest.body):
            running = list(rest.inner_iter_args)
            scf.YieldOp(self._stepped(running, rows, columns, products, rest.induction_variable, high))
        return list(rest.results)

    def _stepped(
        self,
        running: list[ir.Value],
        rows: Places | None,
        columns: Places,
        products: Sequence[Product],
        first: ir.Value,
        end: ir.Value | None,
    ) -> list[ir.Value]:
        """Sums with the products of eight steps added, of which those from `end` on are zero, if it is given."""
        values, common = self.contraction.values, self.symmetric.common
        (of_rows,), (of_columns,) = self.contraction.rows.staged, self.contraction.columns.staged
        steps = [add(add(first, self.within), half) for half in HALVES]
        bound = [{self.contraction.step: step if end is None else smaller(step, add(end, -1))} for step in steps]

        def there(value: ir.Value, half: int) -> ir.Value:
            return value if end is None else arith.select(is_below(steps[half], end), value, _zero())

        one = arith.constant(common.type, 1.0)
        weights = [
            there(Scope(values, [self.block], {**here, common: one}).value(of_rows), half)
            for half, here in enumerate(bound)
        ]
        right = [
            [there(Scope(values, [scope], here).value(of_columns), half) for half, here in enumerate(bound)]
            for scope in columns.scopes
        ]
        own = right
        if rows is not None:
            own = [
                [there(Scope(values, [scope], here).value(common), half) for half, here in enumerate(bound)]
                for scope in rows.scopes
            ]
        left = [[arith.mulf(weight, value) for weight, value in zip(weights, each, strict=True)] for each in own]
        found: list[ir.Value] = []
        for position, (row, column) in enumerate(products):
            factor = [left[2 * row + down][half] for half in (0, 1) for down in (0, 1)]
            found += multiply(factor, right[column], running[4 * position : 4 * position + 4])
        return found


@dataclass(frozen=True)
class Sums:
    """What a thread has in the end: four numbers of each small matrix."""

    warp: SymmetricWarp
    rows: Places
    columns: Places
    products: Sequence[Product]
    sums: list[ir.Value]

    def leave(self, parts: Parts, part: ir.Value, batch: ir.Value) -> None:
        """Stores the sums, and once more with row and column exchanged, but for those of the diagonal and near to it,
        where both were made.

        Where the matrix of this part and batch begins is found once: for each element, it took the driver longer to
        compile than all products did.
        """
        contraction = self.warp.contraction
        count = contraction.count(contraction.rows.loops[0])
        first = mul(add(mul(part, total_of(contraction, contraction.batch)), batch), mul(count, count))
        table = _in_a_line(parts.table)
        is_triangle = self.rows is self.columns
        given = iter(self.sums)
        for row, column in self.products:
            first_row = add(add(self.rows.first, self.warp.group), row * ROWS)
            first_column = add(add(self.columns.first, mul(self.warp.within, 2)), column * COLUMNS)
            is_mirrored = not is_triangle or column < 2 * row
            for down in (0, COLUMNS):
                for aside in (0, 1):
                    here = [add(first_row, down), add(first_column, aside)]
                    sum_ = next(given)
                    branch = scf.IfOp(arith.andi(*(is_below(place, count) for place in here)))
                    with ir.InsertionPoint(branch.then_block):
                        for one, other in (here, here[::-1])[: 1 + is_mirrored]:
                            memref.store(sum_, table, [add(add(first, mul(one, count)), other)])
                        scf.YieldOp([])


def _in_a_line(table: ir.Value) -> ir.Value:
    """All elements of an array, one behind the other."""
    type_ = ir.MemRefType(table.type)
    return memref.collapse_shape(ir.MemRefType.get([DYNAMIC], type_.element_type), table, [[*range(type_.rank)]])


def _zero() -> ir.Value:
    return arith.constant(ir.F64Type.get(), 0.0)
