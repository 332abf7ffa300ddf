"""The interpreter of reversible procedures: values that are known, both directions, checks that fail."""

from __future__ import annotations

import numpy as np
import pytest

from reversible.interpreter import CheckFailed, Mode, Procedures

NORM = """
@tl.reversible
def f(r: tl.f64, y: tl.f64, x: tl.f64[:]):
    for i in range(len(x)):
        y += x[i] * x[i]
    r += tl.sqrt(y)
"""
CHAIN = """
@tl.reversible
def f(a: tl.f64, b: tl.f64, c: tl.f64, d: tl.f64):
    a += b * c
    a += b ** d
    c += b / d
    tl.rot(a, c, d)
    b += d ** 2
    a += c * d
"""
WHILE = """
@tl.reversible
def f(x: tl.i64):
    while tl.cond(x < 100, x > {}):
        x += 9
"""
PARITY = """
@tl.reversible
def f(x: tl.i64):
    if tl.cond(x % 2 == 1, x % 2 == 0):
        x += 1
    else:
        x -= 1
"""
UNCHANGED = """
@tl.reversible
def f(o: tl.f64, a: tl.f64, b: tl.f64):
    if o < 4:
        o += a * b
"""
ANCILLA = """
@tl.reversible
def f(x: tl.f64):
    with tl.ancilla(0.0) as z:
        z += 1
        z -= 10
"""
VISITS = """
@tl.reversible
def f(code: tl.i64[:], count: tl.i64, lo: tl.In[tl.i64], hi: tl.In[tl.i64], step: tl.In[tl.i64]):
    for i in range(lo, hi, step):
        code[count] ^= i
        count += 1
"""
ROUTINE = """
@tl.reversible
def power(out: tl.f64, x: tl.In[tl.f64]):
    with tl.ancilla(0.0) as a, tl.ancilla(0.0) as b:
        with tl.routine() as r:
            a += x * x
            b += a * a
        out += b * x
        ~r

@tl.reversible
def f(out: tl.f64, x: tl.f64):
    power(out, x)
    (~power)(out, 0.5 * x)
"""
STACK = """
@tl.reversible
def f(v: tl.f64[:]):
    with tl.ancilla(tl.new_stack(tl.f64, 3)) as s:
        for i in range(3):
            tl.push(s, v[i])
        for i in range(3):
            tl.pop(s, v[i])
"""
SAME = """
@tl.reversible
def f(v: tl.f64[:], i: tl.In[tl.i64], j: tl.In[tl.i64]):
    v[i] += 2.0 * v[j]
"""


def run(text: str, *cells, backwards: bool = False):
    return Procedures(text).run("f", cells, backwards)


def there_and_back(text: str, *cells) -> None:
    for back, cell in zip(run(text, *run(text, *cells), backwards=True), cells, strict=True):
        np.testing.assert_allclose(back, cell, rtol=1e-14, atol=1e-14)


def test_norm() -> None:
    r, y, _ = run(NORM, 0.0, 0.0, np.array([1.0, 2.0, 3.0]))
    assert (r, y) == (3.7416573867739413, 14.0)
    there_and_back(NORM, 0.0, 0.0, np.array([1.0, 2.0, 3.0]))


def test_derivatives_of_a_chain() -> None:
    at, wanted = (0.0, 2.0, 1.0, 3.0), (-0.5666324724, -8.403254641, -4.244362443, -32.85609754)
    assert run(CHAIN, *at)[0] == pytest.approx(-10.85148722)
    complex_ = Procedures(CHAIN, Mode(is_complex=True))
    for place, derivative in enumerate(wanted):
        moved = [value + (1e-30j if k == place else 0.0) for k, value in enumerate(at)]
        assert complex_.run("f", moved)[0].imag / 1e-30 == pytest.approx(derivative, rel=1e-9)


def test_loop_between_two_conditions() -> None:
    assert run(WHILE.format(0), 0) == (108,)
    assert run(WHILE.format(0), 108, backwards=True) == (0,)
    with pytest.raises(CheckFailed):
        run(WHILE.format(-10), 0)


@pytest.mark.parametrize("text, cells", [(UNCHANGED, (0.0, 7.0, 4.0)), (ANCILLA, (0.0,))], ids=["condition", "ancilla"])
def test_checks_fail(text: str, cells: tuple[float, ...]) -> None:
    with pytest.raises(CheckFailed):
        run(text, *cells)


def test_parity() -> None:
    assert run(PARITY, 3) == (4,)
    assert run(PARITY, 4) == (3,)
    there_and_back(PARITY, 3)


@pytest.mark.parametrize("bounds", [(0, 5, 2), (5, 0, -2), (4, 4, 1), (1, 9, 3), (7, -2, -4), (3, 0, 1)])
def test_visits(bounds: tuple[int, int, int]) -> None:
    visited = run(VISITS, np.zeros(9, np.int64), 0, *bounds)
    assert visited[0][: len(range(*bounds))].tolist() == list(range(*bounds))
    there_and_back(VISITS, np.zeros(9, np.int64), 0, *bounds)


def test_what_is_computed_and_uncomputed() -> None:
    assert run(ROUTINE, 0.0, 2.0) == (32.0 - 1.0, 2.0)
    there_and_back(ROUTINE, 0.0, 2.0)


def test_stack_reverses() -> None:
    assert run(STACK, np.array([1.0, 2.0, 3.0]))[0].tolist() == [3.0, 2.0, 1.0]
    there_and_back(STACK, np.array([1.0, 2.0, 3.0]))


def test_one_element_by_two_names() -> None:
    assert run(SAME, np.array([1.0, 2.0]), 0, 1)[0].tolist() == [5.0, 2.0]
    with pytest.raises(CheckFailed):
        run(SAME, np.array([1.0, 2.0]), 1, -1)
