"""Scalar arithmetic: Python's rules for signs, division, powers and conversions."""

import math

import numpy as np
import pytest

from frontend.running import check, run
from tapeless.errors import ArgumentError

INTEGERS = [(7, 3), (-7, 3), (7, -3), (-7, -3), (0, 5), (6, 3), (-6, 3), (5, -1), (-(2**62), -1)]
FLOATS = [(7.5, 2.0), (-7.5, 2.0), (7.5, -2.0), (-7.5, -2.0), (0.0, 3.0), (6.0, 3.0), (1e300, 1e-10), (-5.0, math.inf)]


@pytest.mark.parametrize("pair", INTEGERS)
def test_integer_operators(pair):
    def f(a, b):
        return a + b, a - b, a * b, a / b, a // b, a % b, -a, +a, abs(a)

    check(f, *pair)


@pytest.mark.parametrize("pair", FLOATS)
def test_float_operators(pair):
    def f(a, b):
        return a + b, a - b, a * b, a / b, a // b, a % b, -a, abs(a)

    check(f, *pair)


@pytest.mark.parametrize("divisor", [3, -3, 1, -1, 8])
@pytest.mark.parametrize("value", [-9, -1, 0, 1, 10])
def test_division_by_a_constant(value, divisor):
    source = {3: lambda a: (a // 3, a % 3), -3: lambda a: (a // -3, a % -3), 1: lambda a: (a // 1, a % 1)}
    source |= {-1: lambda a: (a // -1, a % -1), 8: lambda a: (a // 8, a % 8)}
    check(source[divisor], value)


def test_division_of_known_signs():
    def f(n):
        total = 0
        for i in range(n):
            total += (i // 2) * 10 + i % 3 + (i + 5) % n
        return total

    check(f, 7)


def test_integer_division_by_zero_is_an_error():
    with pytest.raises(ArgumentError, match="integer division by zero"):
        run(lambda a, b: a // b, 1, 0)
    with pytest.raises(ArgumentError, match="integer division by zero"):
        run(lambda a, b: a % b, 1, 0)


def test_float_division_by_zero_is_infinite():
    assert run(lambda a, b: a / b, 1.0, 0.0) == math.inf


def test_powers():
    def f(x, y, n):
        return x**2, x**3, x**-1, x**-2, x**0, x**0.5, x**y, x**n, n**2, n**0, n**5, 2**n, n**n, x**7, n**-1, 2.0**n

    check(f, 1.7, -0.3, 4)


def test_negative_integer_power_is_an_error():
    with pytest.raises(ArgumentError, match="no integer power -2"):
        run(lambda a, n: a**n, 3, -2)


@pytest.mark.parametrize("pair", [(1, 2), (2, 2), (3, 2), (1.5, 2), (math.nan, 1.0), (1.0, math.nan)])
def test_comparisons(pair):
    def f(a, b):
        return a < b, a <= b, a > b, a >= b, a == b, a != b, 0 < a < b, a == b == b

    check(f, *pair)


@pytest.mark.parametrize("a", [True, False])
@pytest.mark.parametrize("b", [True, False])
def test_boolean_operators(a, b):
    def f(a, b):
        return a and b, a or b, not a, a & b, a | b, a ^ b, a == b, a < b

    check(f, a, b)


def test_bitwise_operators_of_integers():
    check(lambda a, b: (a & b, a | b, a ^ b, ~a), 13, 7)


def test_booleans_count_as_integers():
    check(lambda a, b: (a + b, a * 3, -a, a - b), True, True)


def test_the_right_side_is_not_run_in_vain():
    def f(x, i):
        return (i < len(x) and x[i] > 0) or i == 9

    x = np.array([1.0, -1.0])
    assert [bool(run(f, x, i)) for i in (0, 1, 5, 9)] == [True, False, False, True]


@pytest.mark.parametrize("x", [2.7, -2.7, 0.0, 0.5, 1.5, 2.5, -0.5])
def test_conversions(x):
    check(lambda x: (int(x), float(x), bool(x), np.round(x), np.floor(x), np.ceil(x), np.trunc(x)), x)


def test_conversions_of_integers():
    check(lambda n: (int(n), float(n), bool(n), float(n) / 2), 3)


def test_constants_fold():
    check(lambda x: (2 * math.pi + x, -3 // 2, 7 % -3, 2**10, 1 / 4, not 0, 3 < 4, 1e400), 1.0)


def test_conditional_expressions():
    def f(a, b):
        cheap = a if a > b else b
        costly = math.sqrt(a) if a > 0 else math.exp(a)
        mixed = 1 if a > 0 else 2.5
        known = a if 1 < 2 else undefined_name  # noqa: F821
        return cheap, costly, mixed, known

    check(f, 2.0, 3.0, expected=(3.0, math.sqrt(2), 1.0, 2.0))
    check(f, -2.0, 3.0)
