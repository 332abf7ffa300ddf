"""Functions of gathered rows, as tables with an entry for each row or for each pick."""

from __future__ import annotations

from collections.abc import Sequence

from tapeless._mlir import arith, ir, scf
from tapeless.dialects.array_types import DYNAMIC, stack_type
from tapeless.dialects.effects import is_or_holds
from tapeless.passes.ir.build import Rows, cast_to, dim, index, map_, static_size
from tapeless.passes.ir.costs import SUMS, calls_function
from tapeless.passes.ir.rebuild import Values, copy_op
from tapeless.passes.ir.regions.structure import arguments_of
from tapeless.passes.ir.rows import row_at
from tapeless.passes.soac.tabulate.gathers import compute_picks, gather_of, read_in_body, steps_to
from tapeless.passes.soac.tabulate.keyed import Keyed, keyed_by, row_indices, uses_alone
from tapeless.passes.soac.tabulate.picks import after


def tabulate_below(root: ir.OpView) -> bool:
    changed = False
    for region in root.operation.regions:
        for block in region.blocks:
            for op in list(block.operations):
                changed |= tabulate_below(op)
                if op.operation.name == "soac.map":
                    op = _reading_rows(op)
                    changed |= _compute_picks(op)
                    changed |= any([_tabulate(op, place) for place in row_indices(op)])
    return changed


def _reading_rows(op: ir.OpView) -> ir.OpView:
    """The map with gathered rows that it computes functions of read in its body."""
    for position, array in enumerate(list(op.inputs)):
        gather = gather_of(array, op)
        element = arguments_of(op, "inputs")[position]
        if gather is not None and any(_takes_long(each) for each in uses_alone(op, element)):
            op = read_in_body(op, position, gather)
    return op


def _compute_picks(op: ir.OpView) -> bool:
    """Lets the map compute the elements that it picks of other maps, where a table of them can be chosen after all."""
    if any(steps_to(op, [place]) is None for place in row_indices(op)):
        return False
    return compute_picks(op)


def _tabulate(op: ir.OpView, place: ir.Value) -> bool:
    """Moves the functions of the rows at one index out of a map, if that is worth it."""
    keyed = keyed_by(op, place)
    if keyed is None or not _is_worth(keyed):
        return False
    rows, picks = keyed.rows.type.shape[0], static_size(op.width)
    if DYNAMIC not in (rows, picks):
        return rows < picks and _read_tables(keyed, _tables(op, keyed), place)
    steps = steps_to(op, [place])
    if steps is None:
        return False
    with ir.InsertionPoint(op), op.location:
        count = dim(keyed.rows, 0)
        fewer = arith.CmpIOp(arith.CmpIPredicate.slt, count, op.width).result
        types = [stack_type(DYNAMIC, value.type) for value in keyed.wanted]
        choice = scf.IfOp(fewer, types, has_else=True)
        with ir.InsertionPoint(choice.then_block):
            scf.YieldOp(_as(types, _per_row(keyed)))
        with ir.InsertionPoint(choice.else_block):
            scf.YieldOp(_as(types, _per_pick(op, keyed, steps, count)))
    with ir.InsertionPoint(after(place)), op.location:
        entry = arith.SelectOp(fewer, place, op.body.blocks[0].arguments[0]).result
    return _read_tables(keyed, list(choice.results), entry)


def _takes_long(each: ir.OpView) -> bool:
    """Whether a statement is a function such as exp, a sum, or holds one."""
    return calls_function(each) or is_or_holds(each, SUMS)


def _is_worth(keyed: Keyed) -> bool:
    """Whether every value read from a table, beyond the row elements read no more, saves a function or a sum."""
    saved = sum(_takes_long(each) for each in keyed.statements)
    return saved > 0 and saved >= len(keyed.wanted) - keyed.spared


def _tables(op: ir.OpView, keyed: Keyed) -> list[ir.Value]:
    with ir.InsertionPoint(op), op.location:
        return _per_row(keyed)


def _per_row(keyed: Keyed) -> list[ir.Value]:
    """The wanted values of every row."""
    return map_(dim(keyed.rows, 0), [], [], lambda row, _, __: (_entry(keyed, {keyed.index: row}), []))[0]


def _per_pick(op: ir.OpView, keyed: Keyed, steps: Sequence[ir.OpView], count: ir.Value) -> list[ir.Value]:
    """The wanted values of every picked row; indices that the map is going to refuse are kept in range here."""
    arguments = list(op.body.blocks[0].arguments)[: 1 + len(op.inputs)]

    def body(i: ir.Value, elements: Rows, _: Rows) -> tuple[Rows, Rows]:
        values: Values = dict(zip(arguments, [i, *elements], strict=True))
        for each in steps:
            copy_op(each, values)
        last = arith.SubIOp(count, index(1)).result
        bounded = arith.MinSIOp(values.get(keyed.index, keyed.index), last).result
        values[keyed.index] = arith.MaxSIOp(bounded, index(0)).result
        return _entry(keyed, values), []

    return map_(op.width, list(op.inputs), [], body)[0]


def _entry(keyed: Keyed, values: Values) -> list[ir.Value]:
    for each in keyed.statements:
        copy_op(each, values)
    return [values[value] for value in keyed.wanted]


def _read_tables(keyed: Keyed, tables: Sequence[ir.Value], entry: ir.Value) -> bool:
    """Lets the body read the wanted values instead of computing them."""
    for value, table in zip(keyed.wanted, tables, strict=True):
        with ir.InsertionPoint(value.owner), value.owner.location:
            value.replace_all_uses_with(cast_to(value.type, row_at(table, entry)))
    return True


def _as(types: Sequence[ir.Type], values: Sequence[ir.Value]) -> list[ir.Value]:
    return [cast_to(type_, value) for type_, value in zip(types, values, strict=True)]
