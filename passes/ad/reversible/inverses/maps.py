"""Inverses of maps: a map over the results recovers the operands, if every element's equations can be solved."""

from __future__ import annotations

from tapeless._mlir import ir
from tapeless.passes.ad.reversible.inverses.solver import Solver
from tapeless.passes.ad.reversible.inverses.undoing import Undoing
from tapeless.passes.ir.build import Rows, cast_to, map_
from tapeless.passes.ir.regions.structure import arguments_of
from tapeless.passes.ir.scopes import terminator


def undo_map(solver: Solver, op: ir.OpView) -> None:
    """Finds the inputs that are not known."""
    results = [k for k, result in enumerate(op.operation.results) if solver.is_known(result)]
    inputs = list(op.inputs)
    missing = [k for k, array in enumerate(inputs) if not solver.is_known(array)]
    if not results or not missing or len(op.accs) or not solver.is_known(op.width):
        return
    elements = arguments_of(op, "inputs")
    inner = solver.inside_of(op.body.blocks[0])
    inner.known.add(inner.block.arguments[0])
    for k, element in enumerate(elements):
        if k not in missing:
            inner.known.add(element)
            if solver.is_dependent(inputs[k]):
                inner.dependent.add(element)
    for k in results:
        inner.assume(terminator(inner.block).operands[k])
    inner.solve()
    found = [k for k in missing if elements[k] in inner.known]
    if found:
        _learn_inputs(solver, op, inner, results, found)


def _learn_inputs(solver: Solver, op: ir.OpView, inner: Solver, results: list[int], found: list[int]) -> None:
    inputs, elements = list(op.inputs), arguments_of(op, "inputs")
    given = [k for k, array in enumerate(inputs) if solver.is_known(array)]
    arrays = [*(op.operation.results[k] for k in results), *(inputs[k] for k in given)]
    yielded = terminator(inner.block).operands
    names = [*(yielded[k] for k in results), *(elements[k] for k in given)]
    learned = list(dict.fromkeys(inputs[k] for k in found))
    wanted = [elements[next(k for k in found if inputs[k] == array)] for array in learned]

    def step(undoing: Undoing) -> None:
        def body(i: ir.Value, rows: Rows, _: Rows) -> tuple[Rows, Rows]:
            undoing.bind(inner.block.arguments[0], i)
            for name, row in zip(names, rows, strict=True):
                if name in inner.known and not _is_outside(inner, name):
                    undoing.bind(name, row)
            undoing.run(inner.steps)
            return undoing.values(wanted), []

        with op.location:
            made, _ = map_(undoing.value(op.width), undoing.values(arrays), [], body)
            for array, value in zip(learned, made, strict=True):
                undoing.bind(array, cast_to(array.type, value))

    solver.absorb(inner)
    solver.learn_all(learned, step, op=op)


def _is_outside(inner: Solver, name: ir.Value) -> bool:
    """Whether a body yields a value from outside, which has its own meaning there."""
    return name not in inner.inside
