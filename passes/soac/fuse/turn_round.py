"""Loops from the last iteration to the first that may as well go the other way: they do nothing but add up."""

from __future__ import annotations

from tapeless._mlir import ir
from tapeless.dialects import soac
from tapeless.passes.ir.costs import is_check
from tapeless.passes.ir.scopes import terminator
from tapeless.passes.ir.sizes.sizes import constant_int


def turned_round(loop: ir.OpView) -> bool:
    """Lets a loop over `last - i` run over `i`, if sums are all that it carries; whether it does now."""
    body = loop.operation.regions[0].blocks[0]
    variable, *carried = body.arguments
    mirrored = [use.owner for use in variable.uses]
    if not mirrored or is_check(loop) or not all(_is_mirrored(op.opview, variable, loop) for op in mirrored):
        return False
    yielded = list(terminator(body).operands)
    if not all(_only_sums(argument, end) for argument, end in zip(carried, yielded, strict=True)):
        return False
    for op in mirrored:
        op.operation.results[0].replace_all_uses_with(variable)
        op.operation.erase()
    return True


def _is_mirrored(op: ir.OpView, variable: ir.Value, loop: ir.OpView) -> bool:
    """Whether an operation takes the index of a loop, which counts by one from zero, from the last one."""
    low, high, step = list(loop.operation.operands)[:3]
    if op.operation.name != "arith.subi" or constant_int(low) != 0 or constant_int(step) != 1:
        return False
    last, index = op.operation.operands
    return index == variable and _is_one_before(last, high)


def _is_one_before(last: ir.Value, high: ir.Value) -> bool:
    known = constant_int(last), constant_int(high)
    if known[0] is not None and known[1] is not None:
        return known[0] == known[1] - 1
    if isinstance(last, ir.BlockArgument) or last.owner.name != "arith.subi":
        return False
    whole, one = last.owner.operands
    return whole == high and constant_int(one) == 1


def _only_sums(argument: ir.Value, end: ir.Value) -> bool:
    """Whether a carried value is only added to, in any order, on its way to the end of an iteration."""
    while argument != end:
        uses = list(argument.uses)
        if len(uses) != 1 or not _adds(uses[0].owner.operation, argument):
            return False
        argument = uses[0].owner.results[0]
    return len(list(argument.uses)) == 1


def _adds(op: ir.Operation, value: ir.Value) -> bool:
    if isinstance(value.type, soac.AccType):
        return op.name == "soac.update" and op.operands[0] == value
    return op.name == "arith.addf" and "reassoc" in str(op.attributes["fastmath"])
