"""Inverses of scatter-adds: the addends are subtracted from the same elements."""

from __future__ import annotations

from tapeless._mlir import arith, ir
from tapeless.passes.ad.activity import is_float
from tapeless.passes.ad.copying import free_values
from tapeless.passes.ad.operators import component_kinds
from tapeless.passes.ad.reversible.inverses.solver import Inverse, Solver
from tapeless.passes.ad.reversible.inverses.undoing import Undoing
from tapeless.passes.ir.build import elementwise
from tapeless.passes.ir.rebuild import copy_op
from tapeless.passes.ir.search import ops_named


def negated(value: ir.Value) -> ir.Value:
    """Minus a float or an array of floats."""
    return elementwise(lambda x: arith.NegFOp(x).result, value)


def undo_histogram(solver: Solver, op: ir.OpView) -> None:
    """Finds the arrays that a histogram of sums was added to."""
    dests, results = list(op.dests), list(op.operation.results)
    given = [op.width, op.keys, *op.values, *op.neutral, *free_values(op)]
    if not solver.all_known([*given, *results]) or solver.all_known(dests):
        return
    if set(component_kinds(op.combine)) != {"add"} or not all(is_float(value.type) for value in results):
        return

    def step(undoing: Undoing) -> None:
        values = dict(undoing.scope.values)
        values.update(zip(dests, undoing.values(results), strict=True))
        with op.location:
            values.update({value: negated(undoing.value(value)) for value in op.values})
            made = copy_op(op, values)
        _bind_unknown(undoing, dests, unknown, list(made.results))

    unknown = [value for value in dict.fromkeys(dests) if not solver.is_known(value)]
    solver.learn_all(unknown, step, given, op=op)


def undo_accumulation(solver: Solver, op: ir.OpView) -> None:
    """Finds the arrays that were turned into accumulators."""
    dests = list(op.dests)
    results = list(op.operation.results)[: len(dests)]
    if not solver.all_known([*free_values(op), *results]) or solver.all_known(dests):
        return

    def step(undoing: Undoing) -> None:
        values = dict(undoing.scope.values)
        values.update(zip(dests, undoing.values(results), strict=True))
        with op.location:
            made = copy_op(op, values)
            for update in ops_named(made.opview, "soac.update"):
                with ir.InsertionPoint(update):
                    position = len(update.operation.operands) - 1
                    update.operation.operands[position] = negated(update.operation.operands[position])
        _bind_unknown(undoing, dests, unknown, list(made.results)[: len(dests)])

    unknown = [value for value in dict.fromkeys(dests) if not solver.is_known(value)]
    solver.learn_all(unknown, step, free_values(op), op=op)


def _bind_unknown(undoing: Undoing, dests: list[ir.Value], unknown: list[ir.Value], made: list[ir.Value]) -> None:
    for dest, value in zip(dests, made, strict=True):
        if dest in unknown:
            undoing.bind(dest, value)


ACCUMULATIONS: dict[str, Inverse] = {"soac.hist": undo_histogram, "soac.with_acc": undo_accumulation}
