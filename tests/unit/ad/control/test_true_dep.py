"""Promised arrays (`true_dep`): nothing of them is stored at any depth, and broken promises are found."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import tapeless as tl
from held_memory import held_by

pytestmark = pytest.mark.one_in(2)

START = np.array([0.5, 0.7, 0.9])
WHERE = "(.|\n)*for i in tl.range"


def chain(x, n):
    a = tl.zeros(n + 1)
    a[0] = x[0]
    for i in range(n):
        a[i + 1] = tl.sin(a[i]) * x[i % 3] + 0.1 * a[i // 2]
    return tl.sum(a * a)


def chain_1(x, n):
    a = tl.zeros(n + 1)
    a[0] = x[0]
    for i in tl.range(n, true_dep=("a",)):
        a[i + 1] = tl.sin(a[i]) * x[i % 3] + 0.1 * a[i // 2]
    return tl.sum(a * a)


def chain_2(x, n):
    a = tl.zeros(n + 1)
    a[0] = x[0]
    for i in tl.range(n, true_dep=("a",), stripmine=2):
        a[i + 1] = tl.sin(a[i]) * x[i % 3] + 0.1 * a[i // 2]
    return tl.sum(a * a)


def chain_3(x, n):
    a = tl.zeros(n + 1)
    a[0] = x[0]
    for i in tl.range(n, true_dep=("a",), stripmine=3):
        a[i + 1] = tl.sin(a[i]) * x[i % 3] + 0.1 * a[i // 2]
    return tl.sum(a * a)


def rows_and_state(x, n):
    """Rows of a promised array beside a state that is stored, a slice that grows, and a copy that is written over."""
    a, y = tl.zeros((n + 1, 3)), x[0]
    a[0] = x
    for i in tl.range(n, true_dep=("a",), stripmine=2):
        b = a
        b[i] = b[i] * y
        y = y * 0.9 + tl.sum(b[i]) * 0.1 + tl.sum(a[: i + 1, 0]) * 0.01
        a[i + 1] = tl.cos(a[i]) * y
    return tl.sum(a) * y


def loops_in_loops(x, n):
    a = tl.zeros((n + 1, 3))
    a[0] = x
    for i in tl.range(n, true_dep=("a",), stripmine=2):
        for j in tl.range(3, true_dep=("a",)):
            if a[i, j] > 0.3:
                a[i + 1, j] = tl.sin(a[i, j]) * a[i, (j + 1) % 3]
            else:
                a[i + 1, j] = a[i, j] + 0.3 * x[j]
    return tl.sum(a * a)


def scratch_in_loops(x, n):
    """A copy of the promised array is filled by a loop of its own and thrown away."""
    a, y = tl.zeros(n + 3), x[0]
    a[0] = x[0]
    for i in tl.range(n, true_dep=("a",), stripmine=2):
        b = a
        for j in tl.range(3, true_dep=("b",)):
            b[i + j] = y * x[j]
        y = 0.5 * y + tl.sum(b[i : i + 3]) * 0.2
        a[i + 1] = tl.sin(a[i]) * y
    return tl.sum(a) + y


def scattered(x, n):
    a = tl.zeros(2 * n + 2)
    a[0] = x[0]
    for i in tl.range(n, true_dep=("a",), stripmine=2):
        a = tl.scatter(a, 2 * i + 2 + tl.iota(2), a[2 * i : 2 * i + 2] * x[1] + x[2])
    return tl.sum(a * a)


def circular(x, n):
    a = tl.zeros(n + 1)
    a[0] = x[0]
    for i in tl.range(n, true_dep=("a",)):
        a[(i + 1) % 4] = tl.sin(a[i % 4]) * x[i % 3]
    return tl.sum(a * a)


def circular_2(x, n):
    a = tl.zeros(n + 1)
    a[0] = x[0]
    for i in tl.range(n, true_dep=("a",), stripmine=2):
        a[(i + 1) % 4] = tl.sin(a[i % 4]) * x[i % 3]
    return tl.sum(a * a)


def circular_3(x, n):
    a = tl.zeros(n + 1)
    a[0] = x[0]
    for i in tl.range(n, true_dep=("a",), stripmine=3):
        a[(i + 1) % 4] = tl.sin(a[i % 4]) * x[i % 3]
    return tl.sum(a * a)


def overwritten_indices(x, n):
    k, y = tl.zeros(2, dtype=tl.i64), 1.0
    for i in tl.range(n, true_dep=("k",)):
        y = y * x[k[0]] + i
        k[0] = (k[0] + 1) % 3
    return y


def overwritten_in_a_loop(x, n):
    a = tl.zeros((2, 3))
    a[0] = x
    for i in tl.range(n, true_dep=("a",)):
        for j in range(3):
            a[(i + 1) % 2, j] = tl.sin(a[i % 2, j]) * a[i % 2, (j + 1) % 3]
    return tl.sum(a * a)


def compiled(function: Callable[..., Any], checks: str) -> Callable[..., Any]:
    return tl.compile(tl.grad(tl.function(function)), (tl.f64[:], tl.i64), checks=checks)


def differences(function: Callable[..., Any], n: int) -> np.ndarray[Any, Any]:
    primal, step = tl.function(function), 1e-6
    return np.array([(primal(START + step * e, n) - primal(START - step * e, n)) / (2 * step) for e in np.eye(3)])


@pytest.mark.one_in(4)
@pytest.mark.parametrize("checks", ["on", "off"])
@pytest.mark.parametrize("function", [chain_1, chain_2, chain_3])
def test_depths_agree(function: Callable[..., Any], checks: str) -> None:
    promised, plain = compiled(function, checks), compiled(chain, checks)
    for n in (0, 1, 2, 7, 8, 9, 27, 28):
        np.testing.assert_allclose(promised(START, n), plain(START, n), rtol=1e-12, err_msg=f"{n} iterations")


@pytest.mark.one_in(19)
@pytest.mark.parametrize("checks", ["on", "off"])
@pytest.mark.parametrize("function", [rows_and_state, loops_in_loops, scratch_in_loops, scattered])
def test_other_arrays(function: Callable[..., Any], checks: str) -> None:
    for n in (0, 1, 5, 10):
        found = compiled(function, checks)(START, n)
        np.testing.assert_allclose(found, differences(function, n), rtol=1e-6, atol=1e-8)


@pytest.mark.one_in(2)
@pytest.mark.parametrize("function", [chain_1, chain_2, chain_3])
def test_no_states_are_stored(function: Callable[..., Any]) -> None:
    """A few arrays of n elements live at a time; states would be n arrays, or those of a chunk."""
    n = 4096
    kernel = compiled(function, "off")
    assert held_by(kernel, START, n) < 10 * 8 * n


def test_several_seeds() -> None:
    """The return sweep written more than once starts from the same arrays each time."""
    scratch = tl.function(scratch_in_loops)
    jacobian = tl.jacrev(scratch)(START, 5)
    np.testing.assert_allclose(jacobian, differences(scratch_in_loops, 5), rtol=1e-6)


BROKEN = [circular, circular_2, circular_3, overwritten_indices, overwritten_in_a_loop]


@pytest.mark.one_in(3)
@pytest.mark.parametrize("function", BROKEN)
def test_broken_promises_are_found(function: Callable[..., Any]) -> None:
    kernel = compiled(function, "on")
    kernel(START, 0)
    with pytest.raises(tl.TapelessError, match=f"named in true_dep was overwritten after it was read{WHERE}"):
        kernel(START, 11)
