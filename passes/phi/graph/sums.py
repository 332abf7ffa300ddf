"""Sums: coefficient times term, and a constant."""

from __future__ import annotations

import math
from collections.abc import Iterable

from tapeless.passes.phi.graph.graph import Graph
from tapeless.passes.phi.graph.nodes import FLOATS, Node
from tapeless.passes.phi.graph.numbers import (
    MINUS_ONE,
    ONE,
    ZERO,
    Number,
    is_moderate,
    is_power_of_two,
    number,
    plus,
    rounded,
    size,
    times,
)

Term = tuple[Number, Node]
UNITS = (ONE, MINUS_ONE)
TWO = plus(ONE, ONE)


def linear(g: Graph, terms: Iterable[Term], constant: Number, type_: str) -> Node:
    """The sum of coefficient times term, plus a constant, in normal form.

    With `reassoc`, sums in sums are flattened and equal terms collected; terms that cancel go with `nsz` as long as
    something stays, since `(a + b) - b` is then `a`. A sum in a sum stays one term where flattening would round every
    term of it by itself, as in `3 * (a - b)`, unless that lets terms be collected. Integers wrap around, so all of this
    holds for them. Without `reassoc`, a sum has two terms, or one with a coefficient, and is as written up to signs.
    """
    if "reassoc" not in g.flags and type_ in FLOATS:
        return _as_written(g, list(terms), constant, type_)
    gathered = _Gathered(g, type_, constant)
    for factor, term in terms:
        gathered.take(factor, term)
    return _made(g, gathered.kept(), gathered.constant, type_)


class _Gathered:
    """Terms with their coefficients, as they are collected."""

    def __init__(self, g: Graph, type_: str, constant: Number):
        self.constant = constant
        self._graph = g
        self._type = type_
        self._exact = type_ not in FLOATS
        self._terms: dict[Node, Number] = {}
        self._has_constants = constant != 0

    def take(self, factor: Number, term: Node) -> None:
        """Adds a term, or the terms of a sum."""
        if term.kind == "constant":
            self._has_constants = True
            self.constant = plus(self.constant, times(factor, term.constant))
        elif term.kind == "sum" and self._may_flatten(factor, term):
            for inner, part in zip(term.coefficients, term.args, strict=True):
                self.take(times(factor, inner), part)
            if term.constant != 0:
                self._has_constants = True
                self.constant = plus(self.constant, times(factor, term.constant))
        else:
            self._terms[term] = plus(self._terms.get(term, ZERO), factor)

    def kept(self) -> list[Term]:
        """The terms that stay."""
        self._flatten_what_meets()
        cancelling = self._may_cancel()
        terms = [(factor, term) for term, factor in self._terms.items() if factor != 0 or not cancelling]
        if terms and self.constant == 0 and self._has_constants and not (self._exact or self._graph.allows("nsz")):
            terms.append((ONE, self._graph.constant(ZERO, self._type)))
        return terms

    def _may_flatten(self, factor: Number, term: Node) -> bool:
        if self._exact:
            return True
        if factor < 0 and len(term.args) > 1 and not self._graph.allows("nsz"):
            return False
        if any(not is_moderate(times(factor, inner), self._type) for inner in term.coefficients):
            return False
        return is_power_of_two(factor) or (len(term.args) == 1 and term.constant == 0)

    def _flatten_what_meets(self) -> None:
        """Flattens the sums that stayed terms and have a term in common with the others, until there is none."""
        while True:
            meeting = (term for term in self._terms if term.kind == "sum" and self._meets(term))
            term = next(meeting, None)
            if term is None or not (self._exact or self._graph.allows("nsz")):
                return
            factor = self._terms.pop(term)
            for inner, part in zip(term.coefficients, term.args, strict=True):
                self.take(times(factor, inner), part)
            self.constant = plus(self.constant, times(factor, term.constant))

    def _meets(self, term: Node) -> bool:
        return any(part in self._terms for part in term.args)

    def _may_cancel(self) -> bool:
        """Whether terms with coefficient 0 may go: infinities would have left NaN."""
        if self._exact or 0 not in self._terms.values() or self._graph.allows("nnan", "ninf", "nsz"):
            return True
        return self._graph.allows("nsz") and any(factor != 0 for factor in self._terms.values())


def add(g: Graph, a: Node, b: Node) -> Node:
    """a + b."""
    return linear(g, [(ONE, a), (ONE, b)], ZERO, a.type)


