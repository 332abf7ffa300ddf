"""How loops of `phi` are read."""

from __future__ import annotations

from collections.abc import Sequence

from tapeless._mlir import ir
from tapeless.passes.phi.exchange.read import Reader, Reading
from tapeless.passes.phi.graph.loops.affine import matrix_iteration, power_and_change, powers, scan, states
from tapeless.passes.phi.graph.loops.array_terms import array_of
from tapeless.passes.phi.graph.loops.ranges import reduction
from tapeless.passes.phi.graph.loops.recurrences import iterate, power_iteration, run_while
from tapeless.passes.phi.graph.nodes import Body, Node
from tapeless.passes.phi.graph.walk import bind


def body_of(reading: Reading, region: ir.Region) -> Body:
    """A region as a function of the arguments of its block."""
    block = region.blocks[0]
    symbols = [reading.graph.fresh(str(each.type)) for each in block.arguments]
    reading.values.update(zip(block.arguments, symbols, strict=True))
    return bind(reading.graph, symbols, reading.block(block))


def _range(name: str) -> Reader:
    def read(reading: Reading, op: ir.OpView) -> Sequence[Node]:
        low, high = reading.nodes([op.lower, op.upper])
        return [reduction(reading.graph, name, low, high, body_of(reading, op.term))]

    return read


def _fold(reading: Reading, op: ir.OpView) -> Sequence[Node]:
    return _range(op.kind.value)(reading, op)


def _map(reading: Reading, op: ir.OpView) -> Sequence[Node]:
    return [array_of(reading.graph, reading.node(op.width), body_of(reading, op.term), str(op.out.type))]


def _iterate(reading: Reading, op: ir.OpView) -> Sequence[Node]:
    return iterate(reading.graph, reading.node(op.steps), reading.nodes(op.inits), body_of(reading, op.body))


def _nest(reading: Reading, op: ir.OpView) -> Sequence[Node]:
    """A counted loop that does not look at its step."""
    body = body_of(reading, op.body)
    stepped = bind(reading.graph, [reading.graph.fresh("index"), *body.parameters], body.results)
    return iterate(reading.graph, reading.node(op.steps), reading.nodes(op.inits), stepped)


def _while(reading: Reading, op: ir.OpView) -> Sequence[Node]:
    condition, body = (body_of(reading, each) for each in (op.condition, op.body))
    values, steps = run_while(reading.graph, reading.nodes(op.inits), condition, body)
    return [*values, steps]


def _power_iteration(reading: Reading, op: ir.OpView) -> Sequence[Node]:
    return [power_iteration(reading.graph, *reading.nodes(op.operation.operands))]


def _affine_iter(reading: Reading, op: ir.OpView) -> Sequence[Node]:
    matrix, offset, inits = (reading.nodes(each) for each in (op.matrix, op.offset, op.init))
    return matrix_iteration(reading.graph, reading.node(op.steps), matrix, offset, inits)


def _affine_pow(reading: Reading, op: ir.OpView) -> Sequence[Node]:
    steps, base = reading.nodes([op.steps, op.base])
    pairs = [powers(reading.graph, steps, base, order) for order in range(len(op.outs) // 2)]
    return [each for pair in pairs for each in pair]


def _matrix_pow(reading: Reading, op: ir.OpView) -> Sequence[Node]:
    matrix, change = reading.nodes(op.matrix), reading.nodes(op.change)
    power, changed = power_and_change(reading.graph, reading.node(op.steps), matrix, change)
    return [*power, *changed]


def _affine_scan(reading: Reading, op: ir.OpView) -> Sequence[Node]:
    (first,), steps, body = reading.nodes(op.init), reading.node(op.steps), body_of(reading, op.step)
    last = scan(reading.graph, steps, first, body)
    return [last, states(reading.graph, steps, first, body)] if op.states.value else [last]


LOOPS: dict[str, Reader] = {
    "phi.sum": _range("sum"),
    "phi.prod": _range("prod"),
    "phi.fold": _fold,
    "phi.map": _map,
    "phi.iterate": _iterate,
    "phi.nest": _nest,
    "phi.while": _while,
    "phi.pow_iter": _power_iteration,
    "phi.affine_iter": _affine_iter,
    "phi.affine_pow": _affine_pow,
    "phi.matrix_pow": _matrix_pow,
    "phi.affine_scan": _affine_scan,
}
