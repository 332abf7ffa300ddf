"""Implications of a condition that holds, or does not."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from tapeless.passes.phi.graph.branches import COMPARISONS
from tapeless.passes.phi.graph.facts import NOT_NEGATIVE, NOT_ZERO, POSITIVE, facts
from tapeless.passes.phi.graph.graph import Graph
from tapeless.passes.phi.graph.nodes import Node

# What a < b, a <= b, a == b that hold say of other comparisons of the same values, in this and in the other order.
SAME_ORDER = {
    "lt": {"lt": True, "le": True, "eq": False, "ne": True},
    "le": {"le": True},
    "eq": {"lt": False, "le": True, "eq": True, "ne": False},
    "ne": {"eq": False, "ne": True},
}
OTHER_ORDER = {
    "lt": {"lt": False, "le": False, "eq": False, "ne": True},
    "le": {"lt": False},
    "eq": {"lt": False, "le": True, "eq": True, "ne": False},
    "ne": {"eq": False, "ne": True},
}


def known(condition: Node, holds: bool) -> Iterator[tuple[Node, bool]]:
    """The parts of a condition whose truth is known with it."""
    yield condition, holds
    if condition.kind == "logic":
        if condition.name == "not":
            yield from known(condition.args[0], not holds)
        elif (condition.name, holds) in (("and", True), ("or", False)):
            for arg in condition.args:
                yield from known(arg, holds)


def implied(condition: Node, holds: bool, others: Iterable[Node]) -> dict[Node, bool]:
    """The other conditions that are known, with their truth values."""
    given = list(known(condition, holds))
    found: dict[Node, bool] = {}
    for other in others:
        for each, truth in given:
            value = truth if each is other else _by_comparison(each, truth, other)
            if value is not None:
                found[other] = value
    return found


def _by_comparison(given: Node, holds: bool, other: Node) -> bool | None:
    """From one comparison to another; one of floats that does not hold says nothing, since they may be NaN."""
    if given.kind != "compare" or other.kind != "compare":
        return None
    if not holds:
        # Integers are ordered; of floats, not equal is the opposite of equal.
        opposite = {"eq": "ne", "ne": "eq"}.get(given.name)
        return SAME_ORDER[opposite].get(other.name) if opposite and set(given.args) == set(other.args) else None
    if given.args == other.args:
        return SAME_ORDER[given.name].get(other.name)
    if given.args == other.args[::-1]:
        return OTHER_ORDER[given.name].get(other.name)
    return _by_constants(given, other)


def _by_constants(given: Node, other: Node) -> bool | None:
    """x < 1 says that x < 2, and that x > 2 does not hold."""
    if given.name not in ("lt", "le") or other.name not in ("lt", "le"):
        return None
    (a, b), (c, d) = given.args, other.args
    if a is c and b.kind == d.kind == "constant":
        return True if _is_less(b, d, given.name == "lt" or other.name == "le") else None
    if b is d and a.kind == c.kind == "constant":
        return True if _is_less(c, a, given.name == "lt" or other.name == "le") else None
    if a is d and b.kind == c.kind == "constant":
        return False if _is_less(b, c, given.name == "lt" or other.name == "lt") else None
    if b is c and a.kind == d.kind == "constant":
        return False if _is_less(d, a, given.name == "lt" or other.name == "lt") else None
    return None


def _is_less(a: Node, b: Node, or_equal: bool) -> bool:
    return COMPARISONS["le" if or_equal else "lt"](a.constant, b.constant)


def facts_in_arm(g: Graph, condition: Node, holds: bool) -> Iterator[tuple[Node, frozenset[str]]]:
    """Values that are positive, not negative or not zero where a condition holds, with earlier facts on them."""
    for each, truth in known(condition, holds):
        if each.kind == "compare" and each.args[0].is_float:
            for value, found in _facts_of_comparison(g, each, truth):
                if not found <= facts(value) and value.kind != "constant":
                    yield value, found | facts(value)


def _facts_of_comparison(g: Graph, compared: Node, holds: bool) -> Iterator[tuple[Node, frozenset[str]]]:
    a, b = compared.args
    if compared.name in ("eq", "ne"):
        if holds == (compared.name == "ne"):
            for value, bound in ((a, b), (b, a)):
                if bound.kind == "constant" and bound.constant == 0:
                    yield value, NOT_ZERO
        return
    if not holds:
        # Not a < b is b <= a, unless one is NaN.
        if not g.allows("nnan"):
            return
        a, b, strictly = b, a, compared.name == "le"
    else:
        strictly = compared.name == "lt"
    if a.kind == "constant" and a.constant >= 0:
        yield b, POSITIVE if strictly or a.constant > 0 else NOT_NEGATIVE
    if b.kind == "constant" and (b.constant < 0 or (b.constant == 0 and strictly)):
        yield a, NOT_ZERO
