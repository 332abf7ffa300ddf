"""Signs that products of a sum have in common, taken into the sum: x * (b - a) for -(x * (a - b))."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from tapeless.passes.phi.graph.graph import Graph
from tapeless.passes.phi.graph.nodes import Node
from tapeless.passes.phi.graph.numbers import is_integer
from tapeless.passes.phi.graph.walk import inside


def with_fewer_signs(g: Graph, roots: Sequence[Node]) -> list[Node]:
    """The roots with sums turned round where more products of them are subtracted than added; needs `nsz`.

    What comes out is not in the normal form of builders, which order differences by their terms.
    """
    if not g.allows("reassoc", "nsz"):
        return list(roots)
    nodes = inside(roots)
    uses = Counter(arg for node in nodes for arg in node.args)
    uses.update(roots)
    users: dict[Node, list[Node]] = {}
    for node in nodes:
        for arg in node.args:
            users.setdefault(arg, []).append(node)
    turned: set[Node] = set()
    for node in nodes:
        products = users.get(node, [])
        if _is_difference(node) and len(products) == uses[node] and all(_may_turn(each, node) for each in products):
            signs = [sign for each in products if (sign := _sign(each, users, uses)) is not None]
            alone = turned.isdisjoint(arg for each in products for arg in each.args)
            if len(signs) == len(products) and sum(signs) < 0 and alone:
                turned.add(node)
    return _turned(g, nodes, roots, turned)


def _is_difference(node: Node) -> bool:
    """Whether a sum has terms that are subtracted, so that turning it round costs nothing."""
    parts = (*node.coefficients, node.constant) if node.kind == "sum" and node.is_float else ()
    return any(each < 0 for each in parts)


def _may_turn(product: Node, node: Node) -> bool:
    if product.kind != "product" or product.args.count(node) != 1:
        return False
    exponent = product.exponents[product.args.index(node)]
    return is_integer(exponent) and int(exponent) % 2 == 1


def _sign(product: Node, users: Mapping[Node, list[Node]], uses: Counter[Node]) -> int | None:
    """-1 if the only user of a product is its negative, 1 a multiple of it, 0 a sum; None if there are others."""
    if uses[product] != 1 or not users.get(product):
        return None
    (user,) = users[product]
    if user.kind != "sum":
        return None
    factor = user.coefficients[user.args.index(product)]
    alone = len(user.args) == 1 and user.constant == 0
    return (-1 if factor < 0 else 1) if alone else 0


def _turned(g: Graph, nodes: Sequence[Node], roots: Sequence[Node], turned: set[Node]) -> list[Node]:
    made: dict[Node, Node] = {}
    opposite: set[Node] = {node for node in nodes if node.kind == "product" and not turned.isdisjoint(node.args)}
    for node in nodes:
        args = [made[arg] for arg in node.args]
        data = node.data
        if node in turned:
            data = tuple(-each for each in (*node.coefficients, node.constant))
        elif node.kind == "sum" and not opposite.isdisjoint(node.args):
            signs = [-1 if arg in opposite else 1 for arg in node.args]
            data = (*(sign * each for sign, each in zip(signs, node.coefficients, strict=True)), node.constant)
        plain = node.kind == "sum" and len(args) == 1 and data[0] == 1 and data[-1] == 0
        made[node] = args[0] if plain else g.node(node.kind, node.type, args, data)
    return [made[root] for root in roots]
