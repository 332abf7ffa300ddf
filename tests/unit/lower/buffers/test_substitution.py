"""Loops that read all elements before one and write that: their adjoints clear an element and add to those before."""

from __future__ import annotations

import numpy as np
import pytest

import tapeless as tl


@tl.function
def solved(lower, right):
    x = np.zeros_like(right)
    for i in range(len(right)):
        x[i] = (right[i] - np.sum(lower[i, :i] * x[:i])) / lower[i, i]
    return x


@tl.function
def discounts(rates):
    found = np.zeros_like(rates)
    for i in range(len(rates)):
        found[i] = (1.0 - rates[i] * np.sum(found[:i])) / (1.0 + rates[i])
    return found


@pytest.mark.parametrize("method", ["redundant", "reversible", "coarsened"])
def test_jacobians(method: str) -> None:
    rng = np.random.default_rng(3)
    for n in (1, 2, 7):
        lower = np.tril(rng.normal(size=(n, n))) + 3.0 * np.eye(n)
        found = tl.jacrev(solved, argnums=1, method=method)(lower, rng.normal(size=n))
        np.testing.assert_allclose(found, np.linalg.inv(lower), rtol=1e-11, atol=1e-12)
        rates = rng.uniform(0.01, 0.05, size=n)
        by_columns = tl.jacfwd(discounts, method=method)(rates)
        np.testing.assert_allclose(tl.jacrev(discounts, method=method)(rates), by_columns, rtol=1e-11, atol=1e-12)


def test_adjoints_take_no_memory_in_an_iteration() -> None:
    """The elements before are added to where they are."""
    loops = tl.compile(tl.jacrev(discounts), (np.ones(3),)).ir("lower-loops")
    indented = [len(line) - len(line.lstrip()) for line in loops.splitlines() if "memref.alloc(" in line]
    assert set(indented) == {4}, "arrays are allocated in the function, not in its loops"
