"""Derivatives of derivatives: every pair of modes, with accumulators, loops, operators and branches in between."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from derivatives import Program, check, from_python, is_float, jvp, run, vjp

import tapeless as tl

XS = np.array([0.4, -1.2, 0.9, 1.7])
KEYS = np.array([1, 0, 1, 3])
MODES = {"reverse": vjp, "forward": jvp}


def scalars(x, y):
    return tl.sin(x * y) * tl.exp(y) / (x + 2.0)


def branch(x, y):
    return x * y * y if x > y else tl.sin(x * y)


def loop(x, c, n):
    for i in range(n):
        x = tl.sin(x) * c + i * x * x
    return x


def split_loop(x, c, n):
    for i in tl.range(n, stripmine=2):
        x = tl.sin(x) * c + i * x * x * 0.1
    return x


def while_loop(x, c):
    while x < 5.0:
        x = x * x * c + x
    return x


def free_scalar(x, s):
    return tl.sum(tl.map(lambda e: tl.sin(e * s), x))


def gather(x, keys):
    return tl.sum(tl.map(lambda k: x[k] * x[0] * tl.sin(x[k]), keys))


def nested_maps(x, w):
    return tl.map(lambda a: tl.sum(tl.map(lambda b: tl.exp(a * b), w)), x)


def matrix_product(a):
    return a @ a


def product(x):
    return tl.prod(x)


def general_reduction(x):
    return tl.reduce(lambda a, b: a + b + a * b, 0.0, x)


def scans(x):
    return tl.cumsum(x * x), tl.cumprod(x)


def general_scan(x):
    return tl.scan(lambda a, b, c, d: (a * c, b * c + d), (1.0, 0.0), x, x * x)[1]


def histogram(x, keys):
    return tl.hist(lambda a, b: a * b, 1.0, x, keys, tl.sin(x))


def summed_histogram(x, keys):
    return tl.hist(lambda a, b: a + b, 0.0, x * x, keys, tl.sin(x))


def general_histogram(x, keys):
    return tl.hist(lambda a, b: a + b + a * b, 0.0, x, keys, tl.sin(x))


def extremes(x):
    return tl.max(x) * tl.max(x) * tl.min(x)


def written(x, keys):
    return tl.scatter(x * x, keys, tl.sin(x[:2]))


def in_place(x):
    for i in range(1, len(x)):
        x[i] = x[i] * x[i - 1]
    return x


def slices(x):
    x[1:3] = x[:2] * x[2:4]
    return tl.concat((x[::2] * x[1::2], tl.reverse(x) * x))


CASES: dict[str, tuple[Callable[..., Any], tuple[Any, ...]]] = {
    "scalars": (scalars, (0.4, 0.7)),
    "branch": (branch, (0.9, 0.7)),
    "loop": (loop, (0.4, 0.7, 3)),
    "split loop": (split_loop, (0.4, 0.7, 5)),
    "while": (while_loop, (0.9, 0.8)),
    "free scalar": (free_scalar, (XS, 0.7)),
    "gather": (gather, (XS, KEYS)),
    "nested maps": (nested_maps, (XS, XS[1:])),
    "matrix product": (matrix_product, (XS.reshape(2, 2),)),
    "product": (product, (XS,)),
    "general reduction": (general_reduction, (XS,)),
    "scans": (scans, (XS,)),
    "general scan": (general_scan, (XS,)),
    "histogram": (histogram, (XS, KEYS)),
    "summed histogram": (summed_histogram, (XS, KEYS)),
    "general histogram": (general_histogram, (XS, KEYS)),
    "extremes": (extremes, (XS,)),
    "scatter": (written, (XS, np.array([3, 1]))),
    "in place": (in_place, (XS,)),
    "slices": (slices, (XS,)),
}


@pytest.mark.one_in(8)
@pytest.mark.parametrize("inner", MODES)
@pytest.mark.parametrize("name", CASES)
def test_second_order(name: str, inner: str) -> None:
    """Both modes, outside of the inner one, against differences of the inner derivative."""
    function, arguments = CASES[name]
    first, values = _with_seeds(MODES[inner], from_python(function, *arguments), arguments)
    check(first, *values, tolerance=1e-5, step=1e-5)


def _with_seeds(
    mode: Callable[[Program], Program], program: Program, arguments: tuple[Any, ...]
) -> tuple[Program, tuple[Any, ...]]:
    """The derivative and arguments for it."""
    rng = np.random.default_rng(5)
    if mode is vjp:
        results = run(program, *arguments)
        seeded = [value for value, kind in zip(results, program.results, strict=True) if is_float(kind)]
    else:
        seeded = [arguments[k] for k in program.active]
    return mode(program), (*arguments, *(rng.normal(size=np.shape(value)) for value in seeded))


@pytest.mark.one_in(2)
@pytest.mark.parametrize("name", ["scalars", "loop", "gather", "product"])
def test_third_order(name: str) -> None:
    function, arguments = CASES[name]
    first, values = _with_seeds(vjp, from_python(function, *arguments), arguments)
    second, values = _with_seeds(jvp, first, values)
    check(second, *values, tolerance=1e-4, step=1e-5)


def cubed(x):
    return x * x * x


def test_perturbations_stay_apart() -> None:
    """Nested tangents of one argument do not mix: the third derivative of a cube is 6."""
    program = jvp(jvp(jvp(from_python(cubed, 2.0)), wrt=[0]), wrt=[0])
    assert run(program, 2.0, 1.0, 1.0, 1.0)[-1] == 6.0
