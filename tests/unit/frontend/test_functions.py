"""Every scalar function, on numbers and elementwise, against numpy or the standard library."""

import math
from statistics import NormalDist

import numpy as np
import pytest

import tapeless as tl
from frontend.running import compare, run

POINTS = np.array([-2.5, -0.75, -0.1, 0.0, 0.3, 0.9, 1.0, 2.2, 17.5])

UNARY = {
    "exp": np.exp,
    "exp2": np.exp2,
    "expm1": np.expm1,
    "log": np.log,
    "log2": np.log2,
    "log10": np.log10,
    "log1p": np.log1p,
    "sqrt": np.sqrt,
    "rsqrt": lambda x: 1 / np.sqrt(x),
    "cbrt": np.cbrt,
    "sin": np.sin,
    "cos": np.cos,
    "tan": np.tan,
    "asin": np.arcsin,
    "acos": np.arccos,
    "atan": np.arctan,
    "sinh": np.sinh,
    "cosh": np.cosh,
    "tanh": np.tanh,
    "asinh": np.arcsinh,
    "acosh": np.arccosh,
    "atanh": np.arctanh,
    "erf": np.vectorize(math.erf),
    "erfc": np.vectorize(math.erfc),
    "sigmoid": lambda x: 1 / (1 + np.exp(-x)),
    "softplus": lambda x: np.logaddexp(0, x),
    "floor": np.floor,
    "ceil": np.ceil,
    "trunc": np.trunc,
    "round": np.round,
    "abs": np.abs,
    "sign": np.sign,
    "isnan": np.isnan,
    "isfinite": np.isfinite,
}
BINARY = {"atan2": np.arctan2, "pow": np.power, "hypot": np.hypot, "minimum": np.minimum, "maximum": np.maximum}


@pytest.mark.parametrize("name", UNARY)
def test_functions_of_one_number(name):
    operator = getattr(tl, name)
    with np.errstate(all="ignore"):
        expected = UNARY[name](POINTS)
    compare(run(lambda x: operator(x), POINTS), expected)
    at = 1.25 if name == "acosh" else 0.3
    compare(run(lambda x: operator(x), at), UNARY[name](np.float64(at)))


@pytest.mark.parametrize("name", BINARY)
def test_functions_of_two_numbers(name):
    operator, other = getattr(tl, name), POINTS[::-1].copy()
    with np.errstate(all="ignore"):
        expected = BINARY[name](POINTS, other)
    compare(run(lambda x, y: operator(x, y), POINTS, other), expected)
    compare(run(lambda x, y: operator(x, y), 0.3, 1.7), BINARY[name](0.3, 1.7))


def test_the_inverse_of_the_error_function():
    points = np.array([-0.999, -0.75, -0.1, 0.0, 0.3, 0.9, 0.9999])
    expected = np.array([NormalDist().inv_cdf((x + 1) / 2) / math.sqrt(2) for x in points])
    compare(run(lambda x: tl.erfinv(x), points), expected, 1e-10)


def test_gamma_functions():
    points = np.array([0.5, 1.0, 3.7, 12.0])
    compare(run(lambda x: tl.lgamma(x), points), np.vectorize(math.lgamma)(points))
    compare(run(lambda x: tl.digamma(x), 1.0), -0.5772156649015329, 1e-9)


def test_functions_of_three_numbers():
    def f(x, y):
        return tl.clamp(x, -1, 1), tl.where(x > 0, x, y), tl.fma(x, y, 1.0), np.clip(x, 0.0, 2.0)

    y = POINTS * 2
    compare(
        run(f, POINTS, y),
        (np.clip(POINTS, -1, 1), np.where(POINTS > 0, POINTS, y), POINTS * y + 1, np.clip(POINTS, 0, 2)),
    )


def test_not_a_number_wins_minimum_and_maximum():
    result = run(lambda x, y: (np.minimum(x, y), np.maximum(y, x)), math.nan, 1.0)
    assert all(math.isnan(each) for each in result)


def test_functions_of_integers():
    def f(n):
        return tl.abs(n), tl.sign(n), tl.floor(n), tl.round(n), tl.minimum(n, 3), tl.maximum(n, -3), tl.clamp(n, -1, 1)

    n = np.array([-5, 0, 7])
    compare(run(f, n), (abs(n), np.sign(n), n, n, np.minimum(n, 3), np.maximum(n, -3), np.clip(n, -1, 1)))


def test_names_of_python_numpy_and_math_mean_the_same():
    def f(x):
        return (
            abs(x)
            + np.absolute(x)
            + math.exp(x)
            + np.exp(x)
            + min(x, 1.0, 2.0)
            + max(x, 0)
            + pow(x, 2)
            + np.power(x, 2)
        )

    x = 0.4
    compare(run(f, x), 2 * abs(x) + 2 * math.exp(x) + x + x + 2 * x**2)
