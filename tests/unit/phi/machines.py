"""Expressions evaluated operation by operation: as floats of 64 bits, with their infinities, and with many digits."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from fractions import Fraction

import mpmath
import numpy as np

from tapeless.passes.phi.graph.branches import COMPARISONS
from tapeless.passes.phi.graph.evaluate import CONNECTIVES
from tapeless.passes.phi.graph.nodes import Node
from tapeless.passes.phi.graph.walk import inside

DIGITS = 60


def floats(roots: Sequence[Node], values: Mapping[Node, float]) -> list[float]:
    """The roots in floats: infinities and NaN where the machine has them."""
    with np.errstate(all="ignore"):
        found = {node: np.float64(value) for node, value in values.items()}
        for node in inside(roots):
            if node not in found:
                found[node] = _FLOATS[node.kind](node, [found[arg] for arg in node.args])
        return [float(found[root]) for root in roots]


def exact(roots: Sequence[Node], values: Mapping[Node, float]) -> list[mpmath.mpf]:
    """The roots with many digits; NaN where something is not defined."""
    with mpmath.workdps(DIGITS):
        found = {node: mpmath.mpf(value) for node, value in values.items()}
        for node in inside(roots):
            if node not in found:
                args = [found[arg] for arg in node.args]
                try:
                    value = _EXACT[node.kind](node, args)
                except (ZeroDivisionError, ValueError, OverflowError):
                    value = mpmath.nan
                found[node] = mpmath.nan if isinstance(value, mpmath.mpc) else value
        return [found[root] for root in roots]


def ulps(value: float, reference: mpmath.mpf) -> float:
    """The distance in units in the last place of the reference."""
    rounded = float(reference)
    if not math.isfinite(rounded):
        return 0.0 if value == rounded else math.inf
    return float(abs(mpmath.mpf(value) - reference) / mpmath.mpf(math.ulp(rounded)))


def _float_sum(node, args):
    total = None
    for factor, x in zip(node.coefficients, args, strict=True):
        part = x if factor == 1 else np.float64(factor) * x
        total = part if total is None else total + part
    return total + np.float64(node.constant) if node.constant != 0 else total


def _float_product(node, args):
    above, below = None, None
    for x, exponent in zip(args, node.exponents, strict=True):
        power = np.float64(1.0)
        for _ in range(int(abs(exponent))):
            power = power * x
        if exponent != int(exponent):
            power = power * np.sqrt(x)
        if exponent > 0:
            above = power if above is None else above * power
        else:
            below = power if below is None else below * power
    above = np.float64(1.0) if above is None else above
    return above if below is None else above / below


def _float_sigmoid(x):
    small = np.exp(-np.abs(x))
    return 1.0 / (1.0 + small) if x >= 0 else small / (1.0 + small)


def _float_function(node, args):
    special = {
        "sigmoid": _float_sigmoid,
        "softplus": lambda x: np.maximum(x, 0.0) + np.log1p(np.exp(-np.abs(x))),
        "erf": lambda x: np.float64(math.erf(x)),
        "max": np.maximum,
        "min": np.minimum,
        "pow": np.power,
        "asin": np.arcsin,
        "acos": np.arccos,
        "atan": np.arctan,
        "asinh": np.arcsinh,
        "atanh": np.arctanh,
        "sign": np.sign,
    }
    return (special.get(node.name) or getattr(np, node.name))(*args)


def _choice(node, args):
    return args[1] if args[0] else args[2]


_FLOATS = {
    "constant": lambda node, args: np.float64(node.constant),
    "sum": _float_sum,
    "product": _float_product,
    "function": _float_function,
    "compare": lambda node, args: COMPARISONS[node.name](*args),
    "logic": lambda node, args: CONNECTIVES[node.name](*args),
    "gamma": _choice,
}


def _many(value):
    if isinstance(value, Fraction):
        return mpmath.mpf(value.numerator) / value.denominator
    return mpmath.mpf(value)


def _exact_function(node, args):
    special = {
        "sigmoid": lambda x: 1 / (1 + mpmath.exp(-x)),
        "softplus": lambda x: mpmath.log(1 + mpmath.exp(x)),
        "abs": abs,
        "max": max,
        "min": min,
        "pow": mpmath.power,
        "cbrt": lambda x: mpmath.sign(x) * mpmath.cbrt(abs(x)),
        "trunc": lambda x: mpmath.sign(x) * mpmath.floor(abs(x)),
    }
    if node.name in ("max", "min") and any(mpmath.isnan(each) for each in args):
        return mpmath.nan
    return (special.get(node.name) or getattr(mpmath, node.name))(*args)


def _exact_product(node, args):
    result = mpmath.mpf(1)
    for x, exponent in zip(args, node.exponents, strict=True):
        result *= mpmath.power(x, _many(exponent)) if exponent != 0 else 1
    return result


_EXACT = {
    "constant": lambda node, args: _many(node.constant),
    "sum": lambda node, args: sum(
        (_many(c) * x for c, x in zip(node.coefficients, args, strict=True)), _many(node.constant)
    ),
    "product": _exact_product,
    "function": _exact_function,
    "compare": lambda node, args: COMPARISONS[node.name](*args),
    "logic": lambda node, args: CONNECTIVES[node.name](*args),
    "gamma": _choice,
}
