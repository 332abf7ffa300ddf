"""`phi.adjoint` operations: the derivative of a segment written where it is wanted."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from tapeless._mlir import ir
from tapeless.dialects import phi
from tapeless.passes.phi.differentiate.derivative import Derivative
from tapeless.passes.phi.exchange.attributes import flags_attribute
from tapeless.passes.phi.exchange.segment import WRITERS
from tapeless.passes.phi.exchange.write import written
from tapeless.passes.phi.graph.nodes import Node


def adjoint(
    derivative: Derivative,
    roots: Sequence[Node],
    segment: ir.OpView,
    form: str,
    inputs: Sequence[ir.Value],
    seeds: Sequence[ir.Value],
    saved: Mapping[Node, ir.Value],
) -> list[ir.Value]:
    """Some roots of a derivative by a `phi.adjoint` at the insertion point.

    `saved` are values of the primal that are there already, by the symbols that stand for them.
    """
    types = [ir.Type.parse(root.type) for root in roots]
    label, name = segment.label, ir.StringAttr.get(form)
    flags = flags_attribute(derivative.graph.flags)
    made = phi.AdjointOp(list(inputs), [], list(saved.values()), list(seeds), types, label, name, flags)
    operands = list(made.operation.operands)
    region = made.operation.regions[0]
    block = ir.Block.create_at_start(region, [each.type for each in operands], [segment.location] * len(operands))
    names = [*derivative.inputs, *saved, *derivative.seeds]
    with ir.InsertionPoint(block):
        phi.YieldOp(written(WRITERS, roots, dict(zip(names, block.arguments, strict=True))))
    return list(made.outs)
