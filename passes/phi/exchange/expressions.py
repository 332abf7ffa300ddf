"""How operations of `phi` are read; those of loops are read by `loops.py`."""

from __future__ import annotations

from collections.abc import Sequence

from tapeless._mlir import ir
from tapeless.passes.phi.exchange.attributes import number_of, numbers_of
from tapeless.passes.phi.exchange.read import Reader, Reading
from tapeless.passes.phi.graph.branches import compare, gamma
from tapeless.passes.phi.graph.nodes import Node


def _const(reading: Reading, op: ir.OpView) -> Sequence[Node]:
    return [reading.graph.constant(number_of(op.value), str(op.out.type))]


def _lin(reading: Reading, op: ir.OpView) -> Sequence[Node]:
    terms = list(zip(numbers_of(op.coeffs), reading.nodes(op.terms), strict=True))
    return [reading.total(terms, number_of(op.constant), str(op.out.type))]


def _mono(reading: Reading, op: ir.OpView) -> Sequence[Node]:
    factors = list(zip(reading.nodes(op.bases), numbers_of(op.exps), strict=True))
    return [reading.product(number_of(op.coeff), factors, str(op.out.type))]


def _function(reading: Reading, op: ir.OpView) -> Sequence[Node]:
    return [reading.same("function", str(op.out.type), reading.nodes(op.operation.operands), [op.function.value])]


def _compare(reading: Reading, op: ir.OpView) -> Sequence[Node]:
    return [reading.same("compare", "i1", reading.nodes(op.operation.operands), [op.predicate.value])]


def _logic(reading: Reading, op: ir.OpView) -> Sequence[Node]:
    return [reading.same("logic", "i1", reading.nodes(op.args), [op.connective.value])]


def _gamma(reading: Reading, op: ir.OpView) -> Sequence[Node]:
    condition = reading.node(op.condition)
    if op.arms:
        return [gamma(reading.graph, condition, *reading.nodes(op.arms))]
    return merged(reading, condition, op)


def merged(reading: Reading, condition: Node, op: ir.OpView) -> list[Node]:
    """The results of an operation whose two regions are the arms of a branch."""
    arms = [reading.block(region.blocks[0]) for region in op.operation.regions]
    return [gamma(reading.graph, condition, *pair, lazy=True) for pair in zip(*arms, strict=True)]


def _switch(reading: Reading, op: ir.OpView) -> Sequence[Node]:
    """One choice after the other; the last arm is the default."""
    g, selector = reading.graph, reading.node(op.selector)
    *arms, result = reading.nodes(op.arms)
    for place, arm in reversed(list(enumerate(arms))):
        result = gamma(g, compare(g, "eq", selector, g.constant(place, selector.type)), arm, result)
    return [result]


def _element(reading: Reading, op: ir.OpView) -> Sequence[Node]:
    return [reading.same("element", str(op.out.type), reading.nodes(op.operation.operands))]


def _barrier(reading: Reading, op: ir.OpView) -> Sequence[Node]:
    return [reading.same("barrier", str(op.out.type), [reading.node(op.operand)])]


def _opaque(reading: Reading, op: ir.OpView) -> Sequence[Node]:
    names = [op.callee.value, *(ir.FlatSymbolRefAttr(each).value for each in op.derivatives)]
    args = reading.nodes(op.args)
    if len(op.outs) == 1:
        return [reading.same("opaque", str(op.outs[0].type), args, names)]
    call = reading.same("opaque", "parts", args, names)
    return [reading.graph.node("part", str(out.type), [call], [place]) for place, out in enumerate(op.outs)]


EXPRESSIONS: dict[str, Reader] = {
    "phi.const": _const,
    "phi.lin": _lin,
    "phi.mono": _mono,
    "phi.fn": _function,
    "phi.fn2": _function,
    "phi.cmp": _compare,
    "phi.logic": _logic,
    "phi.gamma": _gamma,
    "phi.switch": _switch,
    "phi.elem": _element,
    "phi.barrier": _barrier,
    "phi.opaque": _opaque,
}
