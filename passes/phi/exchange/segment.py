"""Segments and adjoints as graphs: read, changed, and written again in place."""

from __future__ import annotations

from collections.abc import Sequence

from tapeless._mlir import ir
from tapeless.dataclasses_on_use import dataclass
from tapeless.dialects import phi
from tapeless.passes.phi.exchange.attributes import flags_of
from tapeless.passes.phi.exchange.core import CORE
from tapeless.passes.phi.exchange.core_loops import CORE_LOOPS
from tapeless.passes.phi.exchange.expressions import EXPRESSIONS
from tapeless.passes.phi.exchange.read import Reader, Reading
from tapeless.passes.phi.exchange.read_loops import LOOPS
from tapeless.passes.phi.exchange.write import EXPRESSION_WRITERS, Writer, written
from tapeless.passes.phi.exchange.write_loops import LOOP_WRITERS
from tapeless.passes.phi.graph.graph import Graph
from tapeless.passes.phi.graph.nodes import Node

READERS: dict[str, Reader] = {**EXPRESSIONS, **LOOPS, **CORE, **CORE_LOOPS}
WRITERS: dict[str, Writer] = {**EXPRESSION_WRITERS, **LOOP_WRITERS}


@dataclass(frozen=True)
class Expressions:
    """A region as expressions: its arguments as symbols, its results, and the node of every value in it."""

    graph: Graph
    symbols: list[Node]
    roots: list[Node]
    values: dict[ir.Value, Node]


def block_of(op: ir.OpView) -> ir.Block:
    """The only block of a segment or an adjoint."""
    return op.operation.regions[0].blocks[0]


def expressions(op: ir.OpView, graph: Graph | None = None, as_written: bool = False) -> Expressions:
    """A segment or an adjoint as expressions, in a graph with its flags."""
    graph = Graph(flags_of(op.fm)) if graph is None else graph
    reading = Reading(graph, READERS, as_written)
    symbols = reading.arguments(block_of(op))
    return Expressions(graph, symbols, reading.block(block_of(op)), reading.values)


def rewrite(op: ir.OpView, symbols: Sequence[Node], roots: Sequence[Node]) -> None:
    """Gives a segment or an adjoint another body, which computes the roots."""
    block = block_of(op)
    for inner in reversed(list(block.operations)):
        inner.operation.erase()
    with ir.InsertionPoint(block), op.location:
        phi.YieldOp(written(WRITERS, roots, dict(zip(symbols, block.arguments, strict=True))))
