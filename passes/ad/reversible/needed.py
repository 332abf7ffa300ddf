"""Which of the values that a reversed loop carries its adjoints depend on."""

from __future__ import annotations

from collections.abc import Iterable

from tapeless._mlir import ir
from tapeless.passes.ir.scopes import is_inside, outer_values, terminator


def needed_arguments(loop: ir.OpView, results: Iterable[int]) -> set[int]:
    """The positions of carried values that some results of a loop depend on, over any number of iterations.

    Sizes of arrays do not count: they stay the same.
    """
    block = loop.operation.regions[0].blocks[0]
    arguments = {argument: k for k, argument in enumerate(list(block.arguments)[1:])}
    found = set(results)
    yielded = list(terminator(block).operands)
    seen: set[ir.Value] = set()
    pending = [yielded[k] for k in sorted(found)]
    while pending:
        value = pending.pop()
        if value in seen:
            continue
        seen.add(value)
        if value in arguments:
            k = arguments[value]
            if k not in found:
                found.add(k)
                pending.append(yielded[k])
        elif isinstance(value, ir.OpResult) and is_inside(value.owner.operation, loop.operation):
            pending += _sources(value)
        elif isinstance(value, ir.BlockArgument) and is_inside(value.owner.owner, loop.operation):
            pending += _rows(value)
    return found


def _sources(value: ir.OpResult) -> list[ir.Value]:
    """The operands of a value; of a map, those of this one of its results."""
    op = value.owner.operation
    if op.name == "tensor.dim":
        return [op.operands[1]]
    if op.name == "soac.map" and not len(op.opview.accs):
        return [op.opview.width, terminator(op.regions[0].blocks[0]).operands[value.result_number]]
    return list(outer_values(op))


def _rows(argument: ir.BlockArgument) -> list[ir.Value]:
    """The array of which an argument of a map's body is a row; of other operations, all that they read."""
    op = argument.owner.owner.operation
    if op.name == "soac.map" and not len(op.opview.accs):
        return [op.opview.width if argument.arg_number == 0 else op.opview.inputs[argument.arg_number - 1]]
    return list(outer_values(op))