def subtract(g: Graph, a: Node, b: Node) -> Node:
    """a - b."""
    return linear(g, [(ONE, a), (MINUS_ONE, b)], ZERO, a.type)


def scale(g: Graph, factor: Number, a: Node) -> Node:
    """A number times a."""
    if factor is ONE and a.kind != "sum":
        return a
    return linear(g, [(factor, a)], ZERO, a.type)


def negate(g: Graph, a: Node) -> Node:
    """-a."""
    return scale(g, MINUS_ONE, a)


def total(g: Graph, nodes: Iterable[Node], type_: str) -> Node:
    """The sum of nodes, in their order where that counts."""
    first, *others = list(nodes) or [g.constant(ZERO, type_)]
    if not others:
        return first
    if "reassoc" in g.flags or type_ not in FLOATS:
        return linear(g, [(ONE, each) for each in (first, *others)], ZERO, type_)
    for each in others:
        first = add(g, first, each)
    return first


def scaled_term(node: Node) -> tuple[Number, Node]:
    """A node as coefficient times something."""
    if node.kind == "sum" and len(node.args) == 1 and node.constant == 0:
        return node.coefficients[0], node.args[0]
    return ONE, node


def _made(g: Graph, terms: list[Term], constant: Number, type_: str) -> Node:
    if not terms:
        return g.constant(constant, type_)
    if len(terms) == 1 and terms[0][0] == 1 and constant == 0:
        return terms[0][1]
    common = size(terms[0][0]) if type_ in FLOATS else ONE
    if common != 1 and is_power_of_two(common) and g.allows("reassoc") and is_common(common, terms, constant):
        # One multiplication for all of them, and exact.
        units: list[Term] = [(ONE if factor > 0 else MINUS_ONE, term) for factor, term in terms]
        one = ZERO if constant == 0 else ONE if constant > 0 else MINUS_ONE
        return g.node("sum", type_, (_made(g, units, one, type_),), (common, ZERO))
    terms.sort(key=lambda each: each[1].place)
    return g.node("sum", type_, [term for _, term in terms], [*(factor for factor, _ in terms), constant])


def is_common(common: Number, terms: list[Term], constant: Number) -> bool:
    """Whether all of at least two parts of a sum have the same coefficient, up to signs."""
    parts = [factor for factor, _ in terms] + ([constant] if constant != 0 else [])
    return len(parts) > 1 and all(size(each) == common for each in parts)


def _as_written(g: Graph, terms: list[Term], constant: Number, type_: str) -> Node:
    """Exact rewrites only: signs of terms, x + x, constants folded as the machine would."""
    assert len(terms) + (constant != 0) <= 2
    parts: list[Term] = []
    for factor, term in terms:
        inner, part = scaled_term(term)
        parts.append((times(factor, inner), part) if inner in UNITS else (factor, term))
    if all(term.kind == "constant" for _, term in parts):
        return _folded(g, parts, constant, type_)
    if len(parts) == 2:
        kept = [(factor, term) for factor, term in parts if not _adds_nothing(g, factor, term)]
        parts = kept or parts[:1]
    if len(parts) == 2 and parts[0][1] is parts[1][1] and parts[0][0] == parts[1][0]:
        parts = [(times(parts[0][0], TWO), parts[0][1])]
    if len(parts) == 2:
        for place in (0, 1):
            factor, term = parts[place]
            if term.kind == "constant" and term.constant != 0 and factor in UNITS and constant == 0:
                constant = times(factor, term.constant)
                parts = [parts[1 - place]]
                break
    return _made(g, parts, constant, type_)


def _folded(g: Graph, parts: list[Term], constant: Number, type_: str) -> Node:
    """The constant folding of constants only, also for zeros with a sign."""
    values = [float(rounded(times(factor, term.constant), type_)) for factor, term in parts]
    for place, (factor, term) in enumerate(parts):
        if values[place] == 0:
            sign = math.copysign(1.0, float(factor)) * math.copysign(1.0, float(term.constant))
            values[place] = math.copysign(0.0, sign)
    if constant != 0:
        values.append(float(constant))
    result = values[0] if values else float(constant)
    for each in values[1:]:
        result += each
    return g.constant(number(result), type_)


def _adds_nothing(g: Graph, factor: Number, term: Node) -> bool:
    """Whether the sum with factor times a constant is the other term, to the sign of zero."""
    if term.kind != "constant" or term.constant != 0:
        return False
    negative = isinstance(term.constant, float) and math.copysign(1.0, term.constant) < 0.0
    return g.allows("nsz") or negative == (factor > 0)
