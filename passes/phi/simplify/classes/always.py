"""Class S: rules that change no bit of a result, or only bits that every implementation of a function keeps."""

from __future__ import annotations

from tapeless.passes.phi.graph.branches import connect, gamma, is_lazy, negation
from tapeless.passes.phi.graph.elementary import function
from tapeless.passes.phi.graph.graph import Graph
from tapeless.passes.phi.graph.nodes import Node
from tapeless.passes.phi.graph.products import raised
from tapeless.passes.phi.graph.sums import negate, scaled_term
from tapeless.passes.phi.graph.walk import inside
from tapeless.passes.phi.simplify.match import is_function
from tapeless.passes.phi.simplify.rule import Rule

EVEN = ("cos", "cosh", "abs")
ODD = ("sin", "tan", "sinh", "tanh", "asin", "atan", "asinh", "atanh", "erf", "cbrt")
WHOLE = ("floor", "ceil", "trunc")
TOTAL = ("constant", "symbol", "sum", "product", "function", "compare", "logic", "gamma")
OPPOSITE = {"and": "or", "or": "and"}


def even_function(g: Graph, node: Node) -> Node | None:
    """cos(-x) = cos(x)"""
    if not is_function(node, *EVEN) or scaled_term(node.args[0])[0] >= 0:
        return None
    return function(g, node.name, negate(g, node.args[0]))


def odd_function(g: Graph, node: Node) -> Node | None:
    """sin(-x) = -sin(x)"""
    if not is_function(node, *ODD) or scaled_term(node.args[0])[0] >= 0:
        return None
    return negate(g, function(g, node.name, negate(g, node.args[0])))


def repeated_function(g: Graph, node: Node) -> Node | None:
    """||x|| = |x|, floor(floor(x)) = floor(x), max(x, max(x, y)) = max(x, y)"""
    if is_function(node, "max", "min"):
        for one, other in (node.args, node.args[::-1]):
            if is_function(other, node.name) and one in other.args:
                return other
    if is_function(node, "abs", "sign") and is_function(node.args[0], node.name):
        return node.args[0]
    return node.args[0] if is_function(node, *WHOLE) and is_function(node.args[0], *WHOLE) else None


def small_power(g: Graph, node: Node) -> Node | None:
    """pow(x, 0) = 1, pow(x, 1) = x, pow(x, 2) = x * x, pow(x, -1) = 1 / x"""
    if not is_function(node, "pow") or node.args[1].kind != "constant" or node.args[1].constant not in (0, 1, 2, -1):
        return None
    return raised(g, node.args[0], node.args[1].constant)


def opposite_comparison(g: Graph, node: Node) -> Node | None:
    """not (a == b) is a != b; for integers also not (a < b) is b <= a"""
    if node.name != "not" or node.args[0].kind != "compare":
        return None
    compared = node.args[0]
    a, b = compared.args
    if compared.name in ("eq", "ne"):
        return g.node("compare", node.type, (a, b), ("ne" if compared.name == "eq" else "eq",))
    if a.is_float:
        return None
    return g.node("compare", node.type, (b, a), ("le" if compared.name == "lt" else "lt",))


def de_morgan(g: Graph, node: Node) -> Node | None:
    """not (not a and not b) is a or b"""
    if node.name != "not" or node.args[0].kind != "logic" or node.args[0].name not in OPPOSITE:
        return None
    inner = node.args[0]
    if not all(_is_negated(arg) for arg in inner.args):
        return None
    return connect(g, OPPOSITE[inner.name], *(negation(g, arg) for arg in inner.args))


def absorption(g: Graph, node: Node) -> Node | None:
    """a and (a or b) is a; a and (a and b) is a and b; a or (not a and b) is a or b"""
    if node.name not in OPPOSITE:
        return None
    for one, other in (node.args, node.args[::-1]):
        if other.kind != "logic" or other.name not in OPPOSITE:
            continue
        if one in other.args:
            return one if other.name != node.name else other
        left, right = other.args
        for same, rest in ((left, right), (right, left)):
            if negation(g, same) is one and other.name != node.name:
                return connect(g, node.name, one, rest)
    return None


def nested_merge(g: Graph, node: Node) -> Node | None:
    """gamma(c, gamma(d, a, b), b) = gamma(c and d, a, b); gamma(c, a, gamma(d, a, b)) = gamma(c or d, a, b)"""
    condition, then, otherwise = node.args
    if then.kind == "gamma" and otherwise in then.args[1:]:
        inner = then.args[0] if then.args[2] is otherwise else negation(g, then.args[0])
        kept = then.args[1] if then.args[2] is otherwise else then.args[2]
        both = connect(g, "and", condition, inner)
        return gamma(g, both, kept, otherwise, lazy=is_lazy(node) or is_lazy(then)) if _may_move(inner) else None
    if otherwise.kind == "gamma" and then in otherwise.args[1:]:
        inner = otherwise.args[0] if otherwise.args[1] is then else negation(g, otherwise.args[0])
        kept = otherwise.args[2] if otherwise.args[1] is then else otherwise.args[1]
        either = connect(g, "or", condition, inner)
        return gamma(g, either, then, kept, lazy=is_lazy(node) or is_lazy(otherwise)) if _may_move(inner) else None
    return None


def _may_move(condition: Node) -> bool:
    """Whether a condition may be computed where it was not asked for: no element may be outside of its array."""
    return all(node.kind in TOTAL for node in inside([condition]))


def _is_negated(node: Node) -> bool:
    return (node.kind == "logic" and node.name == "not") or (node.kind == "compare" and node.name in ("eq", "ne"))


ALWAYS = (
    Rule("even function", "function", even_function),
    Rule("odd function", "function", odd_function),
    Rule("repeated function", "function", repeated_function),
    Rule("small power", "function", small_power),
    Rule("opposite comparison", "logic", opposite_comparison),
    Rule("de Morgan", "logic", de_morgan),
    Rule("absorption", "logic", absorption),
    Rule("nested merge", "gamma", nested_merge, late=True),
)
