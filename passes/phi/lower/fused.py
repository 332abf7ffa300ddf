"""Products with a quotient and one more, or one less: k (q - 1) as k q - k, which is one fused instruction.

The quotient is rounded, so where q is near 1 the difference has no more digits than k q - k; it is 0 for q = 1 both
ways. If k is infinite, k q - k is no number where k (q - 1) is infinite: so this is done only where every result that
reads it is a multiple of it, or has a multiple of it added, and is not finite then either.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Sequence

from tapeless.passes.phi.graph.nodes import Node
from tapeless.passes.phi.graph.numbers import MINUS_ONE, ONE, size
from tapeless.passes.phi.graph.walk import inside


def spread_factors(nodes: Sequence[Node], roots: Sequence[Node], flags: Collection[str]) -> dict[Node, Node]:
    """Products of two factors that are multiplied out, with the factor that is a quotient and one."""
    if not {"reassoc", "contract"} <= set(flags):
        return {}
    uses = Counter(arg for node in nodes for arg in node.args)
    uses.update(roots)
    among, linear = set(nodes), _read_linearly(nodes)
    found = {}
    for node in nodes:
        if node.kind == "product" and node.exponents == (ONE, ONE) and node in linear:
            spread = [each for each in node.args if each in among and uses[each] == 1 and _is_quotient_and_one(each)]
            if len(spread) == 1 and not any(map(_grows, node.args)):
                found[node] = spread[0]
    return found


def _is_quotient_and_one(node: Node) -> bool:
    if node.kind != "sum" or not node.is_float or len(node.args) != 1:
        return False
    signs = (node.coefficients[0], node.constant)
    (term,) = node.args
    is_one_apart = all(size(each) == 1 for each in signs) and signs != (MINUS_ONE, MINUS_ONE)
    return is_one_apart and term.kind == "product" and any(exponent < 0 for exponent in term.exponents)


def _grows(node: Node) -> bool:
    """Whether a power or a product over a range is in a factor, of which zero times is zero (`zeros.py`)."""
    return any(each.kind in ("loop", "part") for each in inside([node]))


def _read_linearly(nodes: Sequence[Node]) -> set[Node]:
    """The nodes that only sums, products and choices read, up to the results: those are not finite if it is not."""
    linear = set(nodes)
    for node in reversed(nodes):
        for place, arg in enumerate(node.args):
            if node not in linear or not _is_linear_in(node, place):
                linear.discard(arg)
    return linear


def _is_linear_in(node: Node, place: int) -> bool:
    if node.kind == "product":
        return node.exponents[place] == ONE
    return node.kind == "sum" or (node.kind == "gamma" and place > 0)
