"""An accumulation made one with a later one, so that the loops of both can be merged."""

from __future__ import annotations

from tapeless._mlir import ir
from tapeless.dialects.regions import terminator
from tapeless.passes.ir.array_loops import Loop, is_loop, reads_elements
from tapeless.passes.ir.rebuild import keep_arguments, recreate, replace_op, retarget_terminator, selected
from tapeless.passes.ir.scopes import is_inside


def handed_out(op: ir.OpView) -> dict[ir.Value, Loop]:
    """The arrays that the maps of an accumulation make for others, each with the map."""
    made = dict(zip(terminator(op.body).operands, op.results, strict=True))
    maps = [Loop.seen_as(each) for each in op.body.blocks[0].operations if each.operation.name == "soac.map"]
    return {made[array]: loop for loop in maps for array in loop.mapped if array in made}


def may_join(first: ir.OpView, second: ir.OpView) -> bool:
    """Whether an accumulation reads what another one hands out by elements alone, and only goes on with its sums."""
    for number, result in enumerate(first.results):
        users = [(use.owner, use.operand_number) for use in result.uses]
        within = [(user, operand) for user, operand in users if is_inside(user.operation, second.operation)]
        goes_on = any(user.operation == second.operation for user, _ in users)
        is_sum = number < len(first.dests)
        if (within or (goes_on and len(users) > 1)) if is_sum else goes_on:
            return False
        if not all(_reads_elements(user, operand, second) for user, operand in within):
            return False
    return True


def _reads_elements(user: ir.OpView, operand: int, target: ir.OpView) -> bool:
    return bool(user.operation.block == target.body.blocks[0] and is_loop(user) and reads_elements(user, operand))


def joined(first: ir.OpView, second: ir.OpView) -> ir.OpView:
    """One accumulation with the bodies of two, in the place of the second, which goes on with sums of the first."""
    block, sums, more = second.body.blocks[0], len(first.dests), len(second.dests)
    inside = dict(zip(first.results, _moved_in_front(first, block), strict=True))
    for result in list(first.results)[sums:]:
        _replace_within(second, result, inside[result])
    goes_on = {dest: result for dest, result in zip(second.dests, second.results, strict=False) if dest in inside}
    is_new = [dest not in goes_on for dest in second.dests]
    for argument, dest in zip(block.arguments, second.dests, strict=False):
        if dest in goes_on:
            argument.replace_all_uses_with(inside[dest])
    inside |= zip(second.results, terminator(second.body).operands, strict=True)
    inside |= {dest: inside[result] for dest, result in goes_on.items()}
    keep_arguments(block, [*is_new, *[True] * sums])
    dests = [*selected(second.dests, is_new), *first.dests]
    results = [*selected(list(second.results)[:more], is_new), *first.results, *list(second.results)[more:]]
    retarget_terminator(block, [inside[result] for result in results])
    made = recreate(second, [dests], [result.type for result in results])
    ends = dict(zip(results, made.results, strict=True))
    for dest, result in goes_on.items():
        ends[result] = ends[dest]
    replace_op(second, [ends[result] for result in second.results])
    replace_op(first, [ends[result] for result in first.results])
    return made


def _moved_in_front(first: ir.OpView, block: ir.Block) -> list[ir.Value]:
    """Moves the body of an accumulation to the start of a block, which gets its accumulators; gives what it yields."""
    body, start = first.body.blocks[0], block.operations[0].operation
    for argument in body.arguments:
        argument.replace_all_uses_with(block.add_argument(argument.type, first.location))
    *inner, end = list(body.operations)
    for op in inner:
        op.operation.move_before(start)
    return list(end.operands)


def _replace_within(op: ir.OpView, value: ir.Value, other: ir.Value) -> None:
    for use in list(value.uses):
        if is_inside(use.owner.operation, op.operation):
            use.owner.operation.operands[use.operand_number] = other
