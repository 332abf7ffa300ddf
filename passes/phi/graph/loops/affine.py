"""Recurrences x = A x + b: powers and geometric sums by doubling, and the recurrence step by step."""

from __future__ import annotations

import math
from collections.abc import Sequence

from tapeless.passes.phi.graph.graph import Graph
from tapeless.passes.phi.graph.loops.recurrences import loop, part
from tapeless.passes.phi.graph.nodes import Body, Node
from tapeless.passes.phi.graph.numbers import ZERO, number
from tapeless.passes.phi.graph.products import LARGEST_EXPONENT, raised
from tapeless.passes.phi.graph.sums import linear

LARGEST_MATRIX = 4
LONGEST_SUM = 3


def powers(g: Graph, steps: Node, base: Node, order: int = 0) -> tuple[Node, Node]:
    """a^n and the sum of a^i for i < n, or their derivatives in a of some order, divided by its factorial.

    Both come from one doubling loop, which carries as many derivatives as are asked for (Taylor coefficients at a).
    """
    if base.kind == "constant" and base.constant == 1:
        return _of_one(g, steps, base.type, order)
    if steps.kind == "constant":
        known = _of_known_length(g, int(steps.constant), base, order)
        if known is not None:
            return known
    whole = loop(g, "affine_pow", (steps, base))
    return part(g, whole, 2 * order, base.type), part(g, whole, 2 * order + 1, base.type)


def matrix_iteration(
    g: Graph, steps: Node, matrix: Sequence[Node], offset: Sequence[Node], first: Sequence[Node]
) -> list[Node]:
    """The state of m values after n steps of x = A x + b; A by rows."""
    if steps.kind == "constant" and steps.constant <= 0:
        return list(first)
    whole = loop(g, "affine_iter", (steps, *matrix, *offset, *first))
    return [part(g, whole, place, each.type) for place, each in enumerate(first)]


def matrix_size(of: Node) -> int:
    """How many values an `affine_iter` carries."""
    return math.isqrt(len(of.args)) - 1


def power_and_change(
    g: Graph, steps: Node, matrix: Sequence[Node], change: Sequence[Node]
) -> tuple[list[Node], list[Node]]:
    """A^n, and how it changes when A does: the sum of A^i Y A^(n-1-i); matrices by rows."""
    whole = loop(g, "matrix_pow", (steps, *matrix, *change))
    count = len(matrix)
    parts = [part(g, whole, place, matrix[0].type) for place in range(2 * count)]
    return parts[:count], parts[count:]


def scan(g: Graph, steps: Node, first: Node, body: Body) -> Node:
    """The last state of x = a(k) x + b(k); the body gives a and b."""
    if steps.kind == "constant" and steps.constant <= 0:
        return first
    return g.node("loop", first.type, (steps, first), ("affine_scan", body))


def states(g: Graph, steps: Node, first: Node, body: Body) -> Node:
    """All states of x = a(k) x + b(k) as an array, the first included."""
    return g.node("loop", f"tensor<?x{first.type}>", (steps, first), ("affine_states", body))


def _of_one(g: Graph, steps: Node, type_: str, order: int) -> tuple[Node, Node]:
    """1^n = 1 and n; derivatives are binomials, which stay in the loop."""
    from_loop = loop(g, "affine_pow", (steps, g.constant(1, type_)))
    if order > 0:
        return part(g, from_loop, 2 * order, type_), part(g, from_loop, 2 * order + 1, type_)
    if steps.kind == "constant":
        return g.constant(1, type_), g.constant(max(steps.constant, ZERO), type_)
    return g.constant(1, type_), g.node("function", type_, (steps,), ("cast",))


def _of_known_length(g: Graph, steps: int, base: Node, order: int) -> tuple[Node, Node] | None:
    """Short sums and powers are written out."""
    steps = max(steps, 0)
    if steps > LONGEST_SUM and not (steps <= LARGEST_EXPONENT and order == 0):
        return None
    power = _binomial_power(g, steps, base, order)
    if steps <= LONGEST_SUM:
        terms = [_binomial_power(g, each, base, order) for each in range(steps)]
        return power, linear(g, [(number(1), term) for term in terms], ZERO, base.type)
    whole = loop(g, "affine_pow", (g.constant(steps, "index"), base))
    return power, part(g, whole, 1, base.type)


def _binomial_power(g: Graph, steps: int, base: Node, order: int) -> Node:
    if order > steps:
        return g.constant(0, base.type)
    return linear(g, [(number(math.comb(steps, order)), raised(g, base, number(steps - order)))], ZERO, base.type)
