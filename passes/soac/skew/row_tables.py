"""Rows that a loop makes one after the other, each element by element from the row before, as rows of one table."""

from __future__ import annotations

from tapeless._mlir import arith, ir, scf, tensor
from tapeless.dataclasses_on_use import dataclass
from tapeless.dialects.array_types import DYNAMIC, array_type
from tapeless.dialects.regions import terminator
from tapeless.passes.ir.build import dim, filled, index
from tapeless.passes.ir.places.slices import slice_fields
from tapeless.passes.ir.rebuild import Values, copy_op
from tapeless.passes.ir.rows import insert_row, row_at
from tapeless.passes.ir.scopes import is_defined_outside, is_inside, is_used_once, outer_values
from tapeless.passes.ir.search import holds
from tapeless.passes.ir.sizes.shapes import scalar_size, size_of
from tapeless.passes.ir.sizes.sizes import constant_int
from tapeless.passes.soac.parallelise.own_index import OwnIndex
from tapeless.passes.soac.skew.diagonals import plus
from tapeless.passes.soac.skew.first_elements import begun_with, checks_of
from tapeless.passes.soac.skew.nests import (
    ASSERT,
    EXTRACT,
    FARTHEST,
    computes,
    counts_by_one,
    starts_outside,
    waiting_for,
)

INSERT, SLICE, MAP, DIM = "tensor.insert", "tensor.extract_slice", "soac.map", "tensor.dim"


