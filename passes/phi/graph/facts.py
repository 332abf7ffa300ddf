"""Sign analysis: values that are positive, not negative, or not zero."""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache

from tapeless.passes.phi.graph.nodes import Node
from tapeless.passes.phi.graph.numbers import Number, is_integer

POSITIVE = frozenset({"pos", "nonneg", "nonzero"})
NOT_NEGATIVE = frozenset({"nonneg"})
NOT_ZERO = frozenset({"nonzero"})
NOTHING: frozenset[str] = frozenset()

# Values of functions, wherever they are defined. exp and sigmoid may underflow to 0, and are never divided out by it.
FUNCTIONS = {
    "exp": POSITIVE,
    "cosh": POSITIVE,
    "sigmoid": POSITIVE,
    "softplus": POSITIVE,
    "exp2": POSITIVE,
    "erfc": POSITIVE,
    "abs": NOT_NEGATIVE,
    "hypot": NOT_NEGATIVE,
    "acos": NOT_NEGATIVE,
    "acosh": NOT_NEGATIVE,
}
# Functions that are positive, negative and zero where their argument is.
KEEPING_SIGNS = ("tanh", "atan", "erf", "log1p", "expm1", "asin", "asinh", "atanh", "sign", "cbrt", "sinh")
# Functions with values less than one.
BELOW_ONE = ("sigmoid", "tanh", "erf")


@lru_cache(maxsize=65536)
def facts(node: Node) -> frozenset[str]:
    """All known facts; symbols carry those of their segment, as the second part of their data."""
    if node.kind == "constant":
        return _of_number(float(node.constant))
    if node.kind == "symbol":
        return node.data[1] if len(node.data) > 1 else NOTHING  # type: ignore[return-value]
    if node.kind == "function":
        return _of_function(node)
    if node.kind == "product":
        return _of_product(node)
    if node.kind == "sum":
        return _of_sum(node)
    if node.kind == "gamma":
        return facts(node.args[1]) & facts(node.args[2])
    return NOTHING


def has(node: Node, fact: str) -> bool:
    """Whether a fact is known."""
    return fact in facts(node)


def _of_number(value: float) -> frozenset[str]:
    if value > 0:
        return POSITIVE
    return NOT_NEGATIVE if value == 0 else NOT_ZERO if value < 0 else NOTHING


def _of_function(node: Node) -> frozenset[str]:
    if node.name in KEEPING_SIGNS:
        return facts(node.args[0])
    if node.name == "abs":
        return NOT_NEGATIVE | (POSITIVE if has(node.args[0], "nonzero") else NOTHING)
    if node.name in ("max", "min"):
        a, b = (facts(arg) for arg in node.args)
        return (a & b) | (_of_either(a, b) if node.name == "max" else NOTHING)
    if node.name == "pow" and has(node.args[0], "pos"):
        return POSITIVE
    return FUNCTIONS.get(node.name, NOTHING)


def _of_either(a: frozenset[str], b: frozenset[str]) -> frozenset[str]:
    """The facts on the larger of two, if one of them is known."""
    return POSITIVE if "pos" in a | b else (a | b) & NOT_NEGATIVE


def _of_product(node: Node) -> frozenset[str]:
    known = POSITIVE
    for base, exponent in zip(node.args, node.exponents, strict=True):
        inner = facts(base)
        if is_integer(exponent) and int(exponent) % 2 == 0:
            inner |= NOT_NEGATIVE
        elif not is_integer(exponent):
            inner |= NOT_NEGATIVE if isinstance(exponent, Fraction) else NOTHING
        known &= inner | (POSITIVE if {"nonneg", "nonzero"} <= inner else NOTHING)
    return known


def _of_sum(node: Node) -> frozenset[str]:
    """A sum of things that are not negative, with positive coefficients; positive if one of them is."""
    if len(node.args) == 1 and node.constant == 0:
        inner = facts(node.args[0])
        return inner & NOT_ZERO if node.coefficients[0] < 0 else inner if node.coefficients[0] > 0 else NOTHING
    if _is_one_minus_less(node):
        return POSITIVE
    if not node.constant >= 0 or not all(factor > 0 and has(term, "nonneg") for factor, term in _terms(node)):
        return NOTHING
    positive = node.constant > 0 or any(has(term, "pos") for _, term in _terms(node))
    return POSITIVE if positive else NOT_NEGATIVE


def _is_one_minus_less(node: Node) -> bool:
    """Whether a sum is 1 minus something less than 1, as 1 - sigmoid(x): positive, though it may round to 0."""
    if len(node.args) != 1 or node.constant != 1 or abs(node.coefficients[0]) != 1:
        return False
    term, less = node.args[0], node.coefficients[0] < 0
    if term.kind == "function":
        return term.name in BELOW_ONE if less else term.name in ("tanh", "erf")
    if term.kind != "product" or not less:
        return False
    return all(
        base.kind == "function" and base.name in BELOW_ONE and is_integer(exponent) and exponent > 0
        for base, exponent in zip(term.args, term.exponents, strict=True)
    ) or (len(term.args) == 1 and term.exponents[0] < 0 and _is_more_than_one(term.args[0]))


def _is_more_than_one(node: Node) -> bool:
    return (
        node.kind == "sum"
        and node.constant >= 1
        and all(factor > 0 and has(term, "pos") for factor, term in _terms(node))
    )


def _terms(node: Node) -> zip[tuple[Number, Node]]:
    return zip(node.coefficients, node.args, strict=True)
