"""Sums of floats in procedures keep their order, unless the flag `reassoc` lets them run in lanes, both ways."""

from __future__ import annotations

import re

import numpy as np
import pytest

import tapeless as tl

FREE = ("reassoc", "contract")


@tl.reversible
def product(s: tl.f64, x: tl.In[tl.f64[:]], y: tl.In[tl.f64[:]]):
    for i in range(len(x)):
        s += x[i] * y[i]


@tl.function
def forwards(s: tl.f64, x: tl.f64[:], y: tl.f64[:]) -> tl.f64:
    s, _, _ = product(s, x, y)
    return s


@tl.function
def backwards(s: tl.f64, x: tl.f64[:], y: tl.f64[:]) -> tl.f64:
    s, _, _ = (~product)(s, x, y)
    return s


@tl.function
def squared(x: tl.f64[:], y: tl.f64[:]) -> tl.f64:
    s, _, _ = product(0.5, x, y)
    return s * s


def data() -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(0)
    return rng.normal(size=1001), rng.normal(size=1001)


def sums(kernel: tl.Kernel) -> list[str]:
    return re.findall(r"llvm\.f(?:add|sub) .*", kernel.ir("llvm"))


@pytest.mark.parametrize("function", [forwards, backwards])
def test_the_flag_is_on_the_sum(function: tl.Function) -> None:
    arguments = (0.5, *data())
    kept, free = (tl.compile(function, arguments, fastmath=flags) for flags in (False, FREE))
    assert sums(kept) and not any("reassoc" in each for each in sums(kept))
    assert sums(free) and all("reassoc" in each for each in sums(free))


def test_order_is_kept_without_it() -> None:
    x, y = data()
    expected = 0.5
    for each in (x * y).tolist():
        expected += each
    assert forwards(0.5, x, y) == expected


@pytest.mark.parametrize("flags", [FREE, True])
def test_there_and_back(flags: bool | tuple[str, ...]) -> None:
    x, y = data()
    there, back = (tl.compile(each, (0.5, x, y), fastmath=flags) for each in (forwards, backwards))
    assert there(0.5, x, y) == pytest.approx(0.5 + x @ y, rel=1e-13)
    assert back(there(0.5, x, y), x, y) == pytest.approx(0.5, rel=1e-12)


@pytest.mark.parametrize("method", ["reversible", "redundant"])
def test_gradient(method: str) -> None:
    x, y = data()
    gradient = tl.compile(tl.grad(squared, argnums=(0, 1), method=method), (x, y), fastmath=FREE)
    total = 2.0 * (0.5 + x @ y)
    np.testing.assert_allclose(gradient(x, y), (total * y, total * x), rtol=1e-10)