@dataclass(frozen=True)
class RowTable:
    """A loop that hands on a row, the loop in it that fills the next one, and what that one is before it is filled.

    ```mlir
    scf.for %i iter_args(%above) {                   scf.for %i { scf.for %j iter_args(%t) {
      %row = scf.for %j iter_args(%r = %empty) {       %x = f(%t[%i, %j], %t[%i + 1, %j])
        %x = f(%above[%j], %r[%j])                     tensor.insert %x into %t[%i + 1, %j + 1]
        tensor.insert %x into %r[%j + 1]             } }
      }                                              scf.for %i { g(row %i + 1 of %t) }
      g(%row)
    }
    ```
    `first` are elements of a row that are known before it is filled, `start` is what its others are.
    """

    outer: ir.OpView
    inner: ir.OpView
    number: int
    start: ir.Value
    first: tuple[ir.OpView, ...]

    @staticmethod
    def of(outer: ir.OpView) -> RowTable | None:
        """The table of a loop, if it is such a one."""
        body = outer.regions[0].blocks[0]
        loops = [op for op in body.operations if op.operation.name == "scf.for"]
        if len(loops) != 1 or not counts_by_one(outer) or not counts_by_one(loops[0]) or len(loops[0].results) != 1:
            return None
        (inner,) = loops
        others = [op for op in list(body.operations)[:-1] if op.operation != inner.operation and not _is_write(op)]
        if not all(computes(op) or op.operation.name == "tensor.splat" for op in others):
            return None
        numbers = [k for k, end in enumerate(terminator(outer.regions[0]).operands) if end == inner.results[0]]
        if len(numbers) != 1 or not starts_outside(outer, numbers[0]):
            return None
        return _table(outer, inner, numbers[0])

    @property
    def above(self) -> ir.Value:
        """The row that an iteration of the outer loop gets."""
        return self.outer.regions[0].blocks[0].arguments[1 + self.number]

    def rows(self) -> list[ir.Value]:
        """The arrays of iterations that the inner loop reads: its row, that above, and what is made of that."""
        body = self.inner.regions[0].blocks[0]
        read = [value for op in body.operations for value in outer_values(op)]
        own = [each for each in dict.fromkeys(read) if isinstance(each.type, ir.RankedTensorType)]
        outside = [each for each in own if is_defined_outside(each, self.inner.operation)]
        return [body.arguments[1], *(each for each in outside if not is_defined_outside(each, self.outer.operation))]

    def waiting(self) -> list[ir.OpView]:
        """The operations of a cell that need others of its row."""
        carried = self.inner.regions[0].blocks[0].arguments[1]
        reads = [use.owner.opview for use in carried.uses if use.owner.operation.name == EXTRACT]
        return waiting_for(reads, self.inner.regions[0].blocks[0].operations)

    def reads_rows_alone(self) -> bool:
        """Whether cells and checks need nothing that the outer loop carries but the row above, element by element."""
        body = self.outer.regions[0].blocks[0]
        others = [op for op in body.operations if op.operation != self.inner.operation]
        if any(holds(op, ASSERT) and not {*op.results} & {*self.rows()} for op in others):
            return False
        cells = list(self.inner.regions[0].blocks[0].operations)
        pending = [value for op in [*cells, *checks_of(self.outer)] for value in outer_values(op)]
        seen = set[ir.Value]()
        while pending:
            value = pending.pop()
            if value in seen or value == self.above or is_defined_outside(value, self.outer.operation):
                continue
            seen.add(value)
            if isinstance(value, ir.BlockArgument):
                if value.owner == body and value.arg_number > 0:
                    return False
                continue
            if not self._takes_elements(value):
                return False
            pending += outer_values(value.owner.opview)
        return True

    def _takes_elements(self, value: ir.Value) -> bool:
        """Whether a value is a row made of rows, an element of one, or made without any."""
        op = value.owner.opview
        if op.operation.name in (EXTRACT, DIM) or self.shifts(value) is not None:
            return True
        return all(self.shifts(each) is None for each in outer_values(op))

    def shifts(self, array: ir.Value) -> list[int] | None:
        """By how much places differ in the row above that an element of an array is made of; none of other arrays."""
        if array == self.above:
            return [0]
        if isinstance(array, ir.BlockArgument) or is_defined_outside(array, self.outer.operation):
            return None
        op = array.owner.opview
        if op.operation.name == SLICE and op.operands[0].type.rank == 1:
            (offset,), _, strides = slice_fields(op)
            below = self.shifts(op.operands[0]) if list(strides) == [1] and isinstance(offset, int) else None
            return None if below is None else [each + offset for each in below if isinstance(offset, int)]
        if op.operation.name != MAP or any(result.type.rank != 1 for result in op.results):
            return None
        body, inputs = op.regions[0].blocks[0], list(op.operands)[1:]
        inside = [each for each in inputs if not is_defined_outside(each, self.outer.operation)]
        found = [self.shifts(each) for each in inside]
        known = [shift for each in found if each is not None for shift in each]
        free = [
            value for value in outer_values(op) if value not in inputs and isinstance(value.type, ir.RankedTensorType)
        ]
        is_plain = all(computes(each) for each in list(body.operations)[:-1]) and all(
            each.type.rank == 1 for each in inputs
        )
        has_own = not all(is_defined_outside(each, self.outer.operation) for each in free)
        return known if is_plain and known and not has_own and None not in found else None

    def carry_out(self) -> None:
        """Replaces the loops."""
        outer = self.outer
        with ir.InsertionPoint(outer), outer.location:
            count = arith.maxsi(arith.subi(outer.operands[1], outer.operands[0]), index(0))
            nest = self._filled(count, self._empty(count))
            table = nest.results[0]
            values = self._others(count, table)
        for number, result in enumerate(list(outer.results)):
            if number != self.number:
                result.replace_all_uses_with(values[number])
        self._replace_row(table, count)
        outer.operation.erase()

    def _empty(self, count: ir.Value) -> ir.Value:
        """The table before it is filled: the first row, and of others what is known."""
        begin, rows = self.outer.operands[3 + self.number], plus(count, 1)
        type_ = array_type([DYNAMIC, begin.type.shape[0]], begin.type.element_type)
        table = filled(type_, [rows, dim(begin, 0)], self.start.owner.operands[0])
        if not _is_same_fill(begin, self.start):
            table = insert_row(table, index(0), begin)
        if not self.first:
            return table
        loop = scf.ForOp(index(0), count, index(1), [table])
        with ir.InsertionPoint(loop.body):
            at, carried = loop.induction_variable, loop.inner_iter_args[0]
            known = self._known(at)
            made = carried
            for op in checks_of(self.outer):
                self._copied(op, known, carried, at)
            for op in self.first:
                value = self._value(op.operands[0], known, carried, at)
                made = tensor.InsertOp(value, made, [plus(at, 1), op.operands[2]]).result
            scf.YieldOp([made])
        return loop.results[0]

    def _filled(self, count: ir.Value, table: ir.Value) -> scf.ForOp:
        """The nest that fills the table."""
        inner = self.inner
        block = inner.regions[0].blocks[0]
        loop = scf.ForOp(index(0), count, index(1), [table])
        with ir.InsertionPoint(loop.body):
            at, table = loop.induction_variable, loop.inner_iter_args[0]
            before = self._known(at)
            for op in [] if self.first else checks_of(self.outer):
                self._copied(op, before, table, at)
            nested = scf.ForOp(*list(inner.operands)[:3], [table])
            with ir.InsertionPoint(nested.body):
                carried = nested.inner_iter_args[0]
                known = {**before, block.arguments[0]: nested.induction_variable}
                write = terminator(inner.regions[0]).operands[0].owner.opview
                for op in list(block.operations)[:-1]:
                    if op.operation == write.operation:
                        break
                    self._copied(op, known, carried, at)
                value = self._value(write.operands[0], known, carried, at)
                place = self._value(write.operands[2], known, carried, at)
                scf.YieldOp([tensor.InsertOp(value, carried, [plus(at, 1), place]).result])
            scf.YieldOp([nested.results[0]])
        return loop

    def _others(self, count: ir.Value, table: ir.Value) -> dict[int, ir.Value]:
        """What the outer loop carries beside the row, by a loop over the rows of the full table."""
        outer = self.outer
        numbers = [k for k in range(len(outer.results)) if k != self.number]
        if not numbers:
            return {}
        body = outer.regions[0].blocks[0]
        loop = scf.ForOp(index(0), count, index(1), [outer.operands[3 + k] for k in numbers])
        with ir.InsertionPoint(loop.body):
            at = loop.induction_variable
            known = self._known(at)
            known[self.above] = row_at(table, at)
            known[self.inner.results[0]] = row_at(table, plus(at, 1))
            for k, carried in zip(numbers, loop.inner_iter_args, strict=True):
                known[body.arguments[1 + k]] = carried
            ends = terminator(outer.regions[0]).operands
            scf.YieldOp([self._plain(ends[k], known) for k in numbers])
        return dict(zip(numbers, loop.results, strict=True))

    def _replace_row(self, table: ir.Value, count: ir.Value) -> None:
        result = self.outer.results[self.number]
        for op in [use.owner.opview for use in result.uses if use.owner.operation.name == EXTRACT]:
            with ir.InsertionPoint(op), op.location:
                op.results[0].replace_all_uses_with(tensor.ExtractOp(table, [count, op.operands[1]]).result)
            op.operation.erase()
        if next(iter(result.uses), None) is not None:
            with ir.InsertionPoint(self.outer), self.outer.location:
                result.replace_all_uses_with(row_at(table, count))

    def _known(self, at: ir.Value) -> Values:
        low = self.outer.operands[0]
        counted = at if constant_int(low) == 0 else arith.addi(low, at)
        return {self.outer.regions[0].blocks[0].arguments[0]: counted}

    def _plain(self, value: ir.Value, known: Values) -> ir.Value:
        """A value of the outer loop with the operations that make it."""
        if value in known or is_defined_outside(value, self.outer.operation):
            return known.get(value, value)
        op = value.owner.opview
        for operand in outer_values(op):
            self._plain(operand, known)
        copy_op(op, known)
        return known[value]

    def _value(self, value: ir.Value, known: Values, table: ir.Value, at: ir.Value) -> ir.Value:
        """A number of a cell, with the operations that make it; elements of rows are those of the table."""
        if value in known or is_defined_outside(value, self.outer.operation):
            return known.get(value, value)
        self._copied(value.owner.opview, known, table, at)
        return known[value]

    def _copied(self, op: ir.OpView, known: Values, table: ir.Value, at: ir.Value) -> None:
        if any(result in known for result in op.results):
            return
        name = op.operation.name
        if name == EXTRACT and self._is_row(op.operands[0]):
            place = self._value(op.operands[1], known, table, at)
            known[op.results[0]] = self._element(op.operands[0], place, known, table, at)
            return
        if name == DIM and self._is_row(op.operands[0]):
            known[op.results[0]] = dim(table, 1)
            return
        for operand in outer_values(op):
            self._value(operand, known, table, at)
        copy_op(op, known)

    def _is_row(self, value: ir.Value) -> bool:
        return value == self.inner.regions[0].blocks[0].arguments[1] or self.shifts(value) is not None

    def _element(self, array: ir.Value, place: ir.Value, known: Values, table: ir.Value, at: ir.Value) -> ir.Value:
        """An element of a row, or of what the outer loop makes of it element by element."""
        if is_defined_outside(array, self.outer.operation):
            return tensor.ExtractOp(array, [place]).result
        if array == self.above:
            return tensor.ExtractOp(table, [at, place]).result
        if array == self.inner.regions[0].blocks[0].arguments[1]:
            return tensor.ExtractOp(table, [plus(at, 1), place]).result
        op = array.owner.opview
        if op.operation.name == SLICE:
            (offset,) = slice_fields(op)[0]
            start = index(offset) if isinstance(offset, int) else self._value(offset, known, table, at)
            moved = place if constant_int(start) == 0 else arith.addi(place, start)
            return self._element(op.operands[0], moved, known, table, at)
        block = op.regions[0].blocks[0]
        inside = dict(known)
        elements = [self._element(each, place, known, table, at) for each in list(op.operands)[1:]]
        inside.update(zip(block.arguments, [place, *elements], strict=True))
        for each in list(block.operations)[:-1]:
            for operand in outer_values(each):
                inside[operand] = inside[operand] if operand in inside else self._value(operand, inside, table, at)
            copy_op(each, inside)
        yielded = terminator(op.regions[0]).operands[list(op.results).index(array)]
        return inside.get(yielded, yielded)


