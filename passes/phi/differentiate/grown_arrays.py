"""Adjoints of arrays with closed forms of loops in them, which may be infinite where the loops are not.

Such an array is one of values with a few numbers in common, and only these have closed forms: whether they are finite
is asked once. If not, the same array is made of numbers that were found step by step, by loops that run only then.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import reduce

from tapeless.passes.phi.differentiate.loops.array_bars import at
from tapeless.passes.phi.differentiate.loops.refusal import NoClosedDerivativeError
from tapeless.passes.phi.graph.branches import compare, connect, gamma, truth
from tapeless.passes.phi.graph.contents import bodies_of, inside, invariant
from tapeless.passes.phi.graph.functions import function
from tapeless.passes.phi.graph.graph import Graph
from tapeless.passes.phi.graph.loops.arrays import INDEX, array_of, size
from tapeless.passes.phi.graph.nodes import Node
from tapeless.passes.phi.graph.walk import bind, opened, substitute

GROWING = ("affine_pow", "affine_iter", "matrix_pow")
"""Loops that do not go through the values of every step."""


def is_grown(node: Node) -> bool:
    """Whether a closed form of a loop is in a node."""
    return any(_is_growing(each) for each in inside([node]) if each.kind == "loop")


def _is_growing(loop: Node) -> bool:
    return loop.name in GROWING or any(is_grown(each) for body in bodies_of(loop) for each in body.results)


def all_finite(g: Graph, numbers: Sequence[Node], arrays: Sequence[Node]) -> Node:
    """Whether some numbers are finite, and those that values of arrays have in common."""
    common = [each for array in arrays for each in _in_common(g, array)]
    sizes = [function(g, "abs", each) for each in dict.fromkeys([*numbers, *common])]
    tests = [compare(g, "lt", each, g.constant(math.inf, each.type)) for each in sizes]
    return reduce(lambda a, b: connect(g, "and", a, b), tests, truth(g, True))


def _in_common(g: Graph, array: Node) -> list[Node]:
    """The numbers with closed forms in them that all values of an array are made of."""
    if array.kind != "loop" or array.name != "map":
        raise NoClosedDerivativeError("values of an array depend on each other by a closed form that may overflow")
    body = array.bodies[0]
    found = [each for each in invariant(body) if each.is_float and is_grown(each)]
    _, results = opened(g, body)
    if is_grown(substitute(g, results, {each: g.constant(0, each.type) for each in found})[0]):
        raise NoClosedDerivativeError("every value of an array has a closed form of its own that may overflow")
    return found


def chosen_array(g: Graph, are_finite: Node, closed: Node, stepwise: Node, like: Node) -> Node:
    """An array in closed form, or as it is step by step."""
    index = g.fresh(INDEX)
    other = at(g, stepwise, index)
    zero = g.constant(0, other.type)
    loops = [each for each in invariant(bind(g, [index], [other])) if each.is_float and _has_loops(each)]
    guarded = {each: gamma(g, are_finite, zero, each, lazy=True) for each in loops}
    (other,) = substitute(g, [other], guarded)
    value = gamma(g, are_finite, at(g, closed, index), other)
    return array_of(g, size(g, like), bind(g, [index], [value]), like.type)


def _has_loops(node: Node) -> bool:
    return any(each.kind == "loop" for each in inside([node]))
