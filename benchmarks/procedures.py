"""How fast are reversible procedures and their backward runs? Sparse products and loops over elements, on one core.

`python benchmarks/procedures.py [--quick] [--only PATTERN] [--json FILE]`. Every row: the procedure as it is, compiled
without a gradient, its backward run, which gives all adjoints, and both together, in processor time, the least of
several rounds. Kernels are compiled with `checks="off"`. Adjoints are compared with closed forms before any time is
taken.
"""

import os
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
sys.path.insert(0, str(Path(__file__).parents[1] / "examples"))

import numpy as np  # noqa: E402
import sparse  # noqa: E402
from harness import Run  # noqa: E402

import tapeless as tl  # noqa: E402

MOST_BACKWARD = 3.0
Arrays = tuple[Any, ...]


@tl.reversible
def axpy(y: tl.f64[:], a: tl.f64, x: tl.f64[:]):
    for i in range(len(x)):
        y[i] += a * x[i]


@tl.reversible
def sines(y: tl.f64[:], a: tl.f64, x: tl.f64[:]):
    for i in range(len(x)):
        y[i] += tl.sin(a * x[i])


@tl.function
def axpy_back(y: tl.f64[:], a: tl.f64, x: tl.f64[:], bar: tl.f64[:]):
    return tl.vjp(axpy, y, a, x)[1]((bar, 0.0, 0.0 * x))


@tl.function
def axpy_both(y: tl.f64[:], a: tl.f64, x: tl.f64[:], bar: tl.f64[:]):
    value, back = tl.vjp(axpy, y, a, x)
    return value[0], back((bar, 0.0, 0.0 * x))


@tl.function
def sines_back(y: tl.f64[:], a: tl.f64, x: tl.f64[:], bar: tl.f64[:]):
    return tl.vjp(sines, y, a, x)[1]((bar, 0.0, 0.0 * x))


@tl.function
def sines_both(y: tl.f64[:], a: tl.f64, x: tl.f64[:], bar: tl.f64[:]):
    value, back = tl.vjp(sines, y, a, x)
    return value[0], back((bar, 0.0, 0.0 * x))


@tl.function
def product_back(y: tl.f64[:], starts: tl.i64[:], rows: tl.i64[:], values: tl.f64[:], x: tl.f64[:], bar: tl.f64[:]):
    back = tl.vjp(sparse.times_vector, y, starts, rows, values, x)[1]
    return back((bar, 0 * starts, 0 * rows, 0.0 * values, 0.0 * x))


@tl.function
def product_both(y: tl.f64[:], starts: tl.i64[:], rows: tl.i64[:], values: tl.f64[:], x: tl.f64[:], bar: tl.f64[:]):
    value, back = tl.vjp(sparse.times_vector, y, starts, rows, values, x)
    return value[0], back((bar, 0 * starts, 0 * rows, 0.0 * values, 0.0 * x))


@dataclass(frozen=True)
class Case:
    """A procedure, its backward run alone and behind the procedure, their arguments, and adjoints that are known."""

    plain: Any
    back: Any
    both: Any
    arguments: Arrays
    cotangents: Arrays
    expected: dict[int, Any]
    """The adjoints at some places of the backward run's results."""


def elements(procedure: Any, back: Any, both: Any, slope: Callable[[Any], Any], quick: bool) -> Case:
    random, n = np.random.default_rng(0), 10_000 if quick else 1_000_000
    y, x, bar = random.normal(size=(3, n))
    scaled = bar * slope(0.7 * x)
    return Case(procedure, back, both, (y, 0.7, x), (bar,), {0: bar, 1: np.sum(scaled * x), 2: 0.7 * scaled})


def matrices(quick: bool) -> tuple[np.ndarray, np.ndarray, np.random.Generator]:
    random, n = np.random.default_rng(0), 100 if quick else 1_000
    a, b = (sparse.random_sparse(random, n, 0.05) for _ in range(2))
    return a, b, random


def sparse_product(quick: bool) -> Case:
    a, _, random = matrices(quick)
    n = len(a)
    starts, rows, values = sparse.compressed(a)
    x, bar = random.normal(size=(2, n))
    columns = np.repeat(np.arange(n), np.diff(starts))
    expected = {0: bar, 3: bar[rows] * x[columns], 4: a.T @ bar}
    cells = (np.zeros(n), starts, rows, values, x)
    return Case(sparse.times_vector, product_back, product_both, cells, (bar,), expected)


def sparse_dot(quick: bool) -> Case:
    a, b, _ = matrices(quick)
    cells = (0.0, *sparse.compressed(a), *sparse.compressed(b))
    at = [(part[1], np.repeat(np.arange(len(a)), np.diff(part[0]))) for part in (cells[1:], cells[4:])]
    wrt = {"loss": "total", "argnums": ("values", "other_values")}
    both = tl.value_and_grad(sparse.dot, **wrt)
    return Case(sparse.dot, tl.grad(sparse.dot, **wrt), both, cells, (), {0: b[at[0]], 1: a[at[1]]})


CASES: dict[str, Callable[[bool], Case]] = {
    "sparse_product": sparse_product,
    "sparse_dot": sparse_dot,
    "axpy": partial(elements, axpy, axpy_back, axpy_both, np.ones_like),
    "sines": partial(elements, sines, sines_back, sines_both, np.cos),
}


def measure(run: Run, name: str, case: Case) -> None:
    """The times of a procedure and of its backward runs, and their ratios."""
    given = (*case.arguments, *case.cotangents)
    kernels = {
        "plain": (tl.compile(case.plain, case.arguments, checks="off"), case.arguments),
        "backward": (tl.compile(case.back, given, checks="off"), given),
        "both": (tl.compile(case.both, given, checks="off"), given),
    }
    found = kernels["backward"][0](*given)
    for place, expected in case.expected.items():
        np.testing.assert_allclose(found[place], expected, rtol=1e-9, atol=1e-12)
    size = f"n={len(case.arguments[-1])}"
    calls = {contestant: partial(kernel, *arguments) for contestant, (kernel, arguments) in kernels.items()}
    times = fastest(calls, 7 if run.quick else 21)
    for contestant, seconds in times.items():
        run.record(name, size, "processor_s", seconds, "s", contestant=contestant)
    for contestant in ("backward", "both"):
        ratio = times[contestant] / times["plain"]
        run.bar(name, size, f"{contestant}_to_plain", ratio, at_most=MOST_BACKWARD)


def fastest(calls: dict[str, Callable[[], Any]], rounds: int) -> dict[str, float]:
    """The least processor time of each call, in turns: others on the machine do not count."""
    times = dict.fromkeys(calls, float("inf"))
    for _ in range(rounds):
        for name, call in calls.items():
            start = time.process_time()
            call()
            times[name] = min(times[name], time.process_time() - start)
    return times


def main() -> None:
    run = Run.from_command_line("procedures")
    for name, make in CASES.items():
        if run.wants(name):
            measure(run, name, make(run.quick))
    run.finish()


if __name__ == "__main__":
    main()
