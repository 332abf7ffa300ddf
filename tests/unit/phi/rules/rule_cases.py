"""For every rule an expression that it rewrites, and what its symbols may be."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from tapeless.passes.phi.differentiate.symbolic import Symbolic
from tapeless.passes.phi.graph.branches import compare, connect, gamma, negation
from tapeless.passes.phi.graph.elementary import function
from tapeless.passes.phi.graph.facts import NOT_NEGATIVE, POSITIVE
from tapeless.passes.phi.graph.graph import Graph
from tapeless.passes.phi.graph.nodes import Node
from tapeless.passes.phi.graph.numbers import number
from tapeless.passes.phi.graph.products import raised

ANY = (0.3, -0.7, 1.5, 2.25, -3.1, 0.0, -0.0, 1.0, -1.0, 1e-8, -1e-8, 30.0, -30.0, 700.0, -800.0, 1e8, 1e30, 1e-30)
POSITIVE_ONLY = (0.3, 1.5, 2.25, 1.0, 1e-8, 30.0, 700.0, 1e8, 1e30, 1e-30)
MODERATE = (0.3, -0.7, 1.5, 2.25, -3.1, 0.0, -0.0, 1.0, -1.0, 1e-8, -1e-8, 3.0, -6.0)
# Multiplied by themselves several times, and still in range.
POINTS = {
    "any": ANY,
    "positive": POSITIVE_ONLY,
    "not negative": (0.0, *POSITIVE_ONLY),
    "moderate": MODERATE,
    "moderate, not negative": tuple(each for each in MODERATE if each >= 0),
}
FACTS = {"positive": POSITIVE, "not negative": NOT_NEGATIVE}

Build = Callable[[Symbolic, Symbolic, Symbolic], Symbolic]


@dataclass(frozen=True)
class Case:
    """An expression of x, y, z; `values` says which numbers they are, `told` what the graph knows of them."""

    build: Build
    values: str = "any"
    told: str = ""
    more_flags: frozenset[str] = frozenset()
    unless_cheaper: bool = field(default=False)


def expression(case: Case, flags: frozenset[str], type_: str = "f64") -> tuple[Graph, Node, list[Node]]:
    """The expression in a graph with these flags, and its symbols."""
    g = Graph(flags)
    symbols = [g.symbol(name, type_, FACTS.get(case.told, frozenset())) for name in "xyz"]
    return g, case.build(*(Symbolic(g, each) for each in symbols)).node, symbols


def fn(name: str, *args: Symbolic) -> Symbolic:
    return Symbolic(args[0].graph, function(args[0].graph, name, *(each.node for each in args)))


def sqrt(x: Symbolic) -> Symbolic:
    return power(x, 0.5)


def power(x: Symbolic, exponent: float) -> Symbolic:
    return Symbolic(x.graph, raised(x.graph, x.node, number(exponent)))


def to(x: Symbolic, y: Symbolic | float) -> Symbolic:
    return fn("pow", x, Symbolic(x.graph, x.lift(y)))


def when(condition: Node, then: Symbolic | float, otherwise: Symbolic | float, like: Symbolic) -> Symbolic:
    return Symbolic(like.graph, gamma(like.graph, condition, like.lift(then), like.lift(otherwise)))


def less(a: Symbolic, b: Symbolic | float) -> Node:
    return compare(a.graph, "lt", a.node, a.lift(b))


def relation(name: str, a: Symbolic, b: Symbolic | float) -> Node:
    return compare(a.graph, name, a.node, a.lift(b))


def no(x: Symbolic, a: Node) -> Node:
    return negation(x.graph, a)


def logic(x: Symbolic, name: str, a: Node, b: Node) -> Node:
    return connect(x.graph, name, a, b)


def _de_morgan(x, y, z):
    neither = no(x, logic(x, "and", no(x, less(x, y)), no(x, less(y, z))))
    return when(logic(x, "and", neither, less(z, x)), x, y, x)


def _e(x):
    return fn("exp", x)


CASES: dict[str, Case] = {
    "even function": Case(lambda x, y, z: fn("cos", -x)),
    "odd function": Case(lambda x, y, z: fn("sin", -x)),
    "repeated function": Case(lambda x, y, z: fn("max", x, fn("max", y, x))),
    "small power": Case(lambda x, y, z: to(x, 2.0) + to(y, -1.0)),
    "opposite comparison": Case(
        lambda x, y, z: when(logic(x, "and", no(x, relation("eq", x, y)), less(x, z)), x, y, x)
    ),
    "de Morgan": Case(_de_morgan),
    "absorption": Case(
        lambda x, y, z: when(logic(x, "and", less(x, y), logic(x, "or", less(x, y), less(y, z))), x, y, x)
    ),
    "nested merge": Case(lambda x, y, z: when(less(x, y), when(less(y, z), x, z, x), z, x)),
    "known condition": Case(lambda x, y, z: when(less(x, y), fn("sin", when(relation("le", x, y), x, z, x)), z, x)),
    "facts of a condition": Case(
        lambda x, y, z: when(relation("gt", x, 0.0), fn("abs", x) * y, y, x), more_flags=frozenset({"nsz"})
    ),
    "common terms of arms": Case(lambda x, y, z: when(less(x, y), fn("sin", x) + z, fn("cos", y) + z, x)),
    "common factors of arms": Case(
        lambda x, y, z: when(less(x, y), fn("sin", x) * z, fn("cos", y) * z, x), more_flags=frozenset({"reassoc"})
    ),
    "common function of arms": Case(lambda x, y, z: when(less(x, y), fn("sin", x), fn("sin", z), x)),
    "same condition in a sum": Case(
        lambda x, y, z: when(less(x, y), x, y, x) - when(less(x, y), x - z, y - z, x),
        more_flags=frozenset({"reassoc", "nsz"}),
    ),
    "same condition in a product": Case(lambda x, y, z: when(less(x, y), x, 1.0, x) * when(less(x, y), 1.0, y, x)),
    "same condition in a function": Case(
        lambda x, y, z: fn("max", when(less(x, y), x, y, x), when(less(x, y), x, y - z, x))
    ),
    "sum into arms": Case(
        lambda x, y, z: when(less(x, y), fn("sin", x) - z, 1.0, x) + z, more_flags=frozenset({"reassoc", "nsz"})
    ),
    "product into arms": Case(
        lambda x, y, z: when(less(x, y), 1.0 / fn("exp", x), 1.0, x) * fn("exp", x) * 3.0,
        "moderate",
        more_flags=frozenset({"reassoc", "arcp"}),
    ),
    "function into arms": Case(lambda x, y, z: fn("abs", when(less(x, y), -2.0, 3.0, x))),
    "negated sum": Case(lambda x, y, z: -(x - y)),
    "complementary arms": Case(lambda x, y, z: when(less(x, y), z, 0.0, x) + when(less(x, y), 0.0, y, x)),
    "absolute value of what is not negative": Case(lambda x, y, z: fn("abs", x * x) + y),
    "zero times finite": Case(lambda x, y, z: when(less(x, y), 1.0, 2.0, x) * Symbolic(x.graph, x.lift(0.0)) + z),
    "selected factor": Case(lambda x, y, z: when(less(x, y), 1.0, 0.0, x) * z),
    "extreme": Case(lambda x, y, z: when(less(x, y), x, y, x)),
    "neutral bound": Case(lambda x, y, z: fn("max", x, Symbolic(x.graph, x.lift(float("-inf")))) + y),
    "absorbed bound": Case(lambda x, y, z: fn("max", x, fn("min", x, y))),
    "sign times value": Case(lambda x, y, z: fn("sign", x) * x * y),
    "compared with itself": Case(lambda x, y, z: when(relation("le", x, x), y, z, x)),
    "distributed": Case(
        lambda x, y, z: fn("exp", x) * (y + 1.0 / fn("exp", x)), "moderate", more_flags=frozenset({"arcp"})
    ),
    "distributed term": Case(lambda x, y, z: x * (y + 1.0) - x * y + z, "moderate"),
    "perfect square": Case(lambda x, y, z: x * x + 2.0 * (x * y) + y * y, "positive"),
    "power by multiplying": Case(lambda x, y, z: to(x, 5.0)),
    "divisor cancels": Case(
        lambda x, y, z: fn("exp", x) / (fn("exp", x) + fn("exp", y)) + fn("exp", y) / (fn("exp", x) + fn("exp", y)) + z,
        "moderate",
    ),
    "one divisor": Case(lambda x, y, z: x / z + y / z, "positive"),
    "root divided out": Case(lambda x, y, z: (x - sqrt(y)) / sqrt(y) + z, "not negative"),
    "product of exponentials": Case(lambda x, y, z: _e(x) * _e(y), "moderate"),
    "inverse functions": Case(lambda x, y, z: fn("log", _e(x)), "moderate"),
    "exponential of logarithm": Case(lambda x, y, z: _e(fn("log", x) + y), "positive", "positive"),
    "logarithm of an exponential factor": Case(lambda x, y, z: fn("log", _e(x) * y), "positive"),
    "logarithm of a power": Case(lambda x, y, z: fn("log", x * x * x) + fn("log", x), "positive"),
    "logarithm of a product": Case(
        lambda x, y, z: fn("log", x * y) + fn("log", x) + fn("log", y), "positive", "positive"
    ),
    "root of a square": Case(lambda x, y, z: sqrt(x * x)),
    "square of a root": Case(lambda x, y, z: sqrt(x) * sqrt(x) * y, "not negative", more_flags=frozenset({"nnan"})),
    "product of roots": Case(lambda x, y, z: sqrt(x) * sqrt(y), "moderate, not negative", "not negative"),
    "base and root": Case(lambda x, y, z: x / sqrt(x), "not negative", more_flags=frozenset({"arcp"})),
    "product of powers": Case(lambda x, y, z: to(x, y) * to(x, z), "moderate", "positive"),
    "power of a power": Case(lambda x, y, z: to(to(x, y), z), "moderate", "positive"),
    "logistic function": Case(lambda x, y, z: y / (1.0 + _e(-x))),
    "exponential times sigmoid": Case(lambda x, y, z: _e(-x) * fn("sigmoid", x) * fn("sigmoid", x), "moderate"),
    "sum of sigmoids": Case(lambda x, y, z: y * fn("sigmoid", x) + y * fn("sigmoid", -x)),
    "complement of a sigmoid": Case(lambda x, y, z: (1.0 - fn("sigmoid", x)) * fn("sigmoid", -x), "moderate"),
    "hyperbolic tangent": Case(lambda x, y, z: (_e(x) - _e(-x)) / (_e(x) + _e(-x)), "moderate", unless_cheaper=True),
    "sum of squares": Case(
        lambda x, y, z: y * fn("sin", x) * fn("sin", x) + y * fn("cos", x) * fn("cos", x), "moderate"
    ),
    "one minus a square": Case(lambda x, y, z: (1.0 - fn("cos", x) * fn("cos", x)) * fn("sin", x), "moderate"),
    "one plus a squared tangent": Case(lambda x, y, z: 1.0 + fn("tan", x) * fn("tan", x), "moderate"),
    "cosine of the double angle": Case(
        lambda x, y, z: fn("cos", x) * fn("cos", x) - fn("sin", x) * fn("sin", x), "moderate"
    ),
    "sine of the double angle": Case(lambda x, y, z: fn("sin", x) * fn("cos", x) * y, "moderate"),
    "addition formula": Case(lambda x, y, z: fn("sin", x) * fn("cos", y) + fn("cos", x) * fn("sin", y), "moderate"),
    "quotient of polynomials": Case(lambda x, y, z: (x * x - 1.0) / (x - 1.0)),
    "square of a root of any sign": Case(lambda x, y, z: sqrt(x) * sqrt(x) * y, "not negative"),
    "logarithm of a quotient": Case(lambda x, y, z: fn("log", x / y) + fn("log", y) + fn("log", x), "positive"),
    "logarithm of one plus": Case(lambda x, y, z: fn("log", 1.0 + _e(x)) + fn("log", 1.0 + y * y)),
    "logarithm of a sigmoid": Case(lambda x, y, z: fn("log", fn("sigmoid", x))),
    "logarithm of exponentials": Case(lambda x, y, z: fn("log", _e(x) + _e(y) + _e(z))),
    "two-sided sigmoid": Case(lambda x, y, z: _e(x) / (1.0 + _e(x)) + y * _e(z) / ((1.0 + _e(z)) * (1.0 + _e(z)))),
    "exponential minus one": Case(lambda x, y, z: _e(x) - 1.0),
    "one minus cosine": Case(lambda x, y, z: 1.0 - fn("cos", x)),
    "one minus a squared tanh": Case(lambda x, y, z: 1.0 - fn("tanh", x) * fn("tanh", x)),
    "difference of squares": Case(lambda x, y, z: x * x - y * y),
    "difference of roots": Case(lambda x, y, z: sqrt(1.0 + x * x) - 1.0),
}
