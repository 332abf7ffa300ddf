"""Which instructions compute an expression: sums and products become additions, multiplications and divisions of two.

The instructions are a graph again, so that what occurs twice is computed once.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from fractions import Fraction

from tapeless.passes.phi.graph.graph import Graph
from tapeless.passes.phi.graph.nodes import Node
from tapeless.passes.phi.graph.numbers import ONE, Number, is_integer, number, size
from tapeless.passes.phi.graph.walk import inside
from tapeless.passes.phi.lower.fused import spread_factors
from tapeless.passes.phi.lower.products import Power, factor_of_steps, guarded, is_growing, multiplied

# Operands combined one after the other where the order is free: a guess that fits the programs.
LONGEST_CHAIN = 4


class Selection:
    """Chooses instructions: nodes of kind `instruction`, and the other nodes as they are."""

    def __init__(self, flags: Collection[str], nodes: Sequence[Node]):
        self.graph = Graph()
        self.is_free = "reassoc" in flags
        self.growing: dict[Node, Node | None] = {}
        self.shared = _shared_reciprocals(nodes) if {"arcp", "reassoc"} <= set(flags) else frozenset()

    def make(self, name: str, *args: Node) -> Node:
        """The instruction of this name."""
        return self.graph.node("instruction", args[0].type, args, (name,))

    def constant(self, value: Number, type_: str) -> Node:
        """A number."""
        return self.graph.constant(value, type_)

    def scaled(self, factor: Number, node: Node) -> Node:
        """A positive number times a node."""
        return node if factor == 1 else self.make("mul", node, self.constant(factor, node.type))

    def total(self, parts: Sequence[Node], name: str = "add") -> Node:
        """All parts added or multiplied: from the left where the order counts or they are few, else in two halves."""
        if self.is_free and len(parts) > LONGEST_CHAIN:
            middle = (len(parts) + 1) // 2
            return self.make(name, self.total(parts[:middle], name), self.total(parts[middle:], name))
        result = parts[0]
        for part in parts[1:]:
            result = self.make(name, result, part)
        return result

    def multiplied(self, one: Node, powers: Sequence[Power]) -> Node:
        """The product of bases to whole exponents."""
        return multiplied(self.make, lambda factors: self.total(factors, "mul"), one, powers)


def selected(
    roots: Sequence[Node], flags: Collection[str], values: Iterable[Node] = ()
) -> tuple[list[Node], dict[Node, Node]]:
    """The instructions for some roots; and the symbols of the new graph that stand for symbols and given values."""
    given = set(values)
    nodes = _above(roots, given)
    spread = spread_factors([node for node in nodes if node not in given], roots, flags)
    selection = Selection(flags, nodes)
    symbols: dict[Node, Node] = {}
    made: dict[Node, Node] = {}
    for node in nodes:
        if node in given or node.kind == "symbol":
            made[node] = symbols[node] = selection.graph.symbol(node.place, node.type)
        else:
            if node in spread:
                made[node] = _multiplied_out(selection, node, spread[node], made)
            else:
                made[node] = SELECT.get(node.kind, _as_it_is)(selection, node, [made[arg] for arg in node.args])
            if is_growing(made[node]):
                selection.growing[made[node]] = factor_of_steps(made[node])
    return [made[root] for root in roots], symbols


def _above(roots: Sequence[Node], given: Collection[Node]) -> list[Node]:
    """The nodes that roots depend on, as far as they are not given."""
    if not given:
        return inside(roots)
    found = {root.place: root for root in roots}
    left = list(found.values())
    while left:
        node = left.pop()
        for arg in node.args if node not in given else ():
            if arg.place not in found:
                found[arg.place] = arg
                left.append(arg)
    return [found[place] for place in sorted(found)]


def _shared_reciprocals(nodes: Sequence[Node]) -> frozenset[Node]:
    """The bases that more than one product divides by."""
    under: Counter[Node] = Counter()
    for node in nodes:
        if node.kind == "product" and node.is_float:
            under.update({base for base, exponent in _factors(node) if exponent < 0})
    return frozenset(base for base, count in under.items() if count > 1)


def _factors(node: Node) -> list[tuple[Node, Number]]:
    return list(zip(node.args, node.exponents, strict=True))


def _sum(s: Selection, node: Node, args: Sequence[Node]) -> Node:
    terms = list(zip(node.coefficients, args, strict=True))
    if node.constant != 0 or _is_negative_zero(node.constant) or not terms:
        terms.append((ONE, s.constant(node.constant, node.type)))
    if not s.is_free and node.is_float:
        return _in_order(s, terms)
    over = [s.scaled(factor, term) for factor, term in terms if factor >= 0]
    under = [s.scaled(-factor, term) for factor, term in terms if not factor >= 0]
    if not under:
        return s.total(over)
    if not over:
        return s.make("neg", s.total(under))
    return s.make("sub", s.total(over), s.total(under))


def _is_negative_zero(value: Number) -> bool:
    return isinstance(value, float) and value == 0.0


def _in_order(s: Selection, terms: list[tuple[Number, Node]]) -> Node:
    if len(terms) > 1 and terms[0][0] < 0 <= terms[1][0]:
        terms = [terms[1], terms[0], *terms[2:]]
    factor, first = terms[0]
    result = s.make("neg", first) if factor == -1 else s.scaled(factor, first)
    for factor, term in terms[1:]:
        result = (
            s.make("sub", result, s.scaled(-factor, term))
            if factor < 0
            else s.make("add", result, s.scaled(factor, term))
        )
    return result


def _product(s: Selection, node: Node, args: Sequence[Node]) -> Node:
    one = s.constant(ONE, node.type)
    powers: list[Power] = []
    for (base, exponent), arg in zip(_factors(node), args, strict=True):
        whole, root = _whole_and_root(s, exponent, arg)
        inverted = base in s.shared and exponent < 0
        if whole:
            powers.append((s.make("div", one, arg), -whole) if inverted else (arg, whole))
        if root is not None:
            powers.append((s.make("div", one, root), 1) if inverted else (root, 1 if exponent > 0 else -1))
    growing = [each for each in powers if each[0] in s.growing and each[1] > 0]
    if not growing or not node.is_float:
        return s.multiplied(one, powers)
    grown = s.multiplied(one, growing)
    rest = [each for each in powers if each not in growing]
    result = guarded(s.graph, s.make, grown, s.multiplied(one, rest), s.growing[growing[0][0]]) if rest else grown
    s.growing[result] = s.growing[growing[0][0]]
    return result


def _multiplied_out(s: Selection, node: Node, spread: Node, made: Mapping[Node, Node]) -> Node:
    """A factor times a quotient, and the factor itself added or subtracted (`fused.py`)."""
    (factor,) = (made[each] for each in node.args if each is not spread)
    times = s.make("mul", factor, made[spread.args[0]])
    if spread.coefficients[0] < 0:
        return s.make("sub", factor, times)
    return s.make("add" if spread.constant > 0 else "sub", times, factor)


def _whole_and_root(s: Selection, exponent: Number, base: Node) -> tuple[int, Node | None]:
    """A power as a whole one and the remaining factor: a square root, or any other power."""
    if is_integer(exponent):
        return int(exponent), None
    if isinstance(exponent, Fraction) and exponent.denominator == 2:
        return int(exponent), s.make("sqrt", base)
    positive = s.constant(number(size(exponent)), base.type)
    return 0, s.graph.node("function", base.type, (base, positive), ("pow",))


def _logic(s: Selection, node: Node, args: Sequence[Node]) -> Node:
    """Negated comparisons: not less is more, equal or unordered, one comparison."""
    inner = args[0]
    if node.name == "not" and inner.kind == "compare" and inner.args[0].is_float:
        return s.graph.node("compare", inner.type, inner.args, (f"not {inner.name}",))
    return _as_it_is(s, node, args)


def _constant(s: Selection, node: Node, args: Sequence[Node]) -> Node:
    return s.constant(node.constant, node.type)


def _as_it_is(s: Selection, node: Node, args: Sequence[Node]) -> Node:
    return s.graph.node(node.kind, node.type, args, node.data)


SELECT: Mapping[str, Callable[[Selection, Node, Sequence[Node]], Node]] = {
    "constant": _constant,
    "sum": _sum,
    "product": _product,
    "logic": _logic,
}
