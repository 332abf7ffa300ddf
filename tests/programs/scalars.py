"""The scalar functions, on scalars and element by element."""

from __future__ import annotations

import math
from statistics import NormalDist

import numpy as np

import tapeless as tl
from programs.program import program


def exponentials(x):
    return tl.exp(x), tl.exp2(x), tl.expm1(x), np.exp(-x)


def logarithms(x):
    return tl.log(x), tl.log2(x), tl.log10(x), tl.log1p(x)


def roots(x):
    return tl.sqrt(x), tl.rsqrt(x), tl.cbrt(x), tl.cbrt(-x)


def circular(x):
    return tl.sin(x), tl.cos(x), tl.tan(x), math.sin(2.0) + np.cos(x)


def inverse_circular(x):
    return tl.asin(x), tl.acos(x), tl.atan(x)


def hyperbolic(x):
    return tl.sinh(x), tl.cosh(x), tl.tanh(x), tl.asinh(x), tl.atanh(x / 3.0), tl.acosh(1.0 + x * x)


def error_functions(x):
    return tl.erf(x), tl.erfc(x)


def normal_quantiles(x):
    return np.sqrt(2.0) * tl.erfinv(2.0 * x - 1.0)


def gamma_functions(x):
    return tl.lgamma(x), tl.digamma(x)


def digamma_by_series(x):
    """Recurrence to large arguments, then the asymptotic series."""
    shift = np.zeros_like(x)
    y = x.copy()
    for _ in range(30):
        shift -= 1 / y
        y += 1
    r = 1 / (y * y)
    return shift + np.log(y) - 0.5 / y - r * (1 / 12 - r * (1 / 120 - r / 252))


def two_argument_functions(x, y):
    return tl.atan2(x, y), tl.hypot(x, y), tl.pow(abs(x), y), tl.minimum(x, y), tl.maximum(x, y)


def rounding(x):
    return tl.floor(x), tl.ceil(x), tl.trunc(x), tl.round(x), tl.sign(x), tl.abs(x)


def choosing(x):
    return tl.clamp(x, -0.5, 0.5), tl.where(x > 0.0, x, 0.1 * x), tl.fma(x, x, 1.0)


def logistic(x):
    return tl.sigmoid(x), tl.softplus(x)


def special_values(x):
    return tl.isnan(x), tl.isfinite(x), tl.maximum(x, 0.0)


def on_scalars(x):
    return tl.exp(x) + math.log(x), tl.floor(x), tl.round(x), tl.where(x > 1.0, 1.0, x)


PROGRAMS = (
    program(
        exponentials,
        lambda x: (np.e**x, 2.0**x, 2 * np.sinh(x / 2) * np.e ** (x / 2), 1 / np.e**x),
        lambda rng: (rng.uniform(-2, 2, size=9),),
    ),
    program(
        logarithms,
        lambda x: (np.log(x), np.log(x) / np.log(2), np.log(x) / np.log(10), np.log(1 + x)),
        lambda rng: (rng.uniform(0.5, 4, size=9),),
    ),
    program(
        roots,
        lambda x: (x**0.5, x**-0.5, x ** (1 / 3), -(x ** (1 / 3))),
        lambda rng: (rng.uniform(0.5, 4, size=9),),
    ),
    program(
        circular,
        lambda x: (np.sin(x), np.cos(x), np.sin(x) / np.cos(x), math.sin(2) + np.cos(x)),
        lambda rng: (rng.uniform(-1.4, 1.4, size=9),),
    ),
    program(
        inverse_circular,
        lambda x: (np.arcsin(x), np.arccos(x), np.arctan(x)),
        lambda rng: (rng.uniform(-0.99, 0.99, size=9),),
    ),
    program(
        hyperbolic,
        lambda x: (
            (np.exp(x) - np.exp(-x)) / 2,
            (np.exp(x) + np.exp(-x)) / 2,
            np.tanh(x),
            np.arcsinh(x),
            np.arctanh(x / 3),
            np.arccosh(1 + x * x),
        ),
        lambda rng: (rng.uniform(0.5, 2, size=9),),
    ),
    program(
        error_functions,
        lambda x: (np.array([math.erf(v) for v in x]), np.array([math.erfc(v) for v in x])),
        lambda rng: (rng.uniform(-2, 2, size=9),),
    ),
    program(
        normal_quantiles,
        lambda x: np.array([NormalDist().inv_cdf(v) for v in x]),
        lambda rng: (rng.uniform(0.01, 0.99, size=9),),
    ),
    program(
        gamma_functions,
        lambda x: (np.array([math.lgamma(v) for v in x]), digamma_by_series(x)),
        lambda rng: (rng.uniform(2.5, 9, size=9),),
        tolerance=1e-10,
    ),
    program(
        two_argument_functions,
        lambda x, y: (
            np.arctan2(x, y),
            np.sqrt(x * x + y * y),
            np.exp(y * np.log(np.abs(x))),
            np.where(x < y, x, y),
            np.where(x < y, y, x),
        ),
        lambda rng: (rng.uniform(0.5, 2, size=7) * [1, -1, 1, -1, 1, -1, 1], rng.normal(size=7)),
    ),
    program(
        rounding,
        lambda x: (np.floor(x), -np.floor(-x), np.trunc(x), np.rint(x), np.sign(x), np.sqrt(x * x)),
        lambda rng: (np.array([-2.5, -1.5, -0.4, 0.0, 0.5, 1.5, 2.5, 2.7]),),
    ),
    program(
        choosing,
        lambda x: (np.clip(x, -0.5, 0.5), np.where(x > 0, x, 0.1 * x), x * x + 1),
        lambda rng: (rng.normal(size=9),),
    ),
    program(
        logistic,
        lambda x: (1 / (1 + np.exp(-x)), np.logaddexp(0, x)),
        lambda rng: (rng.uniform(-30, 30, size=9),),
    ),
    program(
        special_values,
        lambda x: (x != x, np.abs(x) < np.inf, np.maximum(x, 0)),
        lambda rng: (np.array([0.0, -1.0, np.inf, -np.inf, np.nan]),),
    ),
    program(
        on_scalars,
        lambda x: (np.exp(x) + np.log(x), 2.0, 2.0, 1.0),
        lambda rng: (2.25,),
    ),
)