def _table(outer: ir.OpView, inner: ir.OpView, number: int) -> RowTable | None:
    row, above = inner.results[0], outer.regions[0].blocks[0].arguments[1 + number]
    if not isinstance(row.type, ir.RankedTensorType) or row.type.rank != 1:
        return None
    if not isinstance(row.type.element_type, ir.F64Type | ir.F32Type):
        return None
    place = _place_of_write(inner)
    if place is None or not all(is_defined_outside(bound, outer.operation) for bound in list(inner.operands)[:2]):
        return None
    begun = begun_with(outer, inner, above, place)
    if begun is None or size_of(above, 0) != size_of(row, 0):
        return None
    found = RowTable(outer, inner, number, *begun)
    return found if found.reads_rows_alone() and _is_chain(found, place) else None


def _is_chain(table: RowTable, place: int) -> bool:
    """Whether elements wait for some of their row and of the row above, all at constant distances before them."""
    carried = table.inner.regions[0].blocks[0].arguments[1]
    behind: dict[bool, list[int]] = {True: [], False: []}
    for array in table.rows():
        shifts = [0] if array == carried else table.shifts(array)
        users = [use.owner.opview for use in array.uses if is_inside(use.owner.operation, table.inner.operation)]
        distances = [_own_place(op.operands[1], table.inner) for op in users if op.operation.name == EXTRACT]
        known = [distance for distance in distances if distance is not None]
        is_plain = all(op.operation.name in (EXTRACT, DIM) or _is_write(op) for op in users)
        is_plain = is_plain and all(op.operation.block == table.inner.regions[0].blocks[0] for op in users)
        if shifts is None or len(known) < len(distances) or not is_plain:
            return False
        if array != carried and not _is_checked_by_cells(array, table.inner, known):
            return False
        behind[array == carried] += [place - distance - shift for distance in known for shift in shifts]
    own, others = behind[True], behind[False]
    return bool(own and others) and min(own) > 0 and min(others) >= 0 and max(own + others) <= FARTHEST


