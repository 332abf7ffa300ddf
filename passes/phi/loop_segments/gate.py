"""Whether a loop is better differentiated as a whole: its derivative has fewer loops in loops, or stores no states."""

from __future__ import annotations

import math
import random
from collections.abc import Iterable, Sequence

from tapeless.passes.phi.cost import FEW_ROUNDS, ITERATION, LOAD, SIMPLE, UNKNOWN_STEPS, cost, cost_of
from tapeless.passes.phi.differentiate.derivative import pulled_back, pushed_forward
from tapeless.passes.phi.differentiate.loops.sensitivities import NoClosedDerivativeError
from tapeless.passes.phi.differentiate.reverse import adjoints
from tapeless.passes.phi.differentiate.stepwise import safe_adjoints
from tapeless.passes.phi.graph.contents import bodies_of, dependent, inside, invariant, symbols
from tapeless.passes.phi.graph.evaluate import evaluated
from tapeless.passes.phi.graph.evaluate_loops import Value
from tapeless.passes.phi.graph.graph import Graph
from tapeless.passes.phi.graph.loops.array_terms import element_type, is_array, rank
from tapeless.passes.phi.graph.nodes import FLOATS, Body, Node
from tapeless.passes.phi.graph.walk import opened, substitute
from tapeless.passes.phi.solve.solver import solved

STORE = SIMPLE
FEWEST_STEPS = 4
MOST_TANGENTS = 4
LONGEST = 5
TRIALS = 8
TOLERANCE = 1e-8
GROWING = ("affine_pow", "affine_iter", "matrix_pow")
"""Loops that do not go through the values of every step."""


def is_dear_to_repeat(g: Graph, roots: Sequence[Node]) -> bool:
    """Whether counted loops cost more than half of the way back through them."""
    loops = [node for node in inside(roots) if node.kind == "loop"]
    if any(node.name != "iterate" for node in loops):
        return False
    back = sum(UNKNOWN_STEPS * (ITERATION + _cost_back(g, body)) for node in loops for body in node.bodies)
    return 2 * cost(roots) > back


def _cost_back(g: Graph, body: Body) -> float:
    """The cost of the adjoints of a step, operation by operation, and of the stored values they read."""
    forward = set(inside(body.results))
    seeds = {root: g.symbol(("seed", k), root.type) for k, root in enumerate(body.results) if root.is_float}
    wanted = [node for node in inside(body.results) if node.kind == "symbol" and node.is_float]
    made = [node for node in inside(adjoints(g, seeds, wanted)) if node not in forward]
    stored = {each for node in made for each in node.args if each in forward and _changes(each, body)}
    return sum(map(cost_of, made)) + (STORE + LOAD) * len(stored)


def _changes(node: Node, body: Body) -> bool:
    return node in body.parameters if node.kind == "symbol" else node.kind != "constant"


def depth(roots: Iterable[Node]) -> int:
    """The largest number of loops around anything, with loop-invariant code outside of them."""
    return max((_of_loop(node) for node in inside(roots) if node.kind == "loop"), default=0)


def _of_loop(node: Node) -> int:
    own = int(node.name not in FEW_ROUNDS)
    return max((max(own + _varying(body), _fixed(body)) for body in bodies_of(node)), default=own)


def _varying(body: Body) -> int:
    """The depth of the varying part of a body."""
    changing = dependent(body.results, body.parameters)
    return max((_of_loop(each) for each in changing if each.kind == "loop"), default=0)


def _fixed(body: Body) -> int:
    changing = dependent(body.results, body.parameters)
    fixed = [each for each in inside(body.results) if each.kind == "loop" and each not in changing]
    return max((_of_loop(each) for each in fixed), default=0)


