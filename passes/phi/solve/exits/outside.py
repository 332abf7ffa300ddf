"""Sums over ranges hoisted out of a loop: those that are affine in its carried values, by loop-invariant sums."""

from __future__ import annotations

from collections.abc import Sequence

from tapeless.passes.phi.graph.branches import gamma
from tapeless.passes.phi.graph.contents import inside, is_free_of, reads
from tapeless.passes.phi.graph.elementary import cast
from tapeless.passes.phi.graph.graph import Graph
from tapeless.passes.phi.graph.loops.ranges import length, reduction
from tapeless.passes.phi.graph.nodes import Node
from tapeless.passes.phi.graph.products import multiply
from tapeless.passes.phi.graph.sums import add, total
from tapeless.passes.phi.graph.walk import bind, opened
from tapeless.passes.phi.solve.closed_forms.degrees import Affine, affine_in
from tapeless.passes.phi.solve.exits.doubt import magnitude, off_by


def sums_outside(
    g: Graph, nodes: Sequence[Node], values: Sequence[Node], runs: Node
) -> tuple[dict[Node, Node], dict[Node, Node]]:
    """Sums in expressions that are affine in carried values, with their factors summed outside of the loop.

    And how far each may be off then. `runs` says whether the loop does a step at all: if not, nothing is read.
    """
    if not g.allows("reassoc"):
        return {}, {}
    known: dict[Node, Node] = {}
    errors: dict[Node, Node] = {}
    for node in inside(nodes):
        if node.kind == "loop" and node.name == "sum" and node.is_float and not is_free_of(node, values):
            form = affine_in(g, node, values)
            if form is not None:
                known[node] = _put_together(g, form, node.type, runs)
                errors[node] = _off_by(g, node, values, runs)
    return known, errors


def _put_together(g: Graph, form: Affine, type_: str, runs: Node) -> Node:
    zero = g.constant(0, type_)
    form = form.map(lambda each: gamma(g, runs, each, zero, lazy=True) if reads(each) else each)
    moving = total(g, [multiply(g, factor, value) for value, factor in form.factors.items()], type_)
    return moving if form.rest is None else add(g, moving, form.rest)


def _off_by(g: Graph, node: Node, values: Sequence[Node], runs: Node) -> Node:
    """How far a sum may be off, by the magnitudes of its terms."""
    low, high = node.args
    index, (term,) = opened(g, node.bodies[0])
    form = affine_in(g, term, values)
    assert form is not None

    def summed(each: Node) -> Node:
        return reduction(g, "sum", low, high, bind(g, index, [magnitude(g, each)]))

    sizes = Affine(
        {magnitude(g, value): summed(factor) for value, factor in form.factors.items()},
        None if form.rest is None else summed(form.rest),
    )
    return off_by(g, _put_together(g, sizes, node.type, runs), cast(g, length(g, low, high), node.type))