def _is_checked_by_cells(array: ir.Value, inner: ir.OpView, distances: list[int]) -> bool:
    """Whether cells need all elements of an array, if checks are made with these."""
    if isinstance(array, ir.BlockArgument) or not holds(array.owner.opview, ASSERT):
        return True
    count = scalar_size(inner.operands[1])
    return 0 in distances and constant_int(inner.operands[0]) == 0 and scalar_size(array.owner.operands[0]) == count


def _place_of_write(inner: ir.OpView) -> int | None:
    """How far behind its number an iteration writes its element, if it writes one and does so last."""
    (end,) = terminator(inner.regions[0]).operands
    if isinstance(end, ir.BlockArgument) or end.owner.operation.name != INSERT or not is_used_once(end):
        return None
    body = list(inner.regions[0].blocks[0].operations)[:-1]
    write = end.owner.opview
    is_last = write.operation == body[-1].operation and write.operands[1] == inner.regions[0].blocks[0].arguments[1]
    if not is_last or not all(computes(op) for op in body[:-1]):
        return None
    return _own_place(write.operands[2], inner)


def _own_place(place: ir.Value, inner: ir.OpView) -> int | None:
    """How far a place is from the number of an iteration, where that is always as far."""
    found = OwnIndex.of(place, inner)
    return found.constant if found is not None and found.is_known else None


def _is_same_fill(left: ir.Value, right: ir.Value) -> bool:
    is_fill = not isinstance(left, ir.BlockArgument) and left.owner.operation.name == "tensor.splat"
    return is_fill and left.owner.operands[0] == right.owner.operands[0]


def _is_write(op: ir.OpView) -> bool:
    return op.operation.name == INSERT
