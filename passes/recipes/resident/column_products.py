"""Products of rows in registers with columns in shared memory, by instructions for small matrices."""

from __future__ import annotations

from tapeless._mlir import ir, memref, scf
from tapeless.dataclasses_on_use import dataclass
from tapeless.passes.lower.llvm.loop_hints import ATTRIBUTE, SHORT
from tapeless.passes.lower.tiles.folds.stairs import are_finite, has_products, largest, nothing_seen
from tapeless.passes.lower.tiles.index_arithmetic import add, is_below, mul, number, quotient
from tapeless.passes.lower.tiles.matrices import COLUMNS, STEPS, multiply
from tapeless.passes.lower.tiles.register_rows import RegisterRows
from tapeless.passes.recipes.resident.forms import Form


@dataclass(frozen=True)
class ColumnProducts:
    """What a thread has to do with columns, whose steps are rows of `memory`; its lane is 4 `group` + `within`."""

    form: Form
    memory: ir.Value
    steps: ir.Value
    group: ir.Value
    within: ir.Value

    def summed(
        self, rows: RegisterRows, starts: list[ir.Value], first_column: ir.Value, is_triangle: ir.Value
    ) -> list[ir.Value]:
        """The sums of products over all steps, or over those that a triangle has, if all numbers are finite."""
        types = [value.type for value in starts]
        tried = scf.IfOp(is_triangle, [is_triangle.type, *types], has_else=True)
        with ir.InsertionPoint(tried.then_block):
            scf.YieldOp(self._contracted_below(rows, starts, first_column))
        with ir.InsertionPoint(tried.else_block):
            scf.YieldOp([is_triangle, *starts])
        is_done, *sums = tried.results
        chosen = scf.IfOp(is_done, types, has_else=True)
        with ir.InsertionPoint(chosen.then_block):
            scf.YieldOp(sums)
        with ir.InsertionPoint(chosen.else_block):
            scf.YieldOp(self._contracted(rows, starts))
        return list(chosen.results)

    def _contracted_below(self, rows: RegisterRows, starts: list[ir.Value], first_column: ir.Value) -> list[ir.Value]:
        """Whether all numbers are finite, and the sums over the steps up to the diagonal."""
        form, raw, seen, running = self.form, rows.load(number(0)), nothing_seen(), starts
        if not form.has_few:
            loop = scf.ForOp(number(0), quotient(first_column, form.steps), number(1), [seen, *raw, *running])
            loop.operation.attributes[ATTRIBUTE] = ir.Attribute.parse(SHORT)
            with ir.InsertionPoint(loop.body):
                seen, *carried = loop.inner_iter_args
                first = mul(loop.induction_variable, form.steps)
                following = rows.load(add(first, form.steps))
                made = rows.made(carried[: len(raw)], first, None)
                scf.YieldOp([largest(seen, made), *following, *self._multiplied(carried[len(raw) :], made, first)])
            seen, *carried = loop.results
            raw, running = carried[: len(raw)], carried[len(raw) :]
        for steps in range(0, form.columns, form.steps):
            first = add(first_column, steps)
            made = rows.made(raw, first, None)
            if steps + form.steps < form.columns:
                raw = rows.load(add(first, form.steps))
            seen = largest(seen, made)
            running = self._multiplied(running, made, first, steps)
        return [are_finite(seen), *running]

    def _contracted(self, rows: RegisterRows, starts: list[ir.Value]) -> list[ir.Value]:
        """The sums of products over all steps, row by row and column by column."""
        whole = quotient(self.steps, self.form.steps)
        loop = scf.ForOp(number(0), whole, number(1), [*rows.load(number(0)), *starts])
        loop.operation.attributes[ATTRIBUTE] = ir.Attribute.parse(SHORT)
        held = len(loop.inner_iter_args) - len(starts)
        with ir.InsertionPoint(loop.body):
            raw, running = list(loop.inner_iter_args)[:held], list(loop.inner_iter_args)[held:]
            first = mul(loop.induction_variable, self.form.steps)
            following = rows.load(add(first, self.form.steps))
            scf.YieldOp([*following, *self._multiplied(running, rows.made(raw, first, None), first)])
        raw, running = list(loop.results)[:held], list(loop.results)[held:]
        first = mul(whole, self.form.steps)
        branch = scf.IfOp(is_below(first, self.steps), [value.type for value in running], has_else=True)
        with ir.InsertionPoint(branch.then_block):
            scf.YieldOp(self._multiplied(running, rows.made(raw, first, self.steps), first))
        with ir.InsertionPoint(branch.else_block):
            scf.YieldOp(running)
        return list(branch.results)

    def _multiplied(
        self, running: list[ir.Value], left: list[list[ir.Value]], first: ir.Value, after: int | None = None
    ) -> list[ir.Value]:
        """Running sums with products of some steps added; `left` has the steps of this thread for each of its rows.

        `after`: so many steps after the first column they start, of a triangle.
        """
        found, each = list(running), self.form.columns // COLUMNS * 2
        for block in range(self.form.steps // STEPS):
            halves = [add(add(first, self.within), block * STEPS + half) for half in (0, STEPS // 2)]
            for column in range(self.form.columns // COLUMNS):
                if after is not None and not has_products(column * COLUMNS, after + block * STEPS):
                    continue
                place = add(self.group, column * COLUMNS)
                right = [memref.load(self.memory, [step, place]) for step in halves]
                for across in range(self.form.across):
                    one = [left[2 * across + down][2 * block + half] for half in (0, 1) for down in (0, 1)]
                    own = [(2 * across + down) * each + 2 * column + aside for down in (0, 1) for aside in (0, 1)]
                    made = multiply(one, right, [found[each_] for each_ in own])
                    for each_, value in zip(own, made, strict=True):
                        found[each_] = value
        return found
