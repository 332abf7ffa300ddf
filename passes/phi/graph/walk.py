"""Expressions made of something else, and bodies of loops opened and closed."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from operator import is_

from tapeless.passes.phi.graph.build import rebuilt
from tapeless.passes.phi.graph.contents import bodies_of, inside, symbols
from tapeless.passes.phi.graph.graph import Graph
from tapeless.passes.phi.graph.nodes import Body, Node

__all__ = ["applied", "bind", "inside", "opened", "substitute", "symbols"]


def substitute(g: Graph, roots: Iterable[Node], values: Mapping[Node, Node]) -> list[Node]:
    """The same expressions of other values, in the normal form of the graph `g`."""
    made: dict[Node, Node] = dict(values)
    roots = list(roots)
    for node in inside(roots):
        if node not in made:
            made[node] = _of_others(g, node, made, values)
    return [made[root] for root in roots]


def _of_others(g: Graph, node: Node, made: Mapping[Node, Node], values: Mapping[Node, Node]) -> Node:
    args = [made[arg] for arg in node.args]
    if node.kind == "loop":
        return rebuilt(g, node, args, tuple(_in_body(g, body, values) for body in node.bodies))
    # What nothing changes in is what it was, if it is a node of this graph.
    return node if g.owns(node) and all(map(is_, args, node.args)) else rebuilt(g, node, args, ())


def bind(g: Graph, parameters: Iterable[Node], results: Iterable[Node]) -> Body:
    """A body: results as a function of the parameters, which are renamed by the body's level."""
    parameters, results = list(parameters), list(results)
    level = _level(results)
    bound = [g.symbol(("bound", level, place), each.type) for place, each in enumerate(parameters)]
    return Body(level, tuple(bound), tuple(substitute(g, results, dict(zip(parameters, bound, strict=True)))))


def applied(g: Graph, body: Body, args: Iterable[Node]) -> list[Node]:
    """The results of a body for some arguments."""
    return substitute(g, body.results, dict(zip(body.parameters, args, strict=True)))


def opened(g: Graph, body: Body) -> tuple[list[Node], list[Node]]:
    """Symbols that occur nowhere else for the parameters of a body, and its results for them."""
    fresh = [g.fresh(each.type) for each in body.parameters]
    return fresh, applied(g, body, fresh)


def _in_body(g: Graph, body: Body, values: Mapping[Node, Node]) -> Body:
    apart = values.keys().isdisjoint(body.parameters) and all(_is_apart(each, body.level) for each in values.values())
    if apart:
        # Nothing that comes in could be taken for a parameter, or needs another level.
        parameters = tuple(g.node("symbol", each.type, data=each.data) for each in body.parameters)
        results = substitute(g, body.results, values)
        same = _level(results) == body.level
        return Body(body.level, parameters, tuple(results)) if same else bind(g, parameters, results)
    fresh = [g.fresh(each.type) for each in body.parameters]
    inner = {**values, **dict(zip(body.parameters, fresh, strict=True))}
    return bind(g, fresh, substitute(g, body.results, inner))


def _level(results: Iterable[Node]) -> int:
    """One more than that of any body inside."""
    return 1 + max((body.level for node in inside(results) for body in bodies_of(node)), default=0)


def _is_apart(node: Node, level: int) -> bool:
    """Whether a node is a constant or a symbol other than those that bodies up to a level bind."""
    if node.kind != "symbol":
        return node.kind == "constant"
    name = node.data[0]
    return not (isinstance(name, tuple) and name[0] == "bound") or name[1] > level
