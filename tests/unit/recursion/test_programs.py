"""Recursive procedures with loops, arrays, stacks and exchanges, against plain Python; all of them are undone again."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import tapeless as tl


@tl.reversible
def tower(x: tl.f64[:, :], s: tl.f32, n: tl.In[tl.i64]):
    if n > 0:
        for i in range(1, len(x)):
            with tl.ancilla(tl.zeros(3)) as z:
                z += x[i - 1] * 0.5
                x[i] += z
                s += tl.astype(n, tl.f32)
                z -= x[i - 1] * 0.5
            tower(x, s, n - 1)


def plain_tower(x, s, n):
    if n > 0:
        for i in range(1, len(x)):
            x[i] += 0.5 * x[i - 1]
            x, s, _ = plain_tower(x, s + n, n - 1)
    return x, s, n


@tl.reversible
def counting(m: tl.i64[:], x: tl.f64[:], n: tl.In[tl.i64]):
    with tl.ancilla(0) as i:
        while tl.cond(i < n, i > 0):
            x[i] += 1.0 * n
            counting(m, x, i)
            m[i] ^= n
            i += 1
        i -= n


def plain_counting(m, x, n):
    for i in range(n):
        x[i] += n
        plain_counting(m, x, i)
        m[i] ^= n
    return m, x, n


@tl.reversible
def hanoi(moves: tl.i64, a: tl.i64[:], b: tl.i64[:], c: tl.i64[:], n: tl.In[tl.i64]):
    """Arrays change places from call to call."""
    if n > 0:
        hanoi(moves, a, c, b, n - 1)
        moves += 1
        a[0] -= n
        b[0] += n
        hanoi(moves, c, b, a, n - 1)


def plain_hanoi(moves, a, b, c, n):
    if n > 0:
        moves = plain_hanoi(moves, a, c, b, n - 1)[0] + 1
        a[0] -= n
        b[0] += n
        moves = plain_hanoi(moves, c, b, a, n - 1)[0]
    return moves, a, b, c, n


@tl.reversible
def exchange(a: tl.f64[:], b: tl.f64[:], n: tl.In[tl.i64]):
    """Arrays change places in the procedure itself."""
    if n > 0:
        a, b = b, a
        a[0] += n
        exchange(a, b, n - 1)
        b[1] -= a[0]


def plain_exchange(a, b, n):
    if n > 0:
        a, b = b, a
        a[0] += n
        a, b, _ = plain_exchange(a, b, n - 1)
        b[1] -= a[0]
    return a, b, n


@tl.reversible
def quarters(m: tl.f64[:, :], n: tl.In[tl.i64]):
    """Parts of a matrix that lie apart in memory."""
    if n > 1:
        h = n // 2
        m[:h, :h] += m[h : 2 * h, h : 2 * h]
        quarters(m[:h, :h], h)
        (~quarters)(m[h : 2 * h, :h], h)
    else:
        m[0, 0] += 1.0


def plain_quarters(m, n, sign=1):
    h = n // 2
    steps = [
        lambda: m[:h, :h].__iadd__(sign * m[h : 2 * h, h : 2 * h]),
        lambda: plain_quarters(m[:h, :h], h, sign),
        lambda: plain_quarters(m[h : 2 * h, :h], h, -sign),
    ]
    if n > 1:
        for step in steps[::sign]:
            step()
    else:
        m[0, 0] += sign
    return m, n


@tl.reversible
def remember(x: tl.f64[:], n: tl.In[tl.i64]):
    with tl.ancilla(tl.new_stack(tl.f64, 10)) as s:
        store(s, x, n)
        x[0] += 1.0
        (~store)(s, x, n)


@tl.reversible
def store(s, x, n: tl.In[tl.i64]):
    """A stack is handed on."""
    if n > 0:
        with tl.ancilla(0.0) as t:
            t += x[n]
            tl.push(s, t)
        store(s, x, n - 1)


def plain_remember(x, n):
    x[0] += 1
    return x, n


RNG = np.random.default_rng(3)
PROGRAMS: dict[str, tuple[Any, Callable[..., Any], tuple[Any, ...]]] = {
    "tower": (tower, plain_tower, (RNG.normal(size=(4, 3)), np.float32(0), 3)),
    "counting": (counting, plain_counting, (np.zeros(6, dtype=np.int64), np.zeros(6), 6)),
    "hanoi": (hanoi, plain_hanoi, (0, *(np.zeros(2, dtype=np.int64) for _ in range(3)), 5)),
    "exchange": (exchange, plain_exchange, (np.zeros(4), np.ones(4), 3)),
    "quarters": (quarters, plain_quarters, (RNG.normal(size=(8, 8)), 8)),
    "stack": (remember, plain_remember, (np.arange(5.0), 4)),
}
OPTIONS: list[dict[str, Any]] = [{}, {"threads": 2}, {"checks": "off"}]


def copies(arguments):
    return [np.copy(each) if isinstance(each, np.ndarray) else each for each in arguments]


@pytest.mark.one_in(6)
@pytest.mark.parametrize("options", OPTIONS, ids=str)
@pytest.mark.parametrize("name", PROGRAMS)
def test_forwards_and_backwards(name, options):
    procedure, plain, arguments = PROGRAMS[name]
    found = tl.jit(procedure, **options)(*copies(arguments))
    for one, wanted in zip(found, plain(*copies(arguments)), strict=True):
        np.testing.assert_allclose(one, wanted, rtol=1e-12, atol=1e-12)
    for one, wanted in zip(tl.jit(~procedure, **options)(*found), arguments, strict=True):
        np.testing.assert_allclose(one, wanted, rtol=1e-12, atol=1e-12)


def test_a_saved_kernel(tmp_path):
    _, plain, arguments = PROGRAMS["tower"]
    tl.compile(tower).save(tmp_path / "tower.tl")
    loaded = tl.load(tmp_path / "tower.tl")
    np.testing.assert_allclose(loaded(*copies(arguments))[0], plain(*copies(arguments))[0], rtol=1e-13)


def test_in_place():
    x = np.copy(PROGRAMS["tower"][2][0])
    wanted = plain_tower(np.copy(x), 0.0, 2)[0]
    tower(x, 0.0, 2, inplace=True)
    np.testing.assert_allclose(x, wanted, rtol=1e-13)


def test_in_parallel_loops_of_functions():
    @tl.function
    def folded(x: tl.f64[:, :]):
        return tl.map(lambda row: fold(row, len(row))[0], x)

    x = RNG.normal(size=(3000, 16))
    wanted = np.copy(x)
    for h in (8, 4, 2, 1):
        wanted[:, :h] += wanted[:, h : 2 * h]
    for f in (folded, tl.jit(folded, threads=2)):
        np.testing.assert_allclose(f(x), wanted, rtol=1e-12, atol=1e-12)


@tl.reversible
def fold(x: tl.f64[:], n: tl.In[tl.i64]):
    if n > 1:
        x[: n // 2] += x[n // 2 : n // 2 * 2]
        fold(x[: n // 2], n // 2)