def is_worth_it(
    g: Graph,
    given: Sequence[Node],
    roots: Sequence[Node],
    wanted: Sequence[int],
    *,
    is_forward: bool = False,
    is_read: bool = False,
) -> bool:
    """Whether the derivative of all roots in the wanted symbols exists, is of lower order, and is right.

    It is there if numbers have another form for where closed forms overflow. Backwards, one of the same order that
    stores no states is worth it, too, unless values are computed twice for that, dearly, because they are also read by
    others; forward, none does.
    """
    if not wanted or not roots or any(_is_short(node) for node in inside(roots)):
        return False
    try:
        derivative = (pushed_forward if is_forward else pulled_back)(g, given, roots, wanted, is_trusting=True)
        if not is_forward:
            safe_adjoints(derivative, derivative.roots, roots, wanted, is_trusting=True)
            refuse_repeated_forms(derivative.graph, derivative.roots)
    except NoClosedDerivativeError:
        return False
    before, after = depth(roots), depth(derivative.roots)
    if after >= before and (is_forward or not _stores_less(given, len(wanted), roots, derivative.roots)):
        return False
    if after >= before and is_read and is_dear_to_repeat(g, roots):
        return False
    images = [derivative.images[root] for root in roots]
    return _agrees(g, given, roots, solved(derivative.graph, images, is_trusting=True))


def _is_short(node: Node) -> bool:
    """Whether a loop has so few steps that it had better be unrolled."""
    if node.kind != "loop" or node.name != "iterate" or node.args[0].kind != "constant":
        return False
    return node.args[0].constant < FEWEST_STEPS


def _stores_less(given: Sequence[Node], tangents: int, roots: Sequence[Node], bars: Sequence[Node]) -> bool:
    """Whether a recurrence of numbers alone is differentiated by a few tangents beside it."""
    if any(is_array(each.type) for each in given) or tangents > MOST_TANGENTS:
        return False
    names = {node.name for node in inside(roots) if node.kind == "loop"}
    return names <= {"iterate", "while"} and depth(bars) == depth(roots) == 1


def _agrees(graph: Graph, given: Sequence[Node], roots: Sequence[Node], solutions: Sequence[Node]) -> bool:
    """Whether solved values are those of the loop at random points, and there is a point where they are finite."""
    rng = random.Random(len(given) + len(roots))
    names = {each.data: each for each in symbols(solutions)}
    checked = 0
    for _ in range(TRIALS):
        point = {each: _drawn(rng, each.type) for each in given}
        first = evaluated(roots, point)
        if not all(math.isfinite(each) for each in first):
            continue
        second = evaluated(solutions, {names[each.data]: value for each, value in point.items() if each.data in names})
        if not all(abs(a - b) <= TOLERANCE * max(1.0, abs(a)) for a, b in zip(first, second, strict=True)):
            return False
        checked += 1
    return checked > 0


def _drawn(rng: random.Random, type_: str) -> Value:
    """A number, or rows of them in rows as deep as the array is."""
    if is_array(type_):
        return _drawn_rows(rng, element_type(type_), rank(type_))
    if type_ in FLOATS:
        return rng.uniform(0.1, 0.9)
    return rng.randint(0, LONGEST if type_ != "i1" else 1)


def _drawn_rows(rng: random.Random, element: str, depth: int) -> Value:
    return [_drawn_rows(rng, element, depth - 1) for _ in range(LONGEST)] if depth else _drawn(rng, element)


def refuse_repeated_forms(g: Graph, nodes: Sequence[Node]) -> None:
    """Refuses arrays of which every value would need a closed form of its own."""
    for node in nodes:
        if is_array(node.type) and _is_grown(node):
            if node.kind != "loop" or node.name != "map":
                raise NoClosedDerivativeError("values of an array depend on each other by a closed form")
            common = [each for each in invariant(node.bodies[0]) if each.is_float and _is_grown(each)]
            _, results = opened(g, node.bodies[0])
            if _is_grown(substitute(g, results, {each: g.constant(0, each.type) for each in common})[0]):
                raise NoClosedDerivativeError("every value of an array has a closed form of its own")


def _is_grown(node: Node) -> bool:
    """Whether a closed form of a loop is in a node."""
    return any(_is_growing(each) for each in inside([node]) if each.kind == "loop")


def _is_growing(loop: Node) -> bool:
    return loop.name in GROWING or any(_is_grown(each) for body in bodies_of(loop) for each in body.results)
