"""What the bodies of a loop take from outside, as arguments of the loop: it is computed before the loop, once.

Only what can do no harm where the loop does not run a single step is taken out: no element of an array, unless a branch
guards it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from typing import TypeVar

from tapeless.passes.phi.graph.branches import is_lazy
from tapeless.passes.phi.graph.contents import bodies_of, dependent
from tapeless.passes.phi.graph.graph import Graph
from tapeless.passes.phi.graph.nodes import Body, Node

Value = TypeVar("Value")
HARMFUL = ("element", "opaque")


@lru_cache(maxsize=4096)
def captures(bodies: tuple[Body, ...]) -> tuple[Node, ...]:
    """The nodes in bodies that are computed outside, in order; constants are not among them."""
    found: dict[int, Node] = {}
    for body in bodies:
        found |= {each.place: each for each in _captured(body)}
    return tuple(found[place] for place in sorted(found))


def explicit(roots: Sequence[Node], values: Mapping[Node, Value]) -> tuple[list[Node], dict[Node, Value]]:
    """The same expressions in a graph of its own, in which what bodies of a loop take are its last arguments.

    Loops for powers and geometric sums say how many results they have.
    """
    graph = Graph()
    made: dict[Node, Node] = {}
    nodes = above(roots, values)
    counts = _results_of_powers(nodes)
    for node in nodes:
        args = [made[arg] for arg in arguments(node)] if node not in values else []
        if node in values or node.kind == "symbol":
            made[node] = graph.symbol(node.place, node.type)
        else:
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
    """The arguments of a node, and what the bodies of a loop take from outside."""
    return (*node.args, *captures(bodies_of(node)))


def above(roots: Iterable[Node], given: Iterable[Node]) -> list[Node]:
    """What roots are made of as far as it is not given, with what loops take from outside, in order."""
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


def _captured(body: Body) -> list[Node]:
    varying = dependent(body.results, body.parameters)
    found: dict[int, Node] = {}
    left = list(body.results)
    seen: set[Node] = set()
    while left:
        node = left.pop()
        if node in seen or node.kind == "constant" or node in body.parameters:
            continue
        seen.add(node)
        if node not in varying and _is_harmless(node):
            found[node.place] = node
            continue
        left.extend(node.args)
        for inner in bodies_of(node):
            left.extend(_captured(Body(inner.level, (*inner.parameters, *body.parameters), inner.results)))
    return [found[place] for place in sorted(found)]


@lru_cache(maxsize=65536)
def _is_harmless(node: Node) -> bool:
    """Whether computing a node is safe when the program does not; arms of a branch are computed only where it does."""
    if node.kind in HARMFUL:
        return False
    args = node.args[:1] if node.kind == "gamma" and is_lazy(node) else node.args
    results = [each for body in bodies_of(node) for each in body.results]
    return all(_is_harmless(each) for each in (*args, *results))
