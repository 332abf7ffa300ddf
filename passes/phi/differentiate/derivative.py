"""The derivative of a segment, for all of its results together, under the flags of derivatives.

Loops are solved before, so that there is less to differentiate, and after, since tangents that loops carry may have a
closed form.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from tapeless._mlir import ir
from tapeless.dataclasses_on_use import dataclass
from tapeless.dialects import phi
from tapeless.passes.phi.differentiate.elimination import Elimination, can_eliminate
from tapeless.passes.phi.differentiate.forward import tangents
from tapeless.passes.phi.differentiate.reverse import adjoints
from tapeless.passes.phi.exchange.attributes import flags_attribute
from tapeless.passes.phi.exchange.segment import WRITERS
from tapeless.passes.phi.exchange.write import written
from tapeless.passes.phi.graph.graph import DERIVATIVE, Graph
from tapeless.passes.phi.graph.nodes import Node
from tapeless.passes.phi.graph.sums import add
from tapeless.passes.phi.graph.walk import inside, substitute
from tapeless.passes.phi.solve.solver import solved


@dataclass(frozen=True)
class Derivative:
    """Expressions of the inputs and the seeds.

    `images` are the nodes of the primal in the graph of the derivative, `targets` what was differentiated: the images
    of its roots with their loops solved.
    """

    graph: Graph
    inputs: list[Node]
    seeds: list[Node]
    roots: list[Node]
    images: dict[Node, Node]
    targets: list[Node]


def pulled_back(
    graph: Graph, symbols: Sequence[Node], roots: Sequence[Node], wanted: Sequence[int], *, is_trusting: bool = False
) -> Derivative:
    """The adjoints of the wanted symbols, for one seed per root; `is_trusting` as for `solved`."""
    made, images = _moved(graph, symbols, roots)
    seeds = [made.symbol(("seed", place), root.type) for place, root in enumerate(roots)]
    given: dict[Node, Node] = {}
    targets = solved(made, [images[root] for root in roots], is_trusting=is_trusting)
    for image, seed in zip(targets, seeds, strict=True):
        given[image] = add(made, given[image], seed) if image in given else seed
    inputs = [images[symbol] for symbol in symbols]
    bars = adjoints(made, given, [inputs[k] for k in wanted])
    return Derivative(made, inputs, seeds, solved(made, bars, is_trusting=is_trusting), images, targets)


def pushed_forward(
    graph: Graph, symbols: Sequence[Node], roots: Sequence[Node], moving: Sequence[int], *, is_trusting: bool = False
) -> Derivative:
    """The tangents of the roots, for one direction per moving symbol; `is_trusting` as for `solved`."""
    made, images = _moved(graph, symbols, roots)
    inputs = [images[symbol] for symbol in symbols]
    seeds = [made.symbol(("seed", place), inputs[place].type) for place in moving]
    directions = dict(zip((inputs[k] for k in moving), seeds, strict=True))
    targets = solved(made, [images[root] for root in roots], is_trusting=is_trusting)
    found = solved(made, tangents(made, targets, directions), is_trusting=is_trusting)
    return Derivative(made, inputs, seeds, found, images, targets)


def jacobian(graph: Graph, symbols: Sequence[Node], roots: Sequence[Node], wanted: Sequence[int]) -> Derivative:
    """Every partial derivative: for each root those in all wanted symbols.

    Straight code by elimination, which shares what rows and columns have in common; code with branches row by row.
    """
    made, images = _moved(graph, symbols, roots)
    inputs = [images[symbol] for symbol in symbols]
    targets, of = solved(made, [images[root] for root in roots]), [inputs[k] for k in wanted]
    found: list[Node] = []
    if can_eliminate(targets, of):
        found = Elimination(made, of).jacobian(targets)
    else:
        for target in targets:
            found += adjoints(made, {target: made.constant(1, target.type)}, of)
    return Derivative(made, inputs, [], solved(made, found), images, targets)


def _moved(graph: Graph, symbols: Sequence[Node], roots: Sequence[Node]) -> tuple[Graph, dict[Node, Node]]:
    """A graph with the flags of derivatives, and everything of the primal in it."""
    made = Graph(DERIVATIVE | graph.flags)
    nodes = inside([*symbols, *roots])
    return made, dict(zip(nodes, substitute(made, nodes, {}), strict=True))


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
