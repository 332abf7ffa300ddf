"""Log numbers: products that have inverses, without losing digits, and the values that they are read as."""

import math

import numpy as np
import pytest

import tapeless as tl


@tl.reversible
def scaled(y: tl.ulog, x: tl.In[tl.f64[:]]):
    for i in range(len(x)):
        y *= x[i]


@tl.reversible
def exact(y: tl.ulog43, x: tl.In[tl.f64[:]]):
    for i in range(len(x)):
        y *= x[i]
        y /= 1.5


def test_products_and_their_inverse():
    x = np.random.default_rng(3).uniform(0.5, 2.0, size=50)
    far = scaled(3.0, x)
    assert float(far[0]) == pytest.approx(3.0 * np.prod(x), rel=1e-13)
    assert float((~scaled)(*far)[0]) == pytest.approx(3.0, rel=1e-13)


def test_on_the_grid_the_inverse_is_exact():
    x = np.random.default_rng(4).uniform(0.5, 3.0, size=10_000)
    far = exact(3.0, x)
    logarithm = round(math.log(3.0) * 2**43) + sum(round(math.log(v) * 2**43) - round(math.log(1.5) * 2**43) for v in x)
    assert abs(int(far[0].raw) - logarithm) <= len(x)  # a logarithm may differ in its last bit
    assert (~exact)(*far)[0] == tl.ulog43(3.0)


def test_log_numbers_multiply_by_what_they_hold():
    @tl.reversible
    def combine(y: tl.ulog43, a: tl.In[tl.ulog43], b: tl.In[tl.ulog43[:]]):
        y *= a * b[0] / b[1]
        y /= a**3

    a, b = tl.ulog43(1.7), tl.ulog43([2.5, 0.3])
    far = combine(1.0, a, b)
    assert far[0].raw == a.raw + b.raw[0] - b.raw[1] - 3 * a.raw


def test_numbers_too_large_for_floats():
    @tl.reversible
    def power(y: tl.ulog, x: tl.In[tl.ulog], n: tl.In[tl.i64]):
        y *= x**n

    far = power(1.0, 10.0, 500)
    assert far[0].raw == pytest.approx(500 * math.log(10.0), rel=1e-15)
    assert float((~power)(*far)[0]) == pytest.approx(1.0, abs=1e-12)


def test_values_are_read_as_floats():
    @tl.reversible
    def use(s: tl.f64, u: tl.ulog[:], v: tl.ulog):
        s += tl.sum(u) * v
        u *= v * tl.exp(2.0)
        tl.recip(v)

    u = np.array([1.0, 2.0, 4.0])
    far = use(0.5, u, 3.0)
    assert far[0] == pytest.approx(0.5 + 21.0, rel=1e-14)
    assert np.asarray(far[1]) == pytest.approx(u * 3.0 * math.exp(2.0), rel=1e-14)
    assert float(far[2]) == pytest.approx(1.0 / 3.0, rel=1e-14)
    back = (~use)(*far)
    assert back[0] == pytest.approx(0.5, rel=1e-13)
    assert np.asarray(back[1]) == pytest.approx(u, rel=1e-14)


def test_procedures_take_values_for_what_they_only_read():
    @tl.reversible
    def times(y: tl.ulog, x: tl.In[tl.ulog]):
        y *= x

    @tl.reversible
    def twice(y: tl.ulog, a: tl.In[tl.f64]):
        times(y, a * a)
        times(y, 2.0)

    far = twice(1.0, 3.0)
    assert float(far[0]) == pytest.approx(18.0, rel=1e-14)
    assert float((~twice)(*far)[0]) == pytest.approx(1.0, rel=1e-14)


def test_ancillas_start_at_positive_values():
    @tl.reversible
    def power(y: tl.f64, x: tl.In[tl.f64], n: tl.In[tl.i64]):
        with tl.ancilla(tl.ulog(1.0)) as u:
            with tl.routine() as r:
                for _ in range(n):
                    u *= x
            y += u
            ~r

    assert power(0.0, 2.0, 12)[0] == pytest.approx(4096.0, rel=1e-14)
    assert tl.grad(power, loss=0, argnums=1)(0.0, 2.0, 12) == pytest.approx(12 * 2.0**11, rel=1e-13)


@pytest.mark.parametrize("value", [0.0, -1.0, math.nan])
def test_what_is_not_positive_is_refused(value):
    with pytest.raises(tl.ArgumentError, match=r"argument 'y': tl.ulog holds positive numbers"):
        scaled(value, np.ones(1))
    with pytest.raises(tl.InvertibilityError, match="cannot be held by a log number, which is positive"):
        scaled(1.0, np.array([2.0, value]))


def test_sums_and_signs_are_refused():
    @tl.reversible
    def added(y: tl.ulog):
        y += 1.0

    @tl.reversible
    def negated(y: tl.ulog):
        y = -y

    @tl.reversible
    def plain(y: tl.f64, x: tl.In[tl.f64]):
        y *= x

    with pytest.raises(tl.NotReversible, match="a log number can only be multiplied and divided"):
        added(1.0)
    with pytest.raises(tl.NotReversible, match="a log number is positive"):
        negated(1.0)
    with pytest.raises(tl.NotReversible, match=r"use a log number \(tl.ulog\)"):
        plain(1.0, 2.0)
