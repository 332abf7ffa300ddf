"""The value of expressions at numbers, in plain floats: what segments check their derivatives with."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence

from tapeless.passes.phi.graph.branches import COMPARISONS
from tapeless.passes.phi.graph.nodes import Node
from tapeless.passes.phi.graph.walk import inside

Value = float


def _sign(x: float) -> float:
    return (x > 0) - (x < 0) + 0.0


def _sigmoid(x: float) -> float:
    return 1.0 / (1.0 + math.exp(-x)) if x > -700 else 0.0


def _softplus(x: float) -> float:
    return max(x, 0.0) + math.log1p(math.exp(-abs(x)))


FUNCTIONS: dict[str, Callable[..., float]] = {
    **{
        name: getattr(math, name)
        for name in ("exp", "log", "sin", "cos", "tan", "sinh", "cosh", "tanh", "asin", "acos")
    },
    **{
        name: getattr(math, name) for name in ("atan", "erf", "erfc", "log1p", "expm1", "pow", "atan2", "hypot", "cbrt")
    },
    **{
        name: getattr(math, name) for name in ("asinh", "acosh", "atanh", "exp2", "log2", "log10", "lgamma", "copysign")
    },
    "abs": abs,
    "max": max,
    "min": min,
    "floor": lambda x: float(math.floor(x)),
    "ceil": lambda x: float(math.ceil(x)),
    "trunc": lambda x: float(math.trunc(x)),
    "sign": _sign,
    "sigmoid": _sigmoid,
    "softplus": _softplus,
}
CONNECTIVES: dict[str, Callable[..., bool]] = {
    "not": lambda a: not a,
    "and": lambda a, b: a and b,
    "or": lambda a, b: a or b,
    "xor": lambda a, b: a != b,
}


def evaluated(roots: Sequence[Node], values: Mapping[Node, Value]) -> list[Value]:
    """The roots for given symbols; not a number where something is undefined."""
    found: dict[Node, Value] = dict(values)
    for node in inside(roots):
        if node not in found:
            args = [found[arg] for arg in node.args]
            try:
                found[node] = EVALUATE[node.kind](node, args)
            except (ValueError, OverflowError, ZeroDivisionError):
                found[node] = math.nan
    return [found[root] for root in roots]


def _sum(node: Node, args: list[Value]) -> Value:
    return math.fsum([*(float(c) * x for c, x in zip(node.coefficients, args, strict=True)), float(node.constant)])


def _product(node: Node, args: list[Value]) -> Value:
    return math.prod(x ** (int(e) if e == int(e) else float(e)) for x, e in zip(args, node.exponents, strict=True))


EVALUATE: dict[str, Callable[[Node, list[Value]], Value]] = {
    "constant": lambda node, args: float(node.constant),
    "sum": _sum,
    "product": _product,
    "function": lambda node, args: FUNCTIONS[node.name](*args),
    "compare": lambda node, args: COMPARISONS[node.name](*args),
    "logic": lambda node, args: CONNECTIVES[node.name](*args),
    "gamma": lambda node, args: args[1] if args[0] else args[2],
}
