"""`soac-reduce-columns`: reductions of rows element by element as reductions of columns, by runs of rows."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import ClassVar

from tapeless._mlir import arith, ir, tensor
from tapeless.dataclasses_on_use import dataclass
from tapeless.dialects.groups import SEGMENTS
from tapeless.dialects.regions import terminator
from tapeless.passes.ir.build import cast_to, index, map_
from tapeless.passes.ir.rebuild import body_at, copy_op, replace_op
from tapeless.passes.ir.search import ops_named
from tapeless.passes.soac.cascade.places import has_scalar_body, is_outside_operators
from tapeless.passes.soac.simplify.prune import prune
from tapeless.passes.soac.sums.runs import runs_of_sums, runs_of_terms

MOST_OPERATIONS = 64
# So many sums at a time are enough for a device.
ENOUGH_SUMS = 1 << 17

Values = list[ir.Value]


@dataclass(frozen=True)
class ReduceColumns:
    """Interchanges a reduction of rows with an elementwise operator: a map over columns.

    ```mlir
    %s = "soac.reduce"(%n, %rows, %zeros) ({          %p = map over runs of rows: map over %m:
    ^bb0(%a, %b: tensor<?xf64>):                             reduction of %rows[%i, %j] over the rows of the run
      map over %m: addf                               %q = map over runs of %p: map over %m:
    })                                                       reduction of %p[%r, %j] over the run
                                                      %s = map over %m: reduction of %q[%r, %j] over all that is left
    ```
    For targets that give elements to threads: those of neighbouring columns read side by side. How many runs there are
    follows from the sizes. Rows that the reduction leaves beside are made by a map of their own.
    """

    name: ClassVar[str] = "soac-reduce-columns"

    def run(self, module: ir.Module) -> None:
        """Rewrites every such reduction that no operator contains."""
        root = module.operation.opview
        found = [Columns.of(op) for op in ops_named(root, "soac.reduce", "soac.fused") if is_outside_operators(op)]
        for columns in [each for each in found if each is not None]:
            with ir.InsertionPoint(columns.op), columns.op.location:
                results = columns.results()
            replace_op(columns.op, results)
        prune(root)


def interchange_inside(root: ir.OpView) -> bool:
    """Has operators that reduce rows element by element reduce columns instead; says whether any did.

    Outside of operators `soac-reduce-columns` does that, by runs of rows.
    """
    found = [Columns.of(op) for op in ops_named(root, "soac.reduce", "soac.fused") if not is_outside_operators(op)]
    for columns in (inside := [each for each in found if each is not None]):
        with ir.InsertionPoint(columns.op), columns.op.location:
            results = [
                cast_to(old.type, new) for old, new in zip(columns.op.results, columns.by_columns(), strict=True)
            ]
        replace_op(columns.op, results)
    return bool(inside)


@dataclass(frozen=True)
class Columns:
    """A reduction of rows: `combine` joins their elements, `lift` makes them, if they are not those of the inputs."""

    op: ir.OpView
    neutral: Values
    combine: ir.OpView
    lift: ir.OpView | None

    @staticmethod
    def of(op: ir.OpView) -> Columns | None:
        is_fused = op.operation.name == "soac.fused"
        if is_fused and len(op.scan_neutral):
            return None
        neutral = list(op.reduce_neutral if is_fused else op.neutral)
        if not neutral or not all(_is_row(value) for value in neutral):
            return None
        combine = _only_map(op.regions[1 if is_fused else 0])
        lift = _only_map(op.regions[0], may_yield_rows=True) if is_fused else None
        if combine is None or (is_fused and lift is None and not _hands_on_rows(op)):
            return None
        return Columns(op, neutral, combine, lift)

    def by_columns(self) -> Values:
        """The results with one sum for each column, from operations here."""

        def of_column(column: ir.Value, *_: Sequence[ir.Value]) -> tuple[Values, Values]:
            return self._sum(self.op.width, column, lambda row: self._elements(row, column)), []

        return [*map_(self.combine.width, [], [], of_column)[0], *self._rows()]

    def results(self) -> Values:
        """The results of the operation: the reduced rows, then rows that are made beside, from operations here."""
        return [*self.reduced(), *self._rows()]

    def _rows(self) -> Values:
        """Rows that the reduction makes beside, by a map of their own."""
        lift = self.lift
        if lift is None or len(self.op.results) == len(self.neutral):
            return []
        block = self.op.regions[0].blocks[0]
        beside = list(terminator(self.op.regions[0]).operands)[len(self.neutral) :]

        def row(index: ir.Value, elements: Sequence[ir.Value], _: Sequence[ir.Value]) -> tuple[Values, Values]:
            values = dict(zip(block.arguments, [index, *elements], strict=True))
            copy_op(lift, values)
            return [values[value] for value in beside], []

        types = [result.type for result in list(self.op.results)[len(self.neutral) :]]
        made = map_(self.op.width, list(self.op.inputs), [], row)[0]
        return [cast_to(type_, array) for type_, array in zip(types, made, strict=True)]

    def reduced(self) -> Values:
        """The results, from operations here: sums of runs of rows, of runs of those, and of the remainder."""
        rows, columns = self.op.width, self.combine.width
        enough = arith.ceildivsi(index(ENOUGH_SUMS), arith.maxsi(columns, index(1)))
        sums, count = self._sums_of_runs(rows, runs_of_terms(rows, enough), self._elements)
        sums, count = self._sums_of_runs(count, runs_of_sums(count), partial(_read, sums))

        def of_column(column: ir.Value, *_: Sequence[ir.Value]) -> tuple[Values, Values]:
            return self._sum(count, column, lambda run: _read(sums, run, column)), []

        return map_(columns, [], [], of_column)[0]

    def _sums_of_runs(
        self, rows: ir.Value, runs: ir.Value, elements: Callable[[ir.Value, ir.Value], Values]
    ) -> tuple[Values, ir.Value]:
        """The partial sums of so many runs of rows, as arrays of runs and columns, and how many there are."""
        length = arith.ceildivsi(rows, runs)

        def of_run(run: ir.Value, *_: Sequence[ir.Value]) -> tuple[Values, Values]:
            first = arith.muli(run, length)
            count = arith.maxsi(arith.minsi(length, arith.subi(rows, first)), index(0))

            def of_column(column: ir.Value, *_: Sequence[ir.Value]) -> tuple[Values, Values]:
                return self._sum(count, column, lambda k: elements(arith.addi(first, k), column)), []

            return map_(self.combine.width, [], [], of_column)[0], []

        return map_(runs, [], [], of_run)[0], runs

    def _sum(self, width: ir.Value, column: ir.Value, elements: Callable[[ir.Value], Values]) -> Values:
        """The reduction of so many elements of one column."""
        neutral = [_element(value, column) for value in self.neutral]
        types = [value.type for value in neutral]
        groups = ir.DenseI32ArrayAttr.get([1, 0, len(neutral), 0])
        made = ir.Operation.create(
            "soac.fused", results=types, operands=[width, *neutral], attributes={SEGMENTS: groups}, regions=3
        )
        location = ir.Location.current
        lift = ir.Block.create_at_start(made.regions[0], [ir.IndexType.get()], [location])
        with ir.InsertionPoint(lift):
            ir.Operation.create("soac.yield", operands=elements(lift.arguments[0]))
        combine = ir.Block.create_at_start(made.regions[1], [*types, *types], [location] * (2 * len(types)))
        with ir.InsertionPoint(combine):
            pairs = list(self.combine.operation.block.arguments)
            given = dict(zip(pairs, combine.arguments, strict=True))
            values = _computed(self.combine, column, [given[each] for each in self.combine.inputs])
            ir.Operation.create("soac.yield", operands=values)
        return list(made.results)

    def _elements(self, row_number: ir.Value, column: ir.Value) -> Values:
        """The reduced elements of a row and a column."""
        if self.op.operation.name == "soac.reduce":
            return [tensor.extract(array, [row_number, column]) for array in self.op.inputs]
        arguments = list(self.op.regions[0].blocks[0].arguments)[1:]
        arrays = dict(zip(arguments, self.op.inputs, strict=True))
        made: dict[ir.Value, ir.Value] = {}
        if self.lift is not None:
            given = [
                tensor.extract(arrays[row], [row_number, column]) if row in arrays else tensor.extract(row, [column])
                for row in self.lift.inputs
            ]
            made.update(zip(self.lift.results, _computed(self.lift, column, given), strict=True))
        wanted = list(terminator(self.op.regions[0]).operands)[: len(self.neutral)]
        return [made[row] if row in made else tensor.extract(arrays[row], [row_number, column]) for row in wanted]


def _hands_on_rows(op: ir.OpView) -> bool:
    """Whether all that a fused reduction combines are rows that it is given."""
    block = op.regions[0].blocks[0]
    rows = list(block.arguments)[1:]
    yielded = list(block.operations)[-1].operands
    return (
        len(block.operations) == 1
        and len(op.results) == len(yielded) == len(op.reduce_neutral)
        and all(row in rows for row in yielded)
    )


def _read(arrays: Values, row: ir.Value, column: ir.Value) -> Values:
    return [tensor.extract(each, [row, column]) for each in arrays]


def _element(array: ir.Value, place: ir.Value) -> ir.Value:
    is_filled = not isinstance(array.owner, ir.Block) and array.owner.operation.name == "tensor.splat"
    return array.owner.operation.operands[0] if is_filled else tensor.extract(array, [place])


def _computed(op: ir.OpView, index: ir.Value, elements: Values) -> Values:
    """The results of a map's body for these elements, computed here."""
    here = arith.constant(ir.IndexType.get(), 0).owner
    values = body_at(op, index, elements, here.opview)
    here.operation.erase()
    return values


