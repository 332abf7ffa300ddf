"""The contents of nodes: their arguments, the symbols in them, and the loop-invariant part of a body."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from functools import lru_cache

from tapeless.passes.phi.graph.nodes import Body, Node


def inside(roots: Iterable[Node]) -> list[Node]:
    """The nodes that roots depend on, themselves included, arguments first; not those in bodies of loops."""
    found = {root.place: root for root in roots}
    left = list(found.values())
    while left:
        for arg in left.pop().args:
            if arg.place not in found:
                found[arg.place] = arg
                left.append(arg)
    return [found[place] for place in sorted(found)]


def few_inside(root: Node, most: int) -> list[Node] | None:
    """The nodes that a root is made of, as long as there are not more than some; else nothing, after that many."""
    found = {root.place: root}
    left = [root]
    while left:
        for arg in left.pop().args:
            if arg.place not in found:
                found[arg.place] = arg
                left.append(arg)
        if len(found) > most:
            return None
    return [found[place] for place in sorted(found)]


def bodies_of(node: Node) -> tuple[Body, ...]:
    """The bodies of a loop; nothing else has any."""
    return node.bodies if node.kind == "loop" else ()


def symbols(roots: Iterable[Node]) -> set[Node]:
    """The symbols that occur, in bodies of loops too, but for those that are bound there."""
    found = set()
    for node in inside(roots):
        if node.kind == "symbol":
            found.add(node)
        elif node.kind == "loop":
            found |= _symbols_in_bodies(node)
    return found


@lru_cache(maxsize=4096)
def _symbols_in_bodies(loop: Node) -> frozenset[Node]:
    return frozenset(each for body in loop.bodies for each in symbols(body.results) if each not in body.parameters)


def is_free_of(node: Node, unwanted: Collection[Node]) -> bool:
    """Whether none of some symbols occurs in a node."""
    return not any(each in unwanted for each in symbols([node]))


def reads(node: Node) -> bool:
    """Whether elements of arrays are read to compute a node."""
    return any(
        each.kind == "element" or any(reads(result) for body in bodies_of(each) for result in body.results)
        for each in inside([node])
    )


def is_guarded(node: Node) -> bool:
    """Whether computing the node by itself may do harm where the program does not: read outside, not end, or call."""
    if node.kind != "loop":
        return node.kind in ("element", "opaque")
    results = [each for body in node.bodies for each in body.results]
    return node.name == "while" or any(is_guarded(each) for each in inside(results))


def dependent(roots: Iterable[Node], on: Collection[Node]) -> set[Node]:
    """The nodes below roots that depend on some symbols, these included."""
    found: set[Node] = set()
    for node in inside(roots):
        if (
            node in on
            or any(arg in found for arg in node.args)
            or any(not is_free_of(each, on) for body in bodies_of(node) for each in body.results)
        ):
            found.add(node)
    return found


def invariant(body: Body) -> list[Node]:
    """The largest nodes in a body that its parameters do not occur in, constants left out, in order."""
    varying = dependent(body.results, body.parameters)
    found: dict[int, Node] = {each.place: each for each in body.results if each not in varying}
    for node in inside(body.results):
        if node not in varying:
            continue
        found |= {arg.place: arg for arg in node.args if arg not in varying}
        for inner in bodies_of(node):
            found |= {each.place: each for each in _invariant_inside(inner, body.parameters)}
    return [found[place] for place in sorted(found) if found[place].kind != "constant"]


def _invariant_inside(inner: Body, outer: Collection[Node]) -> list[Node]:
    """The nodes of a body in a body that are free of the parameters of both."""
    return invariant(Body(inner.level, (*inner.parameters, *outer), inner.results))
