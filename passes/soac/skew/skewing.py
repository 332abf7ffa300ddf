"""The code of a nest by antidiagonals: what cells need beforehand, the loop over diagonals, and the table after it."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from tapeless._mlir import arith, ir, scf, tensor
from tapeless.dataclasses_on_use import dataclass
from tapeless.dialects.array_types import DYNAMIC, array_type
from tapeless.passes.ir.build import dim, filled, flags, index, map_, number, reduce_
from tapeless.passes.ir.constants import constant_of
from tapeless.passes.ir.rebuild import Values, copy_op
from tapeless.passes.ir.rows import Size, slice_of, with_slice
from tapeless.passes.ir.scopes import is_defined_outside, outer_values
from tapeless.passes.ir.search import holds
from tapeless.passes.soac.skew.diagonals import Diagonals, plus
from tapeless.passes.soac.skew.nests import ASSERT, EXTRACT, TableNest

FLOATS = (ir.F64Type, ir.F32Type)


@dataclass
class Skewing:
    """A nest, its trips, where its cells lie by diagonals, and what waiting operations need that others can make."""

    nest: TableNest
    diagonals: Diagonals
    needed: list[ir.Value]
    waiting: list[ir.OpView]

    @staticmethod
    def of(nest: TableNest) -> Skewing:
        """How to skew a nest; makes the number of its rows and columns before it."""
        waiting = nest.waiting()
        late = {result for op in waiting for result in op.results}
        late |= {op.results[0] for reads in nest.reads.values() for op in reads}
        wanted = [value for op in waiting for value in outer_values(op)]
        wanted += [nest.write.operands[0], *(each.addend for each in nest.sums)]
        needed = [value for value in dict.fromkeys(wanted) if value not in late and _is_made_in(nest, value)]
        loops = (nest.outer, nest.inner)
        with ir.InsertionPoint(nest.outer), nest.outer.location:
            rows, columns = (arith.maxsi(arith.subi(loop.operands[1], loop.operands[0]), index(0)) for loop in loops)
        above, left = (max(behind[axis] for behind in nest.reads) for axis in (0, 1))
        return Skewing(nest, Diagonals(rows, columns, above, left), needed, waiting)

    def carry_out(self) -> None:
        """Replaces the nest."""
        nest = self.nest
        self._read_each_once()
        with ir.InsertionPoint(nest.outer), nest.outer.location:
            self._check_empty_rows()
            tables = self._made_before()
            cells, totals = self._loop(tables)
            self._replace_table(cells)
        starts = list(nest.outer.operands)[3:]
        with ir.InsertionPoint(nest.outer), nest.outer.location:
            for each, total in zip(nest.sums, totals, strict=True):
                both = arith.AddFOp(starts[each.number], total, fastmath=each.addition.attributes["fastmath"]).result
                nest.outer.results[each.number].replace_all_uses_with(both)
        nest.outer.operation.erase()

    def _read_each_once(self) -> None:
        """Makes one read of all of a neighbour, before all else, which stands for its element of the diagonal."""
        nest = self.nest
        block = nest.inner.regions[0].blocks[0]
        for behind, reads in nest.reads.items():
            with ir.InsertionPoint.at_block_begin(block), nest.inner.location:
                only = tensor.ExtractOp(nest.carried, list(nest.counters))
            for op in reads:
                op.results[0].replace_all_uses_with(only.result)
                op.operation.erase()
            nest.reads[behind] = [only]
        self.waiting = nest.waiting()

    def _made_before(self) -> list[ir.Value]:
        """What cells need of others than their neighbours, by diagonals."""
        if not self.needed:
            return []
        inner = self.diagonals.inner()
        types = [value.type for value in self.needed]
        checks = self._checks(late=False)

        def cell(diagonal: ir.Value, position: ir.Value) -> list[ir.Value]:
            i = arith.addi(position, inner.first(diagonal))
            j = arith.subi(diagonal, i)

            def values() -> list[ir.Value]:
                known = self._known(i, j)
                for op in checks:
                    _copied(op, known, self.nest)
                return [_value(value, known, self.nest) for value in self.needed]

            is_cell = arith.andi(_is_less(i, inner.rows), _is_natural(j))
            return _where(is_cell, types, values)

        return _by_diagonals(inner, cell)

    def _check_empty_rows(self) -> None:
        """Has rows without cells, which check what their row does, checked all the same."""
        checks = [op for op in self._checks(late=False) if op.operation.block == self.nest.outer.regions[0].blocks[0]]
        if not checks:
            return
        has_cells = _is_less(index(0), self.diagonals.columns)
        loop = scf.ForOp(index(0), arith.select(has_cells, index(0), self.diagonals.rows), index(1))
        with ir.InsertionPoint(loop.body):
            known = self._known(loop.induction_variable, index(0))
            for op in checks:
                _copied(op, known, self.nest)
            scf.YieldOp([])

    def _checks(self, *, late: bool) -> list[ir.OpView]:
        """The operations of a cell that may fail: those that need cells before them, or the others."""
        found = [op for op in self.nest.operations() if op.operation.name == ASSERT or holds(op, ASSERT)]
        return [op for op in found if any(op.operation == each.operation for each in self.waiting) == late]

    def _known(self, i: ir.Value, j: ir.Value) -> Values:
        """What the cell of a number gets from the loops: their counters, and the table as it was."""
        nest = self.nest
        places = [arith.addi(loop.operands[0], at) for loop, at in zip((nest.outer, nest.inner), (i, j), strict=True)]
        return {**dict(zip(nest.counters, places, strict=True)), nest.carried: nest.start}

    def _loop(self, tables: Sequence[ir.Value]) -> tuple[ir.Value, list[ir.Value]]:
        """The diagonals one after the other; gives all cells, and sums."""
        nest, whole, inner = self.nest, self.diagonals, self.diagonals.inner()
        zeros = [number(each.addend.type, 0.0) for each in nest.sums]
        loop = scf.ForOp(index(0), inner.count(), index(1), [self._borders(), *zeros])
        cells, *totals = loop.inner_iter_args
        with ir.InsertionPoint(loop.body):
            diagonal = loop.induction_variable
            first = inner.first(diagonal)
            length = arith.subi(arith.minsi(inner.rows, plus(diagonal, 1)), first)
            before = [self._part(cells, diagonal, first, behind, length) for behind in nest.reads]
            given = [_row_part(table, diagonal, 0, length) for table in tables]

            def body(at: ir.Value, elements: Sequence[ir.Value], _: object) -> tuple[list[ir.Value], list[ir.Value]]:
                i = arith.addi(first, at)
                known = self._known(i, arith.subi(diagonal, i))
                read = [reads[0].results[0] for reads in nest.reads.values()]
                known.update(zip([*read, *self.needed], elements, strict=True))
                for op in [*([] if tables else self._checks(late=False)), *self._checks(late=True)]:
                    _copied(op, known, nest)
                wanted = [nest.write.operands[0], *(each.addend for each in nest.sums)]
                return [_value(value, known, nest) for value in wanted], []

            (made, *terms), _ = map_(length, [*before, *given], [], body)
            row, column = whole.at(first, arith.subi(diagonal, first))
            written = with_slice(cells, made, [row, column], [1, length], [1, 1])
            ends = [_added(total, term, length) for total, term in zip(totals, terms, strict=True)]
            scf.YieldOp([written, *ends])
        return loop.results[0], list(loop.results)[1:]

    def _part(
        self, cells: ir.Value, diagonal: ir.Value, first: ir.Value, behind: tuple[int, int], length: ir.Value
    ) -> ir.Value:
        """The cells that are so far behind those of a diagonal."""
        i, j = plus(first, -behind[0]), plus(arith.subi(diagonal, first), -behind[1])
        return _row_part(cells, *self.diagonals.at(i, j), length)

    def _borders(self) -> ir.Value:
        """The diagonals before the loop: of the table as it was, the cells before those of the nest."""
        nest, whole = self.nest, self.diagonals
        element = nest.start.type.element_type
        if _is_fill(nest.start):
            value = nest.start.owner.operands[0]
            return filled(array_type([DYNAMIC, DYNAMIC], element), [whole.count(), whole.width()], value)
        places = [
            plus(loop.operands[0], offset) for loop, offset in zip((nest.outer, nest.inner), nest.place, strict=True)
        ]

        def cell(diagonal: ir.Value, position: ir.Value) -> list[ir.Value]:
            i = plus(arith.addi(position, whole.first(diagonal)), -whole.above)
            j = plus(arith.subi(diagonal, i), -whole.above - whole.left)
            at = [arith.addi(place, each) for place, each in zip(places, (i, j), strict=True)]
            is_border = arith.ori(_is_less(i, index(0)), _is_less(j, index(0)))
            is_inside = arith.andi(_is_less(i, whole.rows), arith.andi(_is_natural(at[0]), _is_natural(at[1])))
            is_cell = arith.cmpi(arith.CmpIPredicate.sge, j, index(-whole.left))
            known = arith.andi(is_border, arith.andi(is_inside, is_cell))
            return _where(known, [element], lambda: [tensor.ExtractOp(nest.start, at).result])

        return _by_diagonals(whole, cell)[0]

    def _replace_table(self, cells: ir.Value) -> None:
        """Has users of the table read cells: elements one by one, anything else the whole table."""
        nest = self.nest
        result = nest.outer.results[nest.table]
        users = [use.owner.opview for use in result.uses]
        for op in users:
            if op.operation.name == EXTRACT:
                with ir.InsertionPoint(op), op.location:
                    op.results[0].replace_all_uses_with(self._element(cells, list(op.operands)[1:]))
                op.operation.erase()
        if next(iter(result.uses), None) is not None:
            result.replace_all_uses_with(self._whole_table(cells))

    def _element(self, cells: ir.Value, at: list[ir.Value]) -> ir.Value:
        """One element of the table after the nest."""
        nest, whole = self.nest, self.diagonals
        i, j = (
            arith.subi(place, plus(loop.operands[0], offset))
            for place, loop, offset in zip(at, (nest.outer, nest.inner), nest.place, strict=True)
        )
        rows = arith.andi(_is_natural(i), _is_less(i, whole.rows))
        columns = arith.andi(_is_natural(j), _is_less(j, whole.columns))
        choice = scf.IfOp(arith.andi(rows, columns), [nest.start.type.element_type], has_else=True)
        with ir.InsertionPoint(choice.then_block):
            scf.YieldOp([tensor.ExtractOp(cells, list(whole.at(i, j))).result])
        with ir.InsertionPoint(choice.else_block):
            scf.YieldOp([tensor.ExtractOp(nest.start, at).result])
        return choice.results[0]

    def _whole_table(self, cells: ir.Value) -> ir.Value:
        nest, whole = self.nest, self.diagonals

        def row(i: ir.Value, *_: object) -> tuple[list[ir.Value], list[ir.Value]]:
            def element(j: ir.Value, *_: object) -> tuple[list[ir.Value], list[ir.Value]]:
                return [tensor.ExtractOp(cells, list(whole.at(i, j))).result], []

            return map_(whole.columns, [], [], element)[0], []

        (made,), _ = map_(whole.rows, [], [], row)
        places = [
            plus(loop.operands[0], offset) for loop, offset in zip((nest.outer, nest.inner), nest.place, strict=True)
        ]
        sizes = [dim(made, axis) if size == DYNAMIC else size for axis, size in enumerate(made.type.shape)]
        return with_slice(nest.start, made, places, sizes, [1, 1])


def _by_diagonals(diagonals: Diagonals, cell: Callable[[ir.Value, ir.Value], list[ir.Value]]) -> list[ir.Value]:
    """Arrays with a row for each diagonal, of what `cell(diagonal, position)` writes."""
    width = diagonals.width()

    def row(diagonal: ir.Value, *_: object) -> tuple[list[ir.Value], list[ir.Value]]:
        return map_(width, [], [], lambda position, *_: (cell(diagonal, position), []))[0], []

    return map_(diagonals.count(), [], [], row)[0]


def _row_part(array: ir.Value, row: ir.Value, start: Size, length: ir.Value) -> ir.Value:
    type_ = array_type([DYNAMIC], array.type.element_type)
    return slice_of(array, [row, start], [1, length], [1, 1], type_)


def _added(total: ir.Value, terms: ir.Value, length: ir.Value) -> ir.Value:
    zero = number(total.type, -0.0)
    (term,) = reduce_(length, [terms], [zero], lambda a, b: [arith.AddFOp(a[0], b[0], fastmath=flags()).result])
    return arith.AddFOp(total, term, fastmath=flags()).result


def _where(condition: ir.Value, types: Sequence[ir.Type], values: Callable[[], list[ir.Value]]) -> list[ir.Value]:
    """Values where a condition holds, and zeros elsewhere."""
    choice = scf.IfOp(condition, list(types), has_else=True)
    with ir.InsertionPoint(choice.then_block):
        scf.YieldOp(values())
    with ir.InsertionPoint(choice.else_block):
        scf.YieldOp([number(type_, 0.0) for type_ in types])
    return list(choice.results)


def _is_less(left: ir.Value, right: ir.Value) -> ir.Value:
    return arith.cmpi(arith.CmpIPredicate.slt, left, right)


def _is_natural(value: ir.Value) -> ir.Value:
    return arith.cmpi(arith.CmpIPredicate.sge, value, index(0))


def _is_fill(array: ir.Value) -> bool:
    return not isinstance(array, ir.BlockArgument) and array.owner.operation.name == "tensor.splat"


def _is_made_in(nest: TableNest, value: ir.Value) -> bool:
    """Whether a number that can be stored is made in the nest, and is no constant."""
    return (
        isinstance(value.type, FLOATS)
        and not is_defined_outside(value, nest.outer.operation)
        and constant_of(value) is None
    )


def _value(value: ir.Value, known: Values, nest: TableNest) -> ir.Value:
    """A value of the nest for the cell of `known`, with the operations that make it."""
    if value not in known and not is_defined_outside(value, nest.outer.operation):
        _copied(value.owner.opview, known, nest)
    return known.get(value, value)


def _copied(op: ir.OpView, known: Values, nest: TableNest) -> None:
    """Copies an operation, with those that it needs, unless that was done before."""
    if any(result in known for result in op.results):
        return
    for operand in outer_values(op):
        _value(operand, known, nest)
    copy_op(op, known)
