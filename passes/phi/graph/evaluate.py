"""An interpreter of expressions in plain floats, by which segments check their derivatives."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from statistics import NormalDist
from typing import Any

from tapeless.half_floats import rounded_half
from tapeless.passes.phi.graph.branches import COMPARISONS
from tapeless.passes.phi.graph.contents import inside
from tapeless.passes.phi.graph.evaluate_loops import LOOPS, Value
from tapeless.passes.phi.graph.nodes import FLOATS, Body, Node


def _sign(x: float) -> float:
    return (x > 0) - (x < 0) + 0.0


def _sigmoid(x: float) -> float:
    return 1.0 / (1.0 + math.exp(-x)) if x > -700 else 0.0


def _softplus(x: float) -> float:
    return max(x, 0.0) + math.log1p(math.exp(-abs(x)))


def _erfinv(x: float) -> float:
    """By the quantiles of the normal distribution, from the end that is nearer."""
    if abs(x) >= 1.0:
        return math.copysign(math.inf, x) if abs(x) == 1.0 else math.nan
    return math.copysign(NormalDist().inv_cdf((1.0 - abs(x)) / 2.0) / math.sqrt(2.0), x)


def _digamma(x: float) -> float:
    """By the recurrence up to where the asymptotic series is exact."""
    if x < 0:
        return _digamma(1.0 - x) - math.pi / math.tan(math.pi * x)
    shift = 0.0
    while x < 12.0:
        shift, x = shift - 1.0 / x, x + 1.0
    square = 1.0 / (x * x)
    return shift + math.log(x) - 0.5 / x - square * (1 / 12 - square * (1 / 120 - square * (1 / 252 - square / 240)))


def _trigamma(x: float) -> float:
    if x < 0:
        return (math.pi / math.sin(math.pi * x)) ** 2 - _trigamma(1.0 - x)
    shift = 0.0
    while x < 12.0:
        shift, x = shift + 1.0 / (x * x), x + 1.0
    square = 1.0 / (x * x)
    series = 1 / 6 - square * (1 / 30 - square * (1 / 42 - square / 30))
    return shift + 1.0 / x + 0.5 * square + square / x * series


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
    "rsqrt": lambda x: 1.0 / math.sqrt(x),
    "rem": math.fmod,
    "max": max,
    "min": min,
    "maxnum": max,
    "minnum": min,
    "round": lambda x: math.copysign(math.floor(abs(x) + 0.5), x),
    "roundeven": lambda x: float(round(x)),
    "floor": lambda x: float(math.floor(x)),
    "ceil": lambda x: float(math.ceil(x)),
    "trunc": lambda x: float(math.trunc(x)),
    "sign": _sign,
    "digamma": _digamma,
    "erfinv": _erfinv,
    "round_f16": lambda x: rounded_half(x, "f16"),
    "round_bf16": lambda x: rounded_half(x, "bf16"),
    "trigamma": _trigamma,
    "sigmoid": _sigmoid,
    "softplus": _softplus,
    "cast": lambda x: x,
}
CONNECTIVES: dict[str, Callable[..., bool]] = {
    "not": lambda a: not a,
    "and": lambda a, b: a and b,
    "or": lambda a, b: a or b,
    "xor": lambda a, b: a != b,
}


def evaluated(roots: Sequence[Node], values: Mapping[Node, Value]) -> list[Any]:
    """The roots for given symbols; not a number where something is undefined. Arrays are sequences of numbers."""
    found: dict[Node, Value] = dict(values)
    for node in inside(roots):
        if node not in found:
            args = [found[arg] for arg in node.args]
            try:
                found[node] = _loop(node, args, values) if node.kind == "loop" else EVALUATE[node.kind](node, args)
            except (ValueError, OverflowError, ZeroDivisionError):
                found[node] = math.nan
    return [found[root] for root in roots]


def _loop(node: Node, args: list[Any], values: Mapping[Node, Value]) -> Value:
    def run(body: Body, given: Sequence[Value]) -> list[Value]:
        return evaluated(body.results, {**values, **dict(zip(body.parameters, given, strict=True))})

    return LOOPS[node.name](node, args, run)


def _sum(node: Node, args: list[Any]) -> Value:
    if node.type not in FLOATS:
        return sum(int(c) * x for c, x in zip(node.coefficients, args, strict=True)) + int(node.constant)
    return math.fsum([*(float(c) * x for c, x in zip(node.coefficients, args, strict=True)), float(node.constant)])


def _product(node: Node, args: list[Any]) -> Value:
    return math.prod(
        (x ** int(e) if e == int(e) else math.pow(x, float(e))) for x, e in zip(args, node.exponents, strict=True)
    )


def _element(node: Node, args: list[Any]) -> Value:
    array, *indices = args
    for index in indices:
        if not 0 <= index < len(array):
            return math.nan
        array = array[index]
    return array


def _size(node: Node, args: list[Any]) -> Value:
    array = args[0]
    for _ in range(int(str(node.data[0]))):
        array = array[0]
    return len(array)


EVALUATE: dict[str, Callable[[Node, list[Any]], Value]] = {
    "constant": lambda node, args: float(node.constant) if node.type in FLOATS else int(node.constant),
    "sum": _sum,
    "product": _product,
    "function": lambda node, args: FUNCTIONS[node.name](*args),
    "compare": lambda node, args: COMPARISONS[node.name](*args),
    "logic": lambda node, args: CONNECTIVES[node.name](*args),
    "barrier": lambda node, args: args[0],
    "gamma": lambda node, args: args[1] if args[0] else args[2],
    "element": _element,
    "size": _size,
    "part": lambda node, args: args[0][node.data[0]],
}
