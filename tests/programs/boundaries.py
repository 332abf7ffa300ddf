"""Empty arrays, loops that never run, sizes of one."""

from __future__ import annotations

import numpy as np

import tapeless as tl
from programs.program import program


def empty_sums(x):
    return tl.sum(x), tl.prod(x), len(x), tl.sum(x * 2.0)


def empty_map(x):
    return tl.map(lambda v: v + 1.0, x), x[:0], tl.cumsum(x)


def zero_trip_loop(x, n):
    y = x
    for i in range(n):
        y = y + x[i]
    return y


def zero_trip_while(x):
    while x > 100.0:
        x -= 1.0
    return x


def loop_with_empty_range(x):
    total = 1.0
    for i in range(5, 2):
        total += x[i]
    for i in range(0, -3):
        total += x[i]
    return total


def empty_rows(a):
    return tl.sum(a, axis=0), tl.sum(a, axis=1), tl.map(lambda row: tl.sum(row), a)


def empty_histogram(keys, values):
    return tl.hist(lambda a, b: a + b, 0.0, tl.ones(3), keys, values)


def single_element(x):
    return tl.sort(x), tl.cumsum(x), tl.max(x), tl.argmin(x), x[-1], x[::-1]


def unit_axes(a: tl.f64[:, 1], b: tl.f64[1, :]):
    return a + b, a * tl.sum(b), (a - b).T


def concat_with_empty(x):
    return tl.concat((x[:0], x, x[3:3]))


def no_iterations_of_an_inner_loop(n):
    count = 0
    for i in range(n):
        for j in range(i):
            count += j
    return count


PROGRAMS = (
    program(empty_sums, lambda x: (0.0, 1.0, 0, 0.0), lambda rng: (np.zeros(0),), "empty"),
    program(empty_map, lambda x: (x.copy(), x.copy(), x.copy()), lambda rng: (np.zeros(0),), "empty"),
    program(zero_trip_loop, lambda x, n: x, lambda rng: (rng.normal(size=3), 0), "empty"),
    program(zero_trip_while, lambda x: x, lambda rng: (3.0,), "empty"),
    program(loop_with_empty_range, lambda x: 1.0, lambda rng: (rng.normal(size=2),), "empty", "f64"),
    program(
        empty_rows,
        lambda a: (np.zeros(4), np.zeros(0), np.zeros(0)),
        lambda rng: (np.zeros((0, 4)),),
        "empty",
    ),
    program(
        empty_histogram,
        lambda keys, values: np.ones(3),
        lambda rng: (np.zeros(0, int), np.zeros(0)),
        "empty",
        "f64",
    ),
    program(
        single_element,
        lambda x: (x, x, x[0], 0, x[0], x),
        lambda rng: (rng.normal(size=1),),
    ),
    program(
        unit_axes,
        lambda a, b: (np.add(a, b), a * b.sum(), np.subtract(a, b).T),
        lambda rng: (rng.normal(size=(3, 1)), rng.normal(size=(1, 4))),
        "f64",
    ),
    program(concat_with_empty, lambda x: x, lambda rng: (rng.normal(size=4),), "empty"),
    program(
        no_iterations_of_an_inner_loop,
        lambda n: sum(i * (i - 1) // 2 for i in range(n)),
        lambda rng: (6,),
        "ints",
    ),
)
