"""Gathers seen by the maps around them.

A map over `rows[keys]` becomes a map over `keys` that reads `rows`, and one that reads another map at its keys computes
what it reads.
"""

from __future__ import annotations

from collections.abc import Iterable

from tapeless._mlir import ir
from tapeless.dataclasses_on_use import dataclass
from tapeless.dialects.array_types import DYNAMIC
from tapeless.dialects.regions import terminator
from tapeless.passes.ir.costs import calls_function
from tapeless.passes.ir.rebuild import Values, as_type, body_at, copy_op, replace_op
from tapeless.passes.ir.regions.structure import arguments_of
from tapeless.passes.ir.rows import row_at
from tapeless.passes.ir.scopes import identity, is_defined_outside, is_used, outer_values
from tapeless.passes.ir.sizes.shapes import is_checked_size, size_of
from tapeless.passes.ir.speculation import is_safe_anywhere
from tapeless.passes.soac.simplify.elements import add_input
from tapeless.passes.soac.tabulate.keyed import READS


@dataclass(frozen=True)
class Gather:
    """A map that picks rows of an array: the operation, and the statements of its body that make one of its results."""

    op: ir.OpView
    steps: list[ir.OpView]
    row: ir.Value


def gather_of(array: ir.Value, reader: ir.OpView) -> Gather | None:
    """The gather that made an array, if one did with as many picks as the map that reads it has iterations."""
    if isinstance(array, ir.BlockArgument) or array.owner.operation.name != "soac.map":
        return None
    op = array.owner
    row = terminator(op.body).operands[array.result_number]
    if op.accs or isinstance(row, ir.BlockArgument) or row.owner.operation.name not in READS:
        return None
    if is_defined_outside(row, op.operation) or not is_checked_size(array, 0, reader.width, reader.body.blocks[0]):
        return None
    steps = _steps(op, row)
    return None if steps is None else Gather(op, steps, row)


def _steps(op: ir.OpView, row: ir.Value) -> list[ir.OpView] | None:
    """The read and the computation of its index; nothing when that may not run twice."""
    steps = steps_to(op, row.owner.operation.operands)
    return None if steps is None else [*steps, row.owner]


def steps_to(op: ir.OpView, values: Iterable[ir.Value]) -> list[ir.OpView] | None:
    """The statements of a map's body that compute some values, in order; nothing when one may not run elsewhere."""
    needed, waiting = set(), list(values)
    while waiting:
        value = waiting.pop()
        if isinstance(value, ir.BlockArgument) or is_defined_outside(value, op.operation):
            continue
        if not is_safe_anywhere(value.owner):
            return None
        needed.add(identity(value.owner))
        waiting += outer_values(value.owner)
    return [each for each in op.body.blocks[0].operations if len(each.operation.results) and identity(each) in needed]


def read_in_body(op: ir.OpView, position: int, gather: Gather) -> ir.OpView:
    """The map reading the rows itself, in place of the input at a position; the checks of the gather have run."""
    before = len(op.inputs)
    for array in gather.op.inputs:
        op, _ = add_input(op, array)
    block, elements = op.body.blocks[0], arguments_of(op, "inputs")
    element, inputs = elements[position], elements[before:]
    values: Values = dict(zip(gather.op.body.blocks[0].arguments, [block.arguments[0], *inputs], strict=True))
    first = block.operations[0]
    with ir.InsertionPoint(first), op.location:
        for each in gather.steps:
            copy_op(each, values)
    element.replace_all_uses_with(as_type(values[gather.row], element.type, first))
    return op


def compute_picks(op: ir.OpView) -> bool:
    """Lets a map compute the elements of another map that it alone reads, each at one place; whether there are any."""
    changed = False
    for read in list(op.body.blocks[0].operations)[:-1]:
        if read.operation.name == "tensor.extract" and _is_only_pick(read, op):
            source, place = read.operation.operands
            with ir.InsertionPoint(read), read.location:
                elements = [row_at(array, place) for array in source.owner.inputs]
            replace_op(read, [body_at(source.owner, place, elements, read)[source.result_number]])
            changed = True
    return changed


def _is_only_pick(read: ir.OpView, op: ir.OpView) -> bool:
    """Whether a read of a map's elements is its only use, and these cost functions that may run for any picks."""
    source, *places = read.operation.operands
    if len(places) != 1 or isinstance(source, ir.BlockArgument) or source.owner.operation.name != "soac.map":
        return False
    made = source.owner
    uses = [use for result in made.operation.results for use in result.uses]
    is_beside = made.operation.block == op.operation.block and len(made.operation.results) == 1
    is_costly = calls_function(made) and is_safe_anywhere(made)
    return len(uses) == 1 and is_beside and not made.accs and is_costly and _depends_on_rows(made)


def _depends_on_rows(op: ir.OpView) -> bool:
    """Whether a map's elements depend on rows of constant size of arrays, and not on its index itself."""
    shapes = [array.type.shape[1:] for array in op.inputs]
    has_fixed_rows = bool(shapes) and all(DYNAMIC not in shape for shape in shapes)
    sizes = [size_of(array, 0) for array in op.inputs]
    uses_index = is_used(op.body.blocks[0].arguments[0])
    return has_fixed_rows and all(size == sizes[0] for size in sizes) and not uses_index
