"""Expressions evaluated operation by operation: as floats, with their infinities, and with many digits."""

from __future__ import annotations

import math
import operator
from collections.abc import Collection, Mapping, Sequence
from fractions import Fraction

import mpmath
import numpy as np

from tapeless.passes.phi.graph.branches import COMPARISONS
from tapeless.passes.phi.graph.evaluate import CONNECTIVES
from tapeless.passes.phi.graph.graph import DERIVATIVE
from tapeless.passes.phi.graph.nodes import Node
from tapeless.passes.phi.graph.walk import inside
from tapeless.passes.phi.lower.instructions import selected

DIGITS = 60
TYPES = {"f64": np.float64, "f32": np.float32}
INSTRUCTIONS = {
    "add": operator.add,
    "sub": operator.sub,
    "mul": operator.mul,
    "div": operator.truediv,
    "neg": operator.neg,
    "sqrt": np.sqrt,
}


def floats(roots: Sequence[Node], values: Mapping[Node, float], flags: Collection[str] = DERIVATIVE) -> list[float]:
    """The roots by the instructions that they become, in the floats that they are of: with infinities and NaN."""
    with np.errstate(all="ignore"):
        instructions, symbols = selected(roots, flags)
        found = {symbols[node]: TYPES[node.type](value) for node, value in values.items() if node in symbols}
        for node in inside(instructions):
            if node not in found:
                found[node] = _FLOATS[node.kind](node, [found[arg] for arg in node.args])
        return [float(found[each]) for each in instructions]


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


def ulps(value: float, reference: mpmath.mpf, type_: str = "f64") -> float:
    """The distance in units in the last place of the reference."""
    with np.errstate(all="ignore"):
        rounded = TYPES[type_](float(reference))
        if not np.isfinite(rounded):
            return 0.0 if value == rounded else math.inf
        return float(abs(mpmath.mpf(value) - reference) / mpmath.mpf(float(np.spacing(abs(rounded)))))


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
    # Functions of shorter floats are as good as rounded ones.
    wide = [np.float64(each) for each in args]
    return TYPES[node.type]((special.get(node.name) or getattr(np, node.name))(*wide))


def _choice(node, args):
    return args[1] if args[0] else args[2]


def _instruction(node, args):
    return INSTRUCTIONS[node.name](*args)


def _compare(node, args):
    if node.name.startswith("not "):
        return not COMPARISONS[node.name.removeprefix("not ")](*args)
    return COMPARISONS[node.name](*args)


_FLOATS = {
    "constant": lambda node, args: TYPES[node.type](node.constant) if node.is_float else bool(node.constant),
    "instruction": _instruction,
    "function": _float_function,
    "compare": _compare,
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
