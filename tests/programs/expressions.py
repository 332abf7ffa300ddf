"""Arithmetic, comparisons, boolean operators, conditional expressions and constants."""

from __future__ import annotations

import math

import numpy as np

import tapeless as tl
from programs.program import program

SCALE = 2.5
WEIGHTS = np.array([0.5, -1.0, 2.0])
LIMITS = (1, 4)


def integer_division(a, b):
    return a // b, a % b, -a // b, -a % b, a // -b, a % -b


def floored(a, b):
    pairs = [math.floor(p / q) for p, q in ((a, b), (-a, b), (a, -b))]
    q1, q2, q3 = pairs
    return q1, a - q1 * b, q2, -a - q2 * b, q3, a + q3 * b


def float_floor_division(x, y):
    return x // y, x % y, -x // y, -x % y


def true_division(a, b):
    return a / b, a / 2, 1 / b


def powers(x, n):
    return x**2, x**0.5, 2**n, x**n, (-x) ** 3


def arithmetic_on_arrays(x, y):
    return x + y, x - 2.0 * y, -x / (1.0 + y * y), x**2 - y


def chained_comparison(x):
    inside = 0
    for i in range(len(x)):
        if -1.0 < x[i] <= 1.0:
            inside += 1
    return inside


def boolean_logic(a, b, c):
    return (a and b) or not c, a or b, not (a and b and c), a != b


def conditional_expression(x):
    return tl.map(lambda v: v * 2.0 if v > 0.0 else (0.0 if v > -1.0 else -v), x)


def lazy_division(n, d):
    """The second operand of `and` must not divide by zero."""
    safe = d != 0 and n // d > 2
    return 1 if safe else 0


def captured_constants(x):
    total = 0.0
    for i in range(LIMITS[0], LIMITS[1]):
        total += x[i] * WEIGHTS[i - 1]
    return SCALE * total + math.pi - np.e


def mixed_precision(x, k):
    return x * 2 + k / 2 - 1


def scalar_conversions(x, n):
    return int(x), float(n), bool(n), round(x), abs(-x), min(x, 2.0, 3.5), max(n, 2)


def comparisons_of_arrays(x, y):
    return x < y, x >= y, x == x, (x > 0.0) != (y > 0.0)


def matrix_products(a, b, v):
    return a @ b, a @ v, v @ b, v @ v


PROGRAMS = (
    program(integer_division, floored, lambda rng: (17, 5), "ints"),
    program(
        float_floor_division,
        lambda x, y: (np.floor(x / y), x - y * np.floor(x / y), np.floor(-x / y), -x - y * np.floor(-x / y)),
        lambda rng: (7.5, 2.0),
    ),
    program(true_division, lambda a, b: (a * (1.0 / b), a * 0.5, b**-1.0), lambda rng: (7, 4), "ints"),
    program(
        powers,
        lambda x, n: (x * x, np.sqrt(x), 1 << n, np.prod([x] * n), -x * x * x),
        lambda rng: (1.75, 5),
    ),
    program(
        arithmetic_on_arrays,
        lambda x, y: (y + x, x - y - y, np.negative(x) / (y**2 + 1), x * x - y),
        lambda rng: (rng.normal(size=7), rng.normal(size=7)),
    ),
    program(
        chained_comparison,
        lambda x: int(np.count_nonzero((x > -1) & (x <= 1))),
        lambda rng: (np.array([-1.0, 1.0, 0.5, 3.0, -2.0, 0.0]),),
    ),
    program(
        boolean_logic,
        lambda a, b, c: (bool(a & b | (1 - c)), bool(a | b), bool(1 - (a & b & c)), bool(a ^ b)),
        lambda rng: (True, False, True),
        "ints",
    ),
    program(
        conditional_expression,
        lambda x: np.select([x > 0, x > -1], [2 * x, 0 * x], -x),
        lambda rng: (np.array([-3.0, -0.5, 0.0, 0.5, 2.0]),),
    ),
    program(lazy_division, lambda n, d: 0, lambda rng: (5, 0), "ints"),
    program(
        captured_constants,
        lambda x: 2.5 * (0.5 * x[1] - x[2] + 2 * x[3]) + math.pi - math.e,
        lambda rng: (rng.normal(size=6),),
        "f64",
    ),
    program(mixed_precision, lambda x, k: 2 * x + 0.5 * k - 1, lambda rng: (rng.normal(size=3), 7)),
    program(
        scalar_conversions,
        lambda x, n: (2, 3.0, True, 2.0, x, 2.0, 3),
        lambda rng: (2.5, 3),
    ),
    program(
        comparisons_of_arrays,
        lambda x, y: (np.less(x, y), ~np.less(x, y), np.ones(len(x), bool), (np.sign(x) * np.sign(y)) < 0),
        lambda rng: (rng.normal(size=6), rng.normal(size=6)),
    ),
    program(
        matrix_products,
        lambda a, b, v: (
            np.einsum("ij,jk->ik", a, b),
            np.einsum("ij,j->i", a, v),
            np.einsum("i,ij->j", v, b),
            np.einsum("i,i->", v, v),
        ),
        lambda rng: (rng.normal(size=(4, 3)), rng.normal(size=(3, 5)), rng.normal(size=3)),
    ),
)
