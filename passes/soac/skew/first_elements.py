"""The elements of a row that are written before its loop, from the first ones of the row above."""

from __future__ import annotations

from collections.abc import Sequence

from tapeless._mlir import ir
from tapeless.passes.ir.scopes import is_defined_outside, outer_values
from tapeless.passes.ir.sizes.sizes import constant_int
from tapeless.passes.soac.skew.nests import ASSERT, EXTRACT, INSERT

DIM = "tensor.dim"


def begun_with(
    outer: ir.OpView, inner: ir.OpView, above: ir.Value, place: int
) -> tuple[ir.Value, tuple[ir.OpView, ...]] | None:
    """What fills a row before its loop, and the single elements that are written first, of those of the row above."""
    first: list[ir.OpView] = []
    row, low = inner.operands[3], constant_int(inner.operands[0])
    while not is_defined_outside(row, outer.operation) and row != above and row.owner.operation.name == INSERT:
        first.insert(0, row.owner.opview)
        row = row.owner.operands[1]
    if isinstance(row, ir.BlockArgument) or row.owner.operation.name != "tensor.splat":
        return None
    is_fixed = is_defined_outside(row.owner.operands[0], outer.operation)
    places = [constant_int(op.operands[2]) for op in first]
    known = [each for each in places if each is not None]
    if not is_fixed or len(known) < len(places) or (known and (low is None or max(known) >= low + place)):
        return None
    checked = [value for op in checks_of(outer) for value in op.operands] if first else []
    written = [op.operands[0] for op in first]
    return (row, tuple(first)) if _are_made_of_first([*written, *checked], above, known) else None


def checks_of(loop: ir.OpView) -> list[ir.OpView]:
    """The checks of an iteration that are in no operation of it; they come before what they make safe."""
    return [op for op in loop.regions[0].blocks[0].operations if op.operation.name == ASSERT]


def _are_made_of_first(values: Sequence[ir.Value], above: ir.Value, places: Sequence[int]) -> bool:
    """Whether values of an iteration are made of no others of the row above than its first elements."""
    outer = above.owner.owner
    pending, seen = list(values), set[ir.Value]()
    while pending:
        value = pending.pop()
        if value in seen or is_defined_outside(value, outer):
            continue
        seen.add(value)
        if isinstance(value, ir.BlockArgument):
            if value.arg_number > 0:
                return False
            continue
        op = value.owner.opview
        if op.operation.name == EXTRACT and op.operands[0] == above:
            if constant_int(op.operands[1]) not in places:
                return False
            continue
        if op.operation.name == DIM and op.operands[0] == above:
            continue
        pending += outer_values(op)
    return True
