"""Branches undone where the condition is still known: what both sides lead back to is what was there before."""

from __future__ import annotations

from tapeless._mlir import arith, ir, scf
from tapeless.passes.ad.reversible.inverses.solver import Solver
from tapeless.passes.ad.reversible.inverses.undoing import Step, Undoing
from tapeless.passes.ir.scopes import terminator


def undo_if(solver: Solver, op: ir.OpView) -> None:
    """Undoes each branch on its own, and takes what both find."""
    known = [k for k, result in enumerate(op.operation.results) if solver.is_known(result)]
    if not known or not solver.is_known(op.operation.operands[0]):
        return
    sides: list[Solver] = []
    for region in op.operation.regions:
        side = solver.inside_of(region.blocks[0])
        side.likes = solver.likes
        for k in known:
            value = terminator(side.block).operands[k]
            if not side.is_known(value):
                side.steps.append(_naming(value, op.operation.results[k]))
                side.assume(value)
                side.learned.append(value)
        sides.append(side.solve())
    common = _in_common(solver, sides)
    if common:
        _learn_common(solver, op, sides, common)


def _naming(value: ir.Value, result: ir.Value) -> Step:
    def step(undoing: Undoing) -> None:
        undoing.bind(value, undoing.value(result))

    return step


def _in_common(solver: Solver, sides: list[Solver]) -> list[ir.Value]:
    """What both sides know, and the block around them does not."""
    new = [value for value in sides[0].learned if not solver.is_known(value)]
    return [value for value in dict.fromkeys(new) if value in sides[1].known and not _belongs_to_branch(sides, value)]


def _belongs_to_branch(sides: list[Solver], value: ir.Value) -> bool:
    return sides[0].block != sides[1].block and any(value in side.inside for side in sides)


def _learn_common(solver: Solver, op: ir.OpView, sides: list[Solver], common: list[ir.Value]) -> None:
    def step(undoing: Undoing) -> None:
        with op.location:
            choice = scf.IfOp(undoing.value(op.operation.operands[0]), [v.type for v in common], has_else=True)
            for side, block in zip(sides, (choice.then_block, choice.else_block), strict=True):
                with ir.InsertionPoint(block), undoing.apart(side.learned):
                    undoing.run(side.steps)
                    scf.YieldOp(undoing.values(common))
        for value, found in zip(common, choice.results, strict=True):
            undoing.bind(value, found)

    _learn_all(solver, op, sides, common, step)


def undo_select(solver: Solver, op: ir.OpView) -> None:
    """Supposes either choice, and takes what both lead to."""
    condition, *choices = op.operation.operands
    (result,) = op.operation.results
    if not solver.all_known([condition, result]) or solver.all_known(choices) or result in solver.supposed:
        return
    sides: list[Solver] = []
    for choice in choices:
        side = solver.supposing(result)
        if not side.is_known(choice):
            side.steps.append(_naming(choice, result))
            side.assume(choice)
            side.learned.append(choice)
            side.touch(choice)
        sides.append(side.solve())
    common = [v for v in _in_common(solver, sides) if not isinstance(v.type, ir.RankedTensorType)]
    if common:
        _learn_selected(solver, op, sides, common)


def _learn_selected(solver: Solver, op: ir.OpView, sides: list[Solver], common: list[ir.Value]) -> None:
    def step(undoing: Undoing) -> None:
        found = []
        for side in sides:
            with op.location, undoing.apart(side.learned):
                undoing.run(side.steps)
                found.append(undoing.values(common))
        condition = undoing.value(op.operation.operands[0])
        for value, yes, no in zip(common, *found, strict=True):
            undoing.bind(value, arith.SelectOp(condition, yes, no).result)

    _learn_all(solver, op, sides, common, step)


def _learn_all(solver: Solver, op: ir.OpView, sides: list[Solver], common: list[ir.Value], step: Step) -> None:
    for side in sides:
        solver.absorb(side)
    first, *others = common
    solver.learn(first, step, [op.operation.operands[0]], op=op)
    for other in others:
        solver.learn(other, lambda _: None, op=op)
