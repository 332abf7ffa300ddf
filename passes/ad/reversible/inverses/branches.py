"""Inverses of choices whose condition is still known: values on which both cases agree are those from before."""

from __future__ import annotations

from tapeless._mlir import ir, scf
from tapeless.passes.ad.reversible.inverses.solver import Inverse, Solver
from tapeless.passes.ad.reversible.inverses.undoing import Step, Undoing
from tapeless.passes.ir.scopes import outer_values, terminator

CHOICES = ("scf.if", "arith.select")
# Cases within cases: each level doubles the work.
DEEPEST = 2


def solve_by_cases(solver: Solver) -> bool:
    """Supposes a known condition to hold, then that it does not, and takes the common results;
    whether there was any.
    """
    if len(solver.supposed) >= DEEPEST:
        return False
    for k, op in enumerate(solver.statements):
        if op.operation.name in CHOICES and k not in solver.ran and _is_open(solver, op):
            condition = op.operation.operands[0]
            cases = [solver.supposing(condition, holds).solve() for holds in (True, False)]
            common = [value for value in dict.fromkeys(cases[0].learned) if value in cases[1].known]
            if common:
                _learn_common(solver, op, cases, common)
                return True
    return False


def _is_open(solver: Solver, op: ir.OpView) -> bool:
    """Whether a choice has been made between values of which some are unknown, and its condition is known."""
    condition, results = op.operation.operands[0], op.operation.results
    if condition in solver.supposed or isinstance(condition.type, ir.RankedTensorType):
        return False
    if not solver.is_known(condition) or not any(map(solver.is_known, results)):
        return False
    return not solver.all_known(outer_values(op.operation))


def _learn_common(solver: Solver, op: ir.OpView, cases: list[Solver], common: list[ir.Value]) -> None:
    def step(undoing: Undoing) -> None:
        with op.location:
            choice = scf.IfOp(undoing.value(op.operation.operands[0]), [v.type for v in common], has_else=True)
            for case, block in zip(cases, (choice.then_block, choice.else_block), strict=True):
                with ir.InsertionPoint(block), undoing.apart(case.learned):
                    undoing.run(case.steps)
                    scf.YieldOp(undoing.values(common))
        for value, found in zip(common, choice.results, strict=True):
            undoing.bind(value, found)

    for case in cases:
        solver.absorb(case)
    solver.learn_all(common, step, [op.operation.operands[0]], op=op)


def undo_select(solver: Solver, op: ir.OpView) -> None:
    """Inverts a choice under a supposed condition: it is the chosen value."""
    condition, *choices = op.operation.operands
    if condition not in solver.supposed:
        return
    choice, (result,) = choices[0 if solver.supposed[condition] else 1], op.operation.results
    if solver.is_known(result) and not solver.is_known(choice):
        solver.learn(choice, _naming(choice, result), op=op)
    elif solver.is_known(choice) and not solver.is_known(result):
        solver.learn(result, _naming(result, choice), op=op)


def undo_if(solver: Solver, op: ir.OpView) -> None:
    """Where the condition is supposed, one branch stands for the whole."""
    condition, results = op.operation.operands[0], list(op.operation.results)
    if condition not in solver.supposed:
        return
    branch = solver.inside_of(op.operation.regions[0 if solver.supposed[condition] else 1].blocks[0])
    branch.likes = solver.likes
    yielded = list(terminator(branch.block).operands)
    for value, result in zip(yielded, results, strict=True):
        if solver.is_known(result) and not branch.is_known(value):
            branch.steps.append(_naming(value, result))
            branch.assume(value)
            branch.learned.append(value)
    branch.solve()
    made = [k for k, value in enumerate(yielded) if branch.is_known(value) and not solver.is_known(results[k])]
    found = [value for value in dict.fromkeys(branch.learned) if value not in branch.inside]
    if made or found:
        branch.steps += [_naming(results[k], yielded[k]) for k in made]
        solver.absorb(branch)
        solver.learn_all([*found, *(results[k] for k in made)], lambda undoing: undoing.run(branch.steps), op=op)


def _naming(value: ir.Value, like: ir.Value) -> Step:
    def step(undoing: Undoing) -> None:
        undoing.bind(value, undoing.value(like))

    return step


BRANCHES: dict[str, Inverse] = {"arith.select": undo_select, "scf.if": undo_if}
