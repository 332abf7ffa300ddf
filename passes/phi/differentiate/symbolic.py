"""Nodes of a graph as the expressions that derivative rules are written in."""

from __future__ import annotations

from collections.abc import Callable

from tapeless.dataclasses_on_use import dataclass
from tapeless.passes.phi.graph.branches import compare, connect, gamma
from tapeless.passes.phi.graph.elementary import function
from tapeless.passes.phi.graph.graph import Graph
from tapeless.passes.phi.graph.nodes import Node
from tapeless.passes.phi.graph.numbers import number
from tapeless.passes.phi.graph.products import divide, multiply, square_root
from tapeless.passes.phi.graph.sums import add, negate, subtract
from tapeless.passes.rules.expr import Expr, Term

ARITHMETIC: dict[str, Callable[..., Node]] = {
    "add": add,
    "sub": subtract,
    "mul": multiply,
    "div": divide,
    "neg": negate,
    "sqrt": square_root,
}


@dataclass(frozen=True)
class Symbolic(Expr):
    """A node with arithmetic."""

    graph: Graph
    node: Node

    def operation(self, name: str, *operands: Term) -> Symbolic:
        nodes = [self.lift(operand) for operand in operands]
        if name in ARITHMETIC:
            return Symbolic(self.graph, ARITHMETIC[name](self.graph, *nodes))
        return Symbolic(self.graph, function(self.graph, name, *nodes))

    def compare(self, predicate: str, other: Term) -> Node:
        return compare(self.graph, predicate, self.node, self.lift(other))

    def both(self, first: Node, second: Node) -> Node:
        return connect(self.graph, "and", first, second)

    def either(self, condition: Node, then: Term, other: Term) -> Symbolic:
        return Symbolic(self.graph, gamma(self.graph, condition, self.lift(then), self.lift(other)))

    def lift(self, term: Term) -> Node:
        """The node of a term; numbers become constants of this expression's type."""
        if isinstance(term, Expr):
            assert isinstance(term, Symbolic)
            return term.node
        return self.graph.constant(number(term), self.node.type)
