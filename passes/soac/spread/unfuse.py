"""Loop fission of fused maps and reductions: elements first, by a grid, then their combination."""

from __future__ import annotations

from functools import partial

from tapeless._mlir import ir
from tapeless.dialects import soac
from tapeless.dialects.array_types import row_type
from tapeless.dialects.regions import terminator
from tapeless.dialects.soac.builders import fill
from tapeless.passes.ir import build
from tapeless.passes.ir.array_loops import Loop
from tapeless.passes.ir.rebuild import Values, copy_op, replace_op
from tapeless.passes.soac.spread.weights import MOST_REPEATED, chain_length, is_repeatable


def unfused(op: ir.OpView) -> ir.OpView | None:
    """The map that makes the elements of a `soac.fused` without scans; after it stands the reduction of them.

    Nothing if it takes no array to reduce what it lifts.
    """
    loop = Loop.seen_as(op)
    block = loop.body
    lifted = loop.lifted()
    combined, rows = lifted[: len(loop.reduced.neutral)], lifted[len(loop.reduced.neutral) :]
    rows = list(dict.fromkeys(rows))
    stored = set(rows)
    for value in combined:
        if value not in stored and not _is_short(value, block, stored):
            rows.append(value)
            stored.add(value)
    if not rows:
        return None
    with op.location, ir.InsertionPoint(op):
        arrays = _map(loop, rows)
        totals = _reduction(loop, combined, arrays) if combined else []
        mapped = [arrays[value] for value in lifted[len(combined) :]]
    elements: ir.OpView = arrays[rows[0]].owner
    replace_op(op, [*totals, *mapped])
    return elements


def _is_short(value: ir.Value, block: ir.Block, stored: set[ir.Value]) -> bool:
    """Whether a lifted value takes next to nothing to compute again."""
    if isinstance(value, ir.BlockArgument) or value.owner.operation.block != block:
        return True
    return chain_length(value, block, stored) <= MOST_REPEATED and _ends(value, block, stored)


def _ends(value: ir.Value, block: ir.Block, stored: set[ir.Value]) -> bool:
    """Whether simple operations lead from stored values, or from elements, to a value."""
    if isinstance(value, ir.BlockArgument) or value in stored or value.owner.operation.block != block:
        return True
    return is_repeatable(value.owner) and all(_ends(each, block, stored) for each in value.owner.operands)


def _map(loop: Loop, rows: list[ir.Value]) -> dict[ir.Value, ir.Value]:
    """The arrays of some values of the lift."""
    block = loop.body

    def body(index: ir.Value, elements: build.Rows, _: build.Rows) -> tuple[list[ir.Value], list[ir.Value]]:
        values: Values = dict(zip(block.arguments, [index, *elements], strict=True))
        for inner in list(block.operations)[:-1]:
            copy_op(inner, values)
        return [values.get(row, row) for row in rows], []

    arrays, _ = build.map_(loop.width, loop.inputs, [], body)
    return dict(zip(rows, arrays, strict=True))


def _reduction(loop: Loop, combined: list[ir.Value], arrays: dict[ir.Value, ir.Value]) -> list[ir.Value]:
    """The combination of the lifted values, read from their arrays or recomputed."""
    block = loop.body
    inputs = [*loop.inputs, *arrays.values()]
    op = soac.FusedOp(loop.width, inputs, loop.reduced.neutral, [], [value.type for value in loop.reduced.neutral])

    def lift(index: ir.Value, *elements: ir.Value) -> list[ir.Value]:
        values: Values = dict(zip(block.arguments, [index, *elements], strict=False))
        values.update(zip(arrays, elements[len(loop.inputs) :], strict=True))
        return [_again(value, block, values) for value in combined]

    fill(op.lift, [ir.IndexType.get(), *(row_type(array.type) for array in inputs)], lift)
    types = [value.type for value in loop.reduced.neutral]
    fill(op.reduce, [*types, *types], partial(combination, loop))
    return list(op.operation.results)


def combination(loop: Loop, *pair: ir.Value) -> list[ir.Value]:
    """Two elements, or sums of elements, as a reduction combines them, computed here."""
    values: Values = dict(zip(loop.reduced.block.arguments, pair, strict=True))
    for inner in list(loop.reduced.block.operations)[:-1]:
        copy_op(inner, values)
    assert loop.reduced.region is not None
    return [values.get(value, value) for value in terminator(loop.reduced.region).operands]


def _again(value: ir.Value, block: ir.Block, values: Values) -> ir.Value:
    """A value of the lift, recomputed from the known `values`."""
    if value in values:
        return values[value]
    if isinstance(value, ir.BlockArgument) or value.owner.operation.block != block:
        return value
    for operand in value.owner.operands:
        values[operand] = _again(operand, block, values)
    copy_op(value.owner, values)
    return values[value]
