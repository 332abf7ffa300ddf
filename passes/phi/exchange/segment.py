"""Segments and adjoints as graphs: read, changed, and written again in place."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from tapeless._mlir import ir
from tapeless.dialects import phi
from tapeless.passes.phi.exchange.attributes import flags_of
from tapeless.passes.phi.exchange.read import Reading
from tapeless.passes.phi.exchange.tables import READERS, WRITERS
from tapeless.passes.phi.exchange.write import written
from tapeless.passes.phi.graph.graph import Graph
from tapeless.passes.phi.graph.nodes import Node


@dataclass(frozen=True)
class Expressions:
    """What a region computes: its arguments as symbols, what it yields, and the node of every value in it."""

    graph: Graph
    symbols: list[Node]
    roots: list[Node]
    values: dict[ir.Value, Node]


def block_of(op: ir.OpView) -> ir.Block:
    """The only block of a segment or an adjoint."""
    return op.operation.regions[0].blocks[0]


def expressions(op: ir.OpView, graph: Graph | None = None, as_written: bool = False) -> Expressions:
    """What a segment or an adjoint computes, in a graph with its flags."""
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
