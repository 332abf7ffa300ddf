"""Loops that take decisions from what they carry do not run backwards: ties would be decided by rounding."""

from __future__ import annotations

import numpy as np
import pytest

import tapeless as tl


@tl.function
def place(u, v, w):
    for _ in range(3):
        v = 2.1 * u - v
        w[tl.argmax(u)] = tl.atan(tl.sum(u)) * u[0]
        u, v = v, u
    return tl.sum(w)


@tl.function
def larger(u, v, w):
    for _ in range(3):
        v = 2.1 * u - v
        w = w + tl.maximum(u, u[::-1]) * u
        u, v = v, u
    return tl.sum(w)


@tl.function
def branch(u, v, w):
    for _ in range(3):
        v = 2.1 * u - v
        if u[0] >= u[1]:
            w = w + u * u
        u, v = v, u
    return tl.sum(w)


@tl.function
def whole(u, v, w):
    for _ in range(3):
        v = 2.1 * u - v
        w = w * 1.25 + u[tl.int(tl.abs(u[0])) % 4]
        u, v = v, u
    return tl.sum(w)


@pytest.mark.one_in(5)
@pytest.mark.parametrize("program", [place, larger, branch, whole], ids=lambda f: f.__name__)
def test_ties_are_decided_as_on_the_way_there(program) -> None:
    equal = np.full(4, 0.1)
    arguments = equal, np.full(4, 0.37), np.linspace(0.0, 1.0, 4)
    expected = tl.grad(program, argnums=(0, 1, 2))(*arguments)
    found = tl.grad(program, argnums=(0, 1, 2), method="reversible")(*arguments)
    for one, other in zip(found, expected, strict=True):
        np.testing.assert_allclose(one, other, rtol=1e-12, atol=1e-14)


def test_explained() -> None:
    kernel = tl.compile(tl.grad(branch, method="reversible"), (np.zeros(4), np.zeros(4), np.zeros(4)))
    assert "numbers that come back rounded" in kernel.explain()
