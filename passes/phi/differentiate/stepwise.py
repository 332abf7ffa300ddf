"""Closed forms where they are finite, and their step-by-step loops elsewhere.

A power, a matrix to a power or a sum taken out of a loop may be infinite where no value of the loop is: in x = 2 x - 1
from 1 nothing grows. Whether that happened shows in the result, which is infinite or no number then.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Sequence
from functools import reduce

from tapeless.passes.phi.cost import FEW_ROUNDS, UNKNOWN_STEPS, cost
from tapeless.passes.phi.differentiate.derivative import Derivative
from tapeless.passes.phi.differentiate.forward import tangents
from tapeless.passes.phi.differentiate.loops.sensitivities import NoClosedDerivativeError
from tapeless.passes.phi.differentiate.reverse import adjoints
from tapeless.passes.phi.graph.branches import compare, connect, gamma
from tapeless.passes.phi.graph.contents import inside
from tapeless.passes.phi.graph.elementary import function
from tapeless.passes.phi.graph.graph import Graph
from tapeless.passes.phi.graph.nodes import Node
from tapeless.passes.phi.graph.products import multiply
from tapeless.passes.phi.graph.sums import total
from tapeless.passes.phi.solve.solver import solved

# Rounds of closed forms wait less for each other than steps do, and take about half of what they are said to cost.
DEARER = 2
FEWEST_STEPS = 16


def safe_adjoints(
    derivative: Derivative,
    closed: Sequence[Node],
    roots: Sequence[Node],
    wanted: Sequence[int],
    *,
    is_trusting: bool = False,
) -> list[Node]:
    """The adjoints of the wanted inputs, which are there in closed form, for seeds of some roots of the primal.

    Arrays stay as they are. Refused where there is no other form for numbers; `is_trusting` as for `solved`.
    """
    g = derivative.graph
    images = [derivative.images[root] for root in roots]
    places = _numbers(closed)
    if images == derivative.targets or not may_overflow(g.flags) or not places:
        return list(closed)
    found = _slopes(g, images, [derivative.inputs[k] for k in wanted], places, is_trusting)
    sums = []
    for place in places:
        terms = [_scaled(g, seed, slope) for seed, slope in zip(derivative.seeds, found[place], strict=True)]
        sums.append(total(g, terms, terms[0].type))
    return _put(g, closed, places, sums)


def _slopes(
    g: Graph, images: Sequence[Node], inputs: Sequence[Node], places: Sequence[int], is_trusting: bool
) -> dict[int, tuple[Node, ...]]:
    """By place of an input, how much each root changes with it, step by step.

    By tangents beside the loops as they are; if there are too many inputs, by tangents of the few numbers that a loop
    depends on when all that no step changes is taken out of it.
    """
    try:
        return _by_place(g, images, inputs, places)
    except NoClosedDerivativeError:
        return _by_place(g, solved(g, images, is_trusting=is_trusting, is_stepwise=True), inputs, places)


def _by_place(
    g: Graph, roots: Sequence[Node], inputs: Sequence[Node], places: Sequence[int]
) -> dict[int, tuple[Node, ...]]:
    rows = [adjoints(g, {root: g.constant(1, root.type)}, [inputs[place] for place in places]) for root in roots]
    return dict(zip(places, zip(*rows, strict=True), strict=True))


def safe_tangents(
    derivative: Derivative, closed: Sequence[Node], roots: Sequence[Node], moving: Sequence[int]
) -> list[Node]:
    """The tangents of some roots of the primal, which are there in closed form, for directions of the moving inputs."""
    g = derivative.graph
    images = [derivative.images[root] for root in roots]
    places = _numbers(closed)
    if images == derivative.targets or not may_overflow(g.flags) or not places:
        return list(closed)
    directions = dict(zip((derivative.inputs[k] for k in moving), derivative.seeds, strict=True))
    return _put(g, closed, places, tangents(g, [images[k] for k in places], directions))


def may_overflow(flags: Collection[str]) -> bool:
    """Whether infinities and NaNs may come up at all."""
    return "ninf" not in flags and "nnan" not in flags


def _numbers(nodes: Sequence[Node]) -> list[int]:
    """The places of scalars that may be anything but finite."""
    return [place for place, each in enumerate(nodes) if each.is_float and each.kind not in ("constant", "symbol")]


def _scaled(g: Graph, seed: Node, slope: Node) -> Node:
    """A seed times a slope; nothing for no seed, also where the slope is infinite."""
    zero = g.constant(0, seed.type)
    if slope.kind == "constant":
        return multiply(g, seed, slope)
    return gamma(g, compare(g, "eq", seed, zero), zero, multiply(g, seed, slope))


def _put(g: Graph, closed: Sequence[Node], places: Sequence[int], stepwise: Sequence[Node]) -> list[Node]:
    """Closed forms where all of them are finite; at some places the step-by-step values elsewhere."""
    closed = _where_long(g, closed, places, stepwise)
    sizes = [function(g, "abs", each) for each in closed if each.is_float and each.kind != "constant"]
    tests = [compare(g, "lt", size, g.constant(math.inf, size.type)) for size in sizes]
    if not tests:
        return list(closed)
    are_finite = reduce(lambda a, b: connect(g, "and", a, b), tests)
    found = list(closed)
    for place, each in zip(places, stepwise, strict=True):
        found[place] = gamma(g, are_finite, closed[place], each, lazy=True)
    return found


def _where_long(g: Graph, closed: Sequence[Node], places: Sequence[int], stepwise: Sequence[Node]) -> list[Node]:
    """Closed forms, infinite where the only loop has so few steps that they take less time."""
    counts = {node.args[0] for node in inside(stepwise) if node.kind == "loop" and node.name == "iterate"}
    rounds = [node for node in inside(closed) if node.kind == "loop" and node.name in FEW_ROUNDS]
    if len(counts) != 1 or not rounds:
        return list(closed)
    count = counts.pop()
    fewest = int(cost([closed[place] for place in places]) * UNKNOWN_STEPS / cost(stepwise) / DEARER)
    if fewest < FEWEST_STEPS:
        return list(closed)
    is_long = compare(g, "ge", count, g.constant(fewest, count.type))
    found = list(closed)
    for place in places:
        infinite = g.constant(math.inf, closed[place].type)
        found[place] = gamma(g, is_long, closed[place], infinite, lazy=True)
    return found
