"""How much a loop that runs backwards computes: what finds the state again and what its adjoints need, each once."""

from __future__ import annotations

import numpy as np
import pytest

import tapeless as tl

pytestmark = pytest.mark.one_in(2)

COSTLY = ("math.sqrt", "arith.divf")


@tl.function
def attraction(q: tl.f64[:, :], mass: tl.f64[:]):
    def on(at):
        away = q - at
        squared = tl.sum(away * away, axis=1) + 0.01
        return (mass / (squared * tl.sqrt(squared))) @ away

    return tl.map(on, q)


@tl.function
def kick_and_drift(q: tl.f64[:, :], p: tl.f64[:, :], mass: tl.f64[:], n: tl.i64):
    for _ in range(n):
        p = p + 1e-2 * attraction(q, mass)
        q = q + 1e-2 * p
    return tl.sum(q * q)


@tl.function
def kick_drift_kick(q: tl.f64[:, :], p: tl.f64[:, :], mass: tl.f64[:], n: tl.i64):
    for _ in range(n):
        half = p + 5e-3 * attraction(q, mass)
        q = q + 1e-2 * half
        p = half + 5e-3 * attraction(q, mass)
    return tl.sum(q * q) + tl.sum(p * p)


def bodies(count):
    rng = np.random.default_rng(count)
    return rng.normal(size=(count, 3)), 0.1 * rng.normal(size=(count, 3)), rng.uniform(0.1, 0.2, count)


def gradient(program, method):
    """By the same arguments in all tests, which share what is compiled."""
    return tl.grad(program, argnums=(0, 1, 2), method=method)


def loops(program):
    """The lines of the forward loop and of the one that goes back, when all fusion is done."""
    kernel = tl.compile(gradient(program, "reversible"), (*bodies(5), 3), fallback=False, checks="off")
    lines = kernel.ir("soac-mark-fma").splitlines()
    for start in (k for k, line in enumerate(lines) if " scf.for " in line):
        indent = len(lines[start]) - len(lines[start].lstrip())
        yield "\n".join(lines[start : lines.index(" " * indent + "}", start)])


def counts(text):
    return tuple(text.count(name) for name in COSTLY)


def test_the_step_is_not_run_again():
    """One root and one quotient of the step; the partial derivatives of both have a quotient each."""
    forward, back = loops(kick_and_drift)
    assert counts(forward) == (1, 1)
    assert counts(back) == (1, 3)


@pytest.mark.thorough
def test_steps_with_two_forces():
    forward, back = loops(kick_drift_kick)
    assert counts(forward) == (2, 2)
    assert counts(back) == (2, 6)


@pytest.mark.parametrize(
    "program",
    [kick_and_drift, pytest.param(kick_drift_kick, marks=pytest.mark.thorough)],
    ids=lambda program: program.__name__,
)
def test_gradients(program):
    back, stored = (tl.jit(gradient(program, method)) for method in ("reversible", "redundant"))
    for count in (1, 2, 3, 4, 7, 9, 33):
        arguments = (*bodies(count), 20)
        for left, right in zip(back(*arguments), stored(*arguments), strict=True):
            np.testing.assert_allclose(left, right, rtol=1e-9, atol=1e-11)


@pytest.mark.one_in(3)
@pytest.mark.parametrize("method", ["reversible", "redundant"])
def test_against_differences(method):
    q, p, mass = bodies(5)
    bars = gradient(kick_drift_kick, method)(q, p, mass, 10)
    rng = np.random.default_rng(0)
    ways = [rng.normal(size=value.shape) for value in (q, p, mass)]
    step = 1e-6
    after, before = (
        kick_drift_kick(*(x + sign * step * way for x, way in zip((q, p, mass), ways, strict=True)), 10)
        for sign in (1, -1)
    )
    slope = sum(float(np.sum(bar * way)) for bar, way in zip(bars, ways, strict=True))
    assert slope == pytest.approx((after - before) / (2 * step), rel=1e-6)


def test_sizes_that_do_not_fit():
    q, p, mass = bodies(5)
    with pytest.raises(tl.ShapeMismatch):
        gradient(kick_and_drift, "reversible")(q, p, mass[:4], 3)


def test_no_steps_ask_nothing_of_sizes():
    q, p, mass = bodies(5)
    bar, *_ = gradient(kick_and_drift, "reversible")(q, p, mass[:4], 0)
    np.testing.assert_allclose(bar, 2.0 * q)
