"""Loops written as Python functions of expressions, for tests."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from tapeless.passes.phi.differentiate.symbolic import Symbolic
from tapeless.passes.phi.graph.graph import Graph
from tapeless.passes.phi.graph.loops.array_terms import element
from tapeless.passes.phi.graph.loops.ranges import reduction
from tapeless.passes.phi.graph.loops.recurrences import iterate, run_while
from tapeless.passes.phi.graph.nodes import Node
from tapeless.passes.phi.graph.walk import bind

ARRAY = "tensor<?xf64>"


def number(g: Graph, name: str) -> Symbolic:
    """A float that is given."""
    return Symbolic(g, g.symbol(name, "f64"))


def constant(g: Graph, value: float) -> Symbolic:
    return Symbolic(g, g.constant(value, "f64"))


def array(g: Graph, name: str) -> Node:
    """An array that is given."""
    return g.symbol(name, ARRAY)


def at(g: Graph, of: Node, index: Node) -> Symbolic:
    return Symbolic(g, element(g, of, index))


def repeat(g: Graph, steps: Node, inits: Sequence[Symbolic], step: Callable[..., Sequence[Symbolic]]) -> list[Symbolic]:
    """A counted loop; `step` takes the index and the values, and gives the next values."""
    index, values = g.fresh("index"), [g.fresh(each.node.type) for each in inits]
    following = step(index, *(Symbolic(g, each) for each in values))
    body = bind(g, [index, *values], [each.node for each in following])
    return [Symbolic(g, each) for each in iterate(g, steps, [each.node for each in inits], body)]


def repeat_while(
    g: Graph, inits: Sequence[Node], holds: Callable[..., Node], step: Callable[..., Sequence[Node]]
) -> tuple[list[Node], Node]:
    """A loop with a condition, on nodes."""
    values = [g.fresh(each.type) for each in inits]
    return run_while(g, inits, bind(g, values, [holds(*values)]), bind(g, values, step(*values)))


def over(g: Graph, name: str, low: Node, high: Node, term: Callable[[Node], Symbolic]) -> Symbolic:
    """A reduction over a range."""
    index = g.fresh("index")
    return Symbolic(g, reduction(g, name, low, high, bind(g, [index], [term(index).node])))
