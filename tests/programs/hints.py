"""Loop hints and markers, which never change a result, and conversions by their `tl` names."""

from __future__ import annotations

import numpy as np

import tapeless as tl
from programs.program import program


def hinted_loops(x, n):
    for _ in tl.range(n, stripmine=2):
        x = x * 0.5 + 1.0
    for i in tl.range(0, n, 2, budget=3, unroll=True):
        x = x + i
    for i in tl.range(1, n, true_dep=("x",)):
        x = x - i
    return x


def bounded_while(x):
    count = 0
    while tl.bounded(x > 1.0, 50):
        x = x / 2.0
        count += 1
    return x, count


def halvings(x):
    count = int(np.ceil(np.log2(x)))
    return x / 2**count, count


def markers(x):
    y = tl.stop_gradient(x) * x
    doubled = tl.checkpoint(lambda v: v + v)
    return y, doubled(x)


def conversions(x, n):
    return tl.int(x), tl.float(n), tl.bool(n), tl.len(tl.zeros(n)), tl.exp2(tl.float(n))


PROGRAMS = (
    program(
        hinted_loops,
        lambda x, n: x * 0.5**n + 2 * (1 - 0.5**n) + sum(range(0, n, 2)) - sum(range(1, n)),
        lambda rng: (1.75, 7),
    ),
    program(bounded_while, halvings, lambda rng: (37.0,), "while"),
    program(markers, lambda x: (x**2, 2 * x), lambda rng: (rng.normal(size=4),)),
    program(conversions, lambda x, n: (2, 3.0, True, 3, 8.0), lambda rng: (2.75, 3), "f64"),
)
