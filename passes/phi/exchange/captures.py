"""Loop-invariant code motion: the free values of a loop's bodies become arguments of the loop, computed once before it.

What may only run where the program runs it, as reading an element, stays in the loop; but a branch with such arms that
every step comes to is taken out, and computed if there is a step. So are loops that all steps do alike in an arm whose
condition no step changes: they are computed if it holds.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from typing import TypeVar

from tapeless.passes.phi.exchange.repeated import in_every_step, repeated_in_arms
from tapeless.passes.phi.graph.branches import compare, gamma, is_harmless, is_lazy
from tapeless.passes.phi.graph.contents import bodies_of, dependent
from tapeless.passes.phi.graph.graph import Graph
from tapeless.passes.phi.graph.loops.ranges import REDUCTIONS
from tapeless.passes.phi.graph.nodes import Body, Node
from tapeless.passes.phi.graph.walk import substitute

Value = TypeVar("Value")


@lru_cache(maxsize=4096)
def captures(bodies: tuple[Body, ...]) -> tuple[Node, ...]:
    """The nodes in bodies that are computed outside, in order; constants are not among them."""
    found: dict[int, Node] = {}
    for body in bodies:
        found |= {each.place: each for each in _captured(body, True)}
    found |= {each.place: each for each in repeated_in_arms(bodies)}
    return tuple(found[place] for place in sorted(found))


def explicit(roots: Sequence[Node], values: Mapping[Node, Value]) -> tuple[list[Node], dict[Node, Value]]:
    """The same expressions in a graph of its own, in which the free values of a loop's bodies are its last arguments.

    Loops for powers and geometric sums say how many results they have.
    """
    graph = Graph()
    made: dict[Node, Node] = {}
    nodes = above(roots, values)
    counts = _results_of_powers(nodes)
    for node in nodes:
        if node in values or node.kind == "symbol":
            made[node] = graph.symbol(node.place, node.type)
            continue
        args = [made[arg] for arg in node.args]
        for taken in captures(bodies_of(node)):
            args.append(made[taken] if taken in values else _taken_out(graph, node, made, taken))
        made[node] = graph.node(node.kind, node.type, args, (*node.data, *counts.get(node, ())))
    return [made[root] for root in roots], {made[node]: value for node, value in values.items() if node in made}


def _results_of_powers(nodes: Iterable[Node]) -> dict[Node, tuple[int]]:
    """How many results of each loop for powers and geometric sums are used: pairs up to the highest derivative."""
    found: dict[Node, tuple[int]] = {}
    for node in nodes:
        if node.kind == "part" and node.args[0].kind == "loop" and node.args[0].name == "affine_pow":
            wanted = 2 * (int(str(node.data[0])) // 2 + 1)
            found[node.args[0]] = (max(wanted, *found.get(node.args[0], (0,))),)
    return found


def arguments(node: Node) -> tuple[Node, ...]:
    """The arguments of a node, and the free values of a loop's bodies."""
    return (*node.args, *captures(bodies_of(node)))


def above(roots: Iterable[Node], given: Iterable[Node]) -> list[Node]:
    """The nodes that roots depend on as far as they are not given, with the free values of loops, in order."""
    known = set(given)
    found = {root.place: root for root in roots}
    left = list(found.values())
    while left:
        node = left.pop()
        for arg in arguments(node) if node not in known else ():
            if arg.place not in found:
                found[arg.place] = arg
                left.append(arg)
    return [found[place] for place in sorted(found)]


def _captured(body: Body, with_branches: bool) -> list[Node]:
    varying = dependent(body.results, body.parameters)
    branches = {node for node in in_every_step(body) if is_lazy(node)} if with_branches else set()
    found: dict[int, Node] = {}
    left = list(body.results)
    seen: set[Node] = set()
    while left:
        node = left.pop()
        if node in seen or node.kind == "constant" or node in body.parameters:
            continue
        seen.add(node)
        if node not in varying and (is_harmless(node) or node in branches):
            found[node.place] = node
            continue
        left.extend(node.args)
        for inner in bodies_of(node):
            left.extend(_captured(Body(inner.level, (*inner.parameters, *body.parameters), inner.results), False))
    return [found[place] for place in sorted(found)]


def _taken_out(graph: Graph, node: Node, made: Mapping[Node, Node], taken: Node) -> Node:
    """The hoisted values of a loop; where that may do harm, a branch on whether a step of the loop comes to them."""
    if is_harmless(taken):
        return made[taken]
    zero = graph.constant(0, taken.type)
    runs, value = _does_a_step(graph, node, made), made[taken]
    arm = repeated_in_arms(bodies_of(node)).get(taken)
    if arm is not None:
        arms = (value, zero) if arm.holds else (zero, value)
        value = gamma(graph, made.get(arm.condition, arm.condition), *arms, lazy=True)
    return gamma(graph, runs, value, zero, lazy=True)


def _does_a_step(graph: Graph, node: Node, made: Mapping[Node, Node]) -> Node:
    """Whether a loop does a step."""
    own = [made[arg] for arg in node.args]
    if node.name == "while":
        condition = node.bodies[0]
        values = {**made, **dict(zip(condition.parameters, own, strict=True))}
        (runs,) = substitute(graph, condition.results, values)
        return runs
    low, high = own if node.name in REDUCTIONS else (graph.constant(0, own[0].type), own[0])
    return compare(graph, "lt", low, high)
