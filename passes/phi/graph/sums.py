"""Sums: coefficient times term, and a constant."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator

from tapeless.passes.phi.graph.graph import Graph
from tapeless.passes.phi.graph.nodes import FLOATS, Node
from tapeless.passes.phi.graph.numbers import MINUS_ONE, ONE, ZERO, Number, plus, times

Term = tuple[Number, Node]
UNITS = (ONE, MINUS_ONE)
TWO = plus(ONE, ONE)


def linear(g: Graph, terms: Iterable[Term], constant: Number, type_: str) -> Node:
    """The sum of coefficient times term, plus a constant, in normal form.

    With `reassoc`, sums in sums are flattened and equal terms collected; terms that cancel go with `nsz` as long as
    something stays, since `(a + b) - b` is then `a`. Integers wrap around, so all of this holds for them.
    Without it, a sum has two terms, or one with a coefficient, and is as written up to signs.
    """
    if type_ in FLOATS and not g.allows("reassoc"):
        return _as_written(g, list(terms), constant, type_)
    collected: dict[Node, Number] = {}
    for factor, term in _flattened(terms):
        if term.kind == "constant":
            constant = plus(constant, times(factor, term.constant))
        else:
            collected[term] = plus(collected.get(term, ZERO), factor)
    kept = {term: factor for term, factor in collected.items() if factor != 0 or not _may_cancel(g, collected, type_)}
    return _made(g, [(factor, term) for term, factor in kept.items()], constant, type_)


def add(g: Graph, a: Node, b: Node) -> Node:
    """a + b."""
    return linear(g, [(ONE, a), (ONE, b)], ZERO, a.type)


def subtract(g: Graph, a: Node, b: Node) -> Node:
    """a - b."""
    return linear(g, [(ONE, a), (MINUS_ONE, b)], ZERO, a.type)


def scale(g: Graph, factor: Number, a: Node) -> Node:
    """A number times a."""
    return linear(g, [(factor, a)], ZERO, a.type)


def negate(g: Graph, a: Node) -> Node:
    """-a."""
    return scale(g, MINUS_ONE, a)


def total(g: Graph, nodes: Iterable[Node], type_: str) -> Node:
    """The sum of nodes, in their order where that counts."""
    result: Node | None = None
    for each in nodes:
        result = each if result is None else add(g, result, each)
    return g.constant(ZERO, type_) if result is None else result


def scaled_term(node: Node) -> tuple[Number, Node]:
    """A node as coefficient times something."""
    if node.kind == "sum" and len(node.args) == 1 and node.constant == 0:
        return node.coefficients[0], node.args[0]
    return ONE, node


def _flattened(terms: Iterable[Term]) -> Iterator[Term]:
    for factor, term in terms:
        if term.kind != "sum":
            yield factor, term
            continue
        yield from ((times(factor, inner), part) for inner, part in zip(term.coefficients, term.args, strict=True))
        if term.constant != 0:
            yield times(factor, term.constant), _one(term)


def _one(like: Node) -> Node:
    """The constant one, as a term that no graph holds."""
    return Node("constant", like.type, (), (ONE,), -1)


def _may_cancel(g: Graph, collected: dict[Node, Number], type_: str) -> bool:
    """Whether terms with coefficient 0 may go: infinities would have left NaN."""
    if type_ not in FLOATS or g.allows("nnan", "ninf", "nsz"):
        return True
    return g.allows("nsz") and any(factor != 0 for factor in collected.values())


def _made(g: Graph, terms: list[Term], constant: Number, type_: str) -> Node:
    if not terms:
        return g.constant(constant, type_)
    if len(terms) == 1 and terms[0][0] == 1 and constant == 0:
        return terms[0][1]
    terms.sort(key=lambda each: each[1].place)
    return g.node("sum", type_, [term for _, term in terms], [*(factor for factor, _ in terms), constant])


def _as_written(g: Graph, terms: list[Term], constant: Number, type_: str) -> Node:
    """Exact rewrites only: signs of terms, x + x, constants folded as the machine would."""
    assert len(terms) + (constant != 0) <= 2
    parts: list[Term] = []
    for factor, term in terms:
        inner, part = scaled_term(term)
        factor, term = (times(factor, inner), part) if inner in UNITS else (factor, term)
        if term.kind == "constant" and _adds_nothing(g, factor, term.constant) and len(terms) > 1:
            continue
        parts.append((factor, term))
    if len(parts) == 2 and parts[0][1] is parts[1][1] and parts[0][0] == parts[1][0]:
        parts = [(times(parts[0][0], TWO), parts[0][1])]
    if all(term.kind == "constant" for _, term in parts):
        for factor, term in parts:
            constant = plus(constant, times(factor, term.constant))
        parts = []
    elif len(parts) == 2:
        for place in (0, 1):
            factor, term = parts[place]
            if term.kind == "constant" and term.constant != 0 and factor in UNITS and constant == 0:
                constant = times(factor, term.constant)
                parts = [parts[1 - place]]
                break
    return _made(g, parts, constant, type_)


def _adds_nothing(g: Graph, factor: Number, value: Number) -> bool:
    """Whether the sum with factor times value is the other term, to the sign of zero."""
    if value != 0:
        return False
    negative = isinstance(value, float) and math.copysign(1.0, value) < 0.0
    return g.allows("nsz") or negative == (factor == 1)
