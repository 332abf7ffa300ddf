"""Partial derivatives of the scalar functions of `math` and `soac.fn`.

Rules reuse the result `y` where that saves a function call. Kinks: abs'(0) = 0; x**y at 0 as the table in
docs/differentiation.md says; the derivative of floor, ceil, round, trunc and sign is 0.
"""

from __future__ import annotations

from tapeless.passes.rules.arithmetic import Rule
from tapeless.passes.rules.expr import (
    LN2,
    LN10,
    TWO_OVER_SQRT_PI,
    Expr,
    Term,
    choose,
    cos,
    cosh,
    exp,
    log,
    power,
    sin,
    sinh,
    special,
    sqrt,
)

Partials = tuple[Term, ...]


def flat(x: Expr, y: Expr) -> Partials:
    return (0.0,)


def exponential(x: Expr, y: Expr) -> Partials:
    return (y,)


def exponential2(x: Expr, y: Expr) -> Partials:
    return (y * LN2,)


def exponential_minus_1(x: Expr, y: Expr) -> Partials:
    return (y + 1.0,)


def logarithm(x: Expr, y: Expr) -> Partials:
    return (1.0 / x,)


def logarithm2(x: Expr, y: Expr) -> Partials:
    return (1.0 / (x * LN2),)


def logarithm10(x: Expr, y: Expr) -> Partials:
    return (1.0 / (x * LN10),)


def logarithm_plus_1(x: Expr, y: Expr) -> Partials:
    return (1.0 / (x + 1.0),)


def square_root(x: Expr, y: Expr) -> Partials:
    return (0.5 / y,)


def reciprocal_square_root(x: Expr, y: Expr) -> Partials:
    return (y / x * -0.5,)


def cube_root(x: Expr, y: Expr) -> Partials:
    return (1.0 / (y * y * 3.0),)


def sine(x: Expr, y: Expr) -> Partials:
    return (cos(x),)


def cosine(x: Expr, y: Expr) -> Partials:
    return (-sin(x),)


def tangent(x: Expr, y: Expr) -> Partials:
    return (y * y + 1.0,)


def arc_sine(x: Expr, y: Expr) -> Partials:
    return (1.0 / sqrt((1.0 - x) * (x + 1.0)),)


def arc_cosine(x: Expr, y: Expr) -> Partials:
    return (-1.0 / sqrt((1.0 - x) * (x + 1.0)),)


def arc_tangent(x: Expr, y: Expr) -> Partials:
    return (1.0 / (x * x + 1.0),)


def arc_tangent2(a: Expr, b: Expr, y: Expr) -> Partials:
    square = a * a + b * b
    return b / square, -a / square


def hyperbolic_sine(x: Expr, y: Expr) -> Partials:
    return (cosh(x),)


def hyperbolic_cosine(x: Expr, y: Expr) -> Partials:
    return (sinh(x),)


def hyperbolic_tangent(x: Expr, y: Expr) -> Partials:
    return ((1.0 - y) * (y + 1.0),)


def area_sine(x: Expr, y: Expr) -> Partials:
    return (1.0 / sqrt(x * x + 1.0),)


def area_cosine(x: Expr, y: Expr) -> Partials:
    return (1.0 / sqrt((x - 1.0) * (x + 1.0)),)


def area_tangent(x: Expr, y: Expr) -> Partials:
    return (1.0 / ((1.0 - x) * (x + 1.0)),)


def error_function(x: Expr, y: Expr) -> Partials:
    return (TWO_OVER_SQRT_PI * exp(-(x * x)),)


def error_function_complement(x: Expr, y: Expr) -> Partials:
    return (-TWO_OVER_SQRT_PI * exp(-(x * x)),)


def absolute(x: Expr, y: Expr) -> Partials:
    return (special("sign", x),)


def copy_sign(x: Expr, s: Expr, y: Expr) -> Partials:
    same = x.compare("eq", y)
    return choose(same, 1.0, -1.0, x), 0.0


def power_function(x: Expr, p: Expr, y: Expr) -> Partials:
    """d/dx is 0 at x = 0 when p < 1 and d/dp is 0 when x <= 0, so that no kink gives NaN."""
    at_kink = x.both(x.compare("eq", 0.0), p.compare("lt", 1.0))
    slope = p * power(x, p - 1.0)
    positive = x.compare("gt", 0.0)
    safe = choose(positive, x, 1.0, x)
    return choose(at_kink, 0.0, slope, x), choose(positive, y * log(safe), 0.0, x)


def fused_multiply_add(a: Expr, b: Expr, c: Expr, y: Expr) -> Partials:
    return b, a, 1.0


def sigmoid(x: Expr, y: Expr) -> Partials:
    return (y * (1.0 - y),)


def softplus(x: Expr, y: Expr) -> Partials:
    return (special("sigmoid", x),)


def log_gamma(x: Expr, y: Expr) -> Partials:
    return (special("digamma", x),)


def digamma(x: Expr, y: Expr) -> Partials:
    return (special("trigamma", x),)


def inverse_error_function(x: Expr, y: Expr) -> Partials:
    return (exp(y * y) * (1.0 / TWO_OVER_SQRT_PI),)


def rounding_to_fewer_digits(x: Expr, y: Expr) -> Partials:
    """A conversion changes the type and not the number: its slope is one."""
    return (1.0,)


def hypotenuse(a: Expr, b: Expr, y: Expr) -> Partials:
    at_origin = y.compare("eq", 0.0)
    safe = choose(at_origin, 1.0, y, y)
    return a / safe, b / safe


FUNCTIONS: dict[str, Rule] = {
    "math.exp": exponential,
    "math.exp2": exponential2,
    "math.expm1": exponential_minus_1,
    "math.log": logarithm,
    "math.log2": logarithm2,
    "math.log10": logarithm10,
    "math.log1p": logarithm_plus_1,
    "math.sqrt": square_root,
    "math.rsqrt": reciprocal_square_root,
    "math.cbrt": cube_root,
    "math.sin": sine,
    "math.cos": cosine,
    "math.tan": tangent,
    "math.asin": arc_sine,
    "math.acos": arc_cosine,
    "math.atan": arc_tangent,
    "math.atan2": arc_tangent2,
    "math.sinh": hyperbolic_sine,
    "math.cosh": hyperbolic_cosine,
    "math.tanh": hyperbolic_tangent,
    "math.asinh": area_sine,
    "math.acosh": area_cosine,
    "math.atanh": area_tangent,
    "math.erf": error_function,
    "math.erfc": error_function_complement,
    "math.absf": absolute,
    "math.copysign": copy_sign,
    "math.powf": power_function,
    "math.fma": fused_multiply_add,
    "math.floor": flat,
    "math.ceil": flat,
    "math.trunc": flat,
    "math.round": flat,
    "math.roundeven": flat,
}

SPECIAL_FUNCTIONS: dict[str, Rule] = {
    "sigmoid": sigmoid,
    "softplus": softplus,
    "sign": flat,
    "lgamma": log_gamma,
    "digamma": digamma,
    "erfinv": inverse_error_function,
    "round_f16": rounding_to_fewer_digits,
    "round_bf16": rounding_to_fewer_digits,
    "hypot": hypotenuse,
}