def _only_map(region: ir.Region, *, may_yield_rows: bool = False) -> ir.OpView | None:
    """The map of rows of numbers that is all of a region, if it uses nothing of the region but elements.

    All of its results are yielded, in order; some of them, and rows that the region is given, if that is allowed.
    """
    operations = list(region.blocks[0].operations)
    if len(operations) != 2 or operations[0].operation.name != "soac.map":
        return None
    made, last = operations
    rows = list(region.blocks[0].arguments)[1:]
    is_all = list(last.operands) == list(made.operation.results) or (
        may_yield_rows and set(last.operands) <= {*made.operation.results, *rows}
    )
    is_scalar = (
        is_all
        and not len(made.accs)
        and all(map(_is_row, last.operands))
        and all(array.type.rank == 1 for array in [*made.inputs, *made.results])
    )
    if not is_scalar or not has_scalar_body(made, MOST_OPERATIONS, may_read=True):
        return None
    arguments = set(region.blocks[0].arguments)
    used = {operand for inner in _inside(made) for operand in inner.operands}
    return None if used & arguments or made.width in arguments else made


def _is_row(value: ir.Value) -> bool:
    return isinstance(value.type, ir.RankedTensorType) and value.type.rank == 1


def _inside(op: ir.OpView) -> list[ir.Operation]:
    found: list[ir.Operation] = []

    def visit(inner: ir.Operation) -> ir.WalkResult:
        found.append(inner)
        return ir.WalkResult.ADVANCE

    for each in op.regions[0].blocks[0].operations:
        each.operation.walk(visit)
    return found
