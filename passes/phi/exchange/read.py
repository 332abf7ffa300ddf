"""A region read as a graph: every value becomes a node."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import field

from tapeless._mlir import ir
from tapeless.dataclasses_on_use import dataclass
from tapeless.passes.phi.graph.build import BUILDERS
from tapeless.passes.phi.graph.graph import Graph
from tapeless.passes.phi.graph.nodes import Node
from tapeless.passes.phi.graph.numbers import ONE, ZERO, Number
from tapeless.passes.phi.graph.products import monomial, raised
from tapeless.passes.phi.graph.sums import linear, scale

Reader = Callable[["Reading", ir.OpView], Sequence[Node]]


@dataclass
class Reading:
    """The state of reading a region: the node of every value.

    `readers` says how operations are read. `as_written` leaves sums and products as they stand, for whoever only wants
    to know what to compute; otherwise they come in the normal form that the flags of the graph allow.
    """

    graph: Graph
    readers: dict[str, Reader]
    as_written: bool = False
    values: dict[ir.Value, Node] = field(default_factory=dict)

    def node(self, value: ir.Value) -> Node:
        """The node of a value."""
        return self.values[value]

    def nodes(self, values: Iterable[ir.Value]) -> list[Node]:
        """The nodes of values."""
        return [self.values[value] for value in values]

    def arguments(self, block: ir.Block) -> list[Node]:
        """Symbols for the arguments of a block."""
        symbols = [self.graph.symbol(("argument", k), str(each.type)) for k, each in enumerate(block.arguments)]
        self.values.update(zip(block.arguments, symbols, strict=True))
        return symbols

    def block(self, block: ir.Block) -> list[Node]:
        """Reads the operations of a block; gives the nodes of its yielded values."""
        *body, last = block.operations
        for op in body:
            self.read(op)
        return self.nodes(last.operation.operands)

    def read(self, op: ir.OpView) -> None:
        """Reads one operation."""
        nodes = self.readers[op.operation.name](self, op)
        self.values.update(zip(op.operation.results, nodes, strict=True))

    def total(self, terms: Sequence[tuple[Number, Node]], constant: Number, type_: str) -> Node:
        """A sum of coefficient times term; where the order counts, from the left."""
        g = self.graph
        if self.as_written:
            return g.node("sum", type_, [term for _, term in terms], [*(c for c, _ in terms), constant])
        if g.allows("reassoc") or len(terms) + (constant != 0) <= 2:
            return linear(g, terms, constant, type_)
        result = linear(g, terms[:2], ZERO, type_)
        for term in terms[2:]:
            result = linear(g, [(ONE, result), term], ZERO, type_)
        return linear(g, [(ONE, result)], constant, type_) if constant != 0 else result

    def product(self, coefficient: Number, factors: Sequence[tuple[Node, Number]], type_: str) -> Node:
        """A coefficient times bases to exponents; where the order counts, from the left."""
        g = self.graph
        if self.as_written:
            made = g.node("product", type_, [base for base, _ in factors], [e for _, e in factors])
            return made if coefficient == 1 else g.node("sum", type_, [made], [coefficient, ZERO])
        if not factors:
            return g.constant(coefficient, type_)
        if len(factors) == 1:
            return scale(g, coefficient, raised(g, *factors[0]))
        if g.allows("reassoc"):
            return scale(g, coefficient, monomial(g, factors, type_))
        result = monomial(g, factors[:2], type_)
        for factor in factors[2:]:
            result = monomial(g, [(result, ONE), factor], type_)
        return scale(g, coefficient, result)

    def same(self, kind: str, type_: str, args: Sequence[Node], data: Sequence[str] = ()) -> Node:
        """A node that is built as its kind is, in normal form unless it is taken as written."""
        plain = self.graph.node(kind, type_, args, data)
        return plain if self.as_written else BUILDERS[kind](self.graph, plain, args)
