"""Inner arrays of simple elements computed again by the loops that read them, so that no thread has to keep them."""

from __future__ import annotations

from functools import partial

from tapeless._mlir import ir
from tapeless.dialects import soac
from tapeless.dialects.soac.builders import fill
from tapeless.passes.ir.array_loops import Loop
from tapeless.passes.ir.build import is_array
from tapeless.passes.ir.rebuild import body_at, replace_op
from tapeless.passes.ir.rows import row_at
from tapeless.passes.ir.scopes import is_used
from tapeless.passes.ir.search import ops_named
from tapeless.passes.ir.sizes.shapes import is_checked_size, same_width
from tapeless.passes.soac.spread.unfuse import combination
from tapeless.passes.soac.spread.weights import OPERATORS, is_repeatable


def repeat_elements(root: ir.OpView) -> None:
    """Has the readers of simple maps that lie in operators below `root` compute the elements themselves.

    Elements that are rows, and are computed again, are simple maps of the reader, and so on.
    """
    while any([_repeat(op) for op in [each for each in ops_named(root, "soac.map") if _is_simple(each)]]):
        pass


def _is_simple(op: ir.OpView) -> bool:
    return op.operation.parent.name in OPERATORS and is_repeatable(op)


def _repeat(op: ir.OpView) -> bool:
    """Repeats a simple map in the loops that read it; says whether there were any.

    Of several simple maps that read each other, earlier ones come first: what repeats them is no more than itself then.
    """
    for use in [use for result in op.results for use in result.uses if use.owner.operation.name == "soac.reduce"]:
        _give_lift(use.owner, op)
    readers = [(use.owner, number) for number, result in enumerate(op.results) for use in result.uses]
    return any([_repeat_in(reader, op, number) for reader, number in readers])


def _give_lift(reader: ir.OpView, op: ir.OpView) -> None:
    """Replaces a reduction of one array of numbers that a map makes by one that may compute the numbers."""
    loop = Loop.seen_as(reader)
    if len(loop.inputs) > 1 or is_array(loop.reduced.neutral[0]) or not _reads_all(loop, op):
        return
    types = [value.type for value in loop.reduced.neutral]
    with ir.InsertionPoint(reader), reader.location:
        made = soac.FusedOp(loop.width, loop.inputs, loop.reduced.neutral, [], types)
        fill(made.lift, [ir.IndexType.get(), *types], lambda _, *elements: list(elements))
        fill(made.reduce, [*types, *types], partial(combination, loop))
    replace_op(reader, list(made.operation.results))


def _reads_all(loop: Loop, op: ir.OpView) -> bool:
    """Whether a loop is as long as a map is, or a check found it so."""
    return same_width(loop.width, op.width) or is_checked_size(op.results[0], 0, loop.width, op.results[0])


def _repeat_in(reader: ir.OpView, op: ir.OpView, number: int) -> bool:
    """Replaces the elements that a loop is handed by their computation, from the rows at its own index."""
    loop = Loop.of(reader)
    if loop is None or loop.lift is None or not _reads_all(loop, op):
        return False
    changed = False
    first = loop.body.operations[0]
    for array, argument in zip(loop.inputs, loop.elements, strict=False):
        if array == op.results[number] and is_used(argument):
            changed = True
            index = loop.body.arguments[0]
            with ir.InsertionPoint(first), reader.location:
                rows = [row_at(each, index) for each in op.inputs]
            argument.replace_all_uses_with(body_at(op, index, rows, first)[number])
    return changed
