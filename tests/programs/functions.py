"""Calls between functions, closures, lambdas, nested definitions, keyword and default arguments."""

from __future__ import annotations

import numpy as np

import tapeless as tl
from programs.program import program


@tl.function
def square(x):
    return x * x


@tl.function
def scaled_sum(x, scale=2.0):
    return tl.sum(x) * scale


@tl.function
def divided(a, b):
    q = a / b
    return q, a - q


@tl.function
def first_set_to_zero(a):
    a[0] = 0.0
    return a


def calls(x, y):
    return square(x) + square(y)


def default_and_keyword(x):
    return scaled_sum(x), scaled_sum(x, 3.0), scaled_sum(scale=0.5, x=x)


def several_results(x, y):
    q, r = divided(x, y)
    return q * r


def arguments_stay(a):
    b = first_set_to_zero(a)
    return a, b


def closure_over_locals(x, k):
    offset = k * 2.0

    def shifted(v):
        return v + offset

    return tl.map(shifted, x)


def closure_sees_latest(x):
    c = 1.0
    f = lambda v: v * c  # noqa: E731
    c = 3.0
    return tl.map(f, x)


def nested_definitions(x):
    def outer(v):
        def inner(w):
            return w * w + v

        return inner(v) - inner(2.0)

    return tl.map(outer, x)


def function_in_operators(x):
    return tl.map(square, x), tl.reduce(lambda a, b: a + b, 0.0, tl.map(lambda v: square(v) + 1.0, x))


def call_in_loop(x, n):
    for _ in range(n):
        x = square(x) * 0.5 + 0.25
    return x


def iterate(x, n):
    return x if n == 0 else iterate(0.5 * x * x + 0.25, n - 1)


def local_name_shadows(x):
    square = x * 3.0
    return square


PROGRAMS = (
    program(calls, lambda x, y: x**2 + y**2, lambda rng: (1.5, -2.5)),
    program(
        default_and_keyword,
        lambda x: (2 * np.sum(x), 3 * np.sum(x), np.sum(x) / 2),
        lambda rng: (rng.normal(size=5),),
    ),
    program(several_results, lambda x, y: x / y * (x - x / y), lambda rng: (3.0, 7.0)),
    program(
        arguments_stay,
        lambda a: (a, np.concatenate(([0.0], a[1:]))),
        lambda rng: (rng.normal(size=4),),
    ),
    program(closure_over_locals, lambda x, k: x + 2 * k, lambda rng: (rng.normal(size=4), 1.5)),
    program(closure_sees_latest, lambda x: 3 * x, lambda rng: (rng.normal(size=4),)),
    program(nested_definitions, lambda x: x * x - 4, lambda rng: (rng.normal(size=4),)),
    program(
        function_in_operators,
        lambda x: (x**2, np.dot(x, x) + len(x)),
        lambda rng: (rng.normal(size=4),),
    ),
    program(call_in_loop, iterate, lambda rng: (0.75, 5)),
    program(local_name_shadows, lambda x: 3 * x, lambda rng: (2.0,)),
)
