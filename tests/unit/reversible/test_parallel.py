"""Loops whose iterations are independent run as maps: the same bits as in order, adjoints with shared sums."""

from __future__ import annotations

import numpy as np
import pytest

import tapeless as tl

pytestmark = pytest.mark.one_in(2)

RNG = np.random.default_rng(3)


@tl.reversible
def scaled_sines(y: tl.f64[:], a: tl.f64, x: tl.f64[:], w: tl.f64[:]):
    """Every iteration reads `a`, and neighbours read one element of `w`."""
    for i in range(1, len(x)):
        y[i] += a * tl.sin(x[i]) * w[i - 1]
        y[i] -= w[i]


@tl.function
def scaled_sines_by_arrays(y: tl.f64[:], a: tl.f64, x: tl.f64[:], w: tl.f64[:]):
    y[1:] += a * tl.sin(x[1:]) * w[:-1] - w[1:]
    return y


@tl.reversible
def times(y: tl.f64[:], m: tl.f64[:, :], x: tl.f64[:]):
    for i in range(len(y)):
        for j in range(len(x)):
            y[i] += m[i, j] * x[j]


@tl.reversible
def down_columns(m: tl.f64[:, :], x: tl.f64[:], k: tl.In[tl.i64[:]]):
    """Every iteration has a column, and turns it against another array at places that are data."""
    for j in range(m.shape[1] - 1, -1, -1):
        m[:, j] += x[k[j]]
        m[0, j] += x[j] * x[k[j]]


@tl.reversible
def exchanged(a: tl.f64[:], b: tl.f64[:], angle: tl.f64):
    for i in range(0, len(a), 3):
        a[i], b[i] = b[i], a[i]
        tl.rot(a[i], b[i], angle)
        a[i] = -a[i]


@tl.reversible
def positive_part(y: tl.f64[:], x: tl.f64[:]):
    for i in range(len(x)):
        if x[i] > 0.0:
            y[i] += x[i] * x[i]


@tl.reversible
def on_the_grid(y: tl.fixed43[:], count: tl.i64, x: tl.In[tl.f64[:]]):
    for i in range(len(x)):
        y[i] += tl.sin(x[i])
        count += 2


@tl.reversible
def in_order(s: tl.f64, x: tl.f64[:], y: tl.f64[:]):
    for i in range(len(x)):
        s += x[i] * y[i]


def dot(a, b) -> float:
    return sum(np.sum(p * q) for p, q in zip(a, b, strict=True))


def lowered(f, *arguments) -> str:
    return tl.compile(f, arguments).ir("rev-lower")


def test_elements_are_computed_as_in_order_to_the_last_bit():
    y, x, w = RNG.normal(size=(3, 50))
    expected = y.copy()
    for i in range(1, 50):
        expected[i] += 0.7 * np.sin(x[i]) * w[i - 1]
        expected[i] -= w[i]
    kernel = tl.compile(scaled_sines, (y, 0.7, x, w))
    assert "soac.map" in kernel.ir("rev-lower")
    assert "scf.for" not in kernel.ir("rev-lower")
    found = kernel(y, 0.7, x, w)[0]
    np.testing.assert_allclose(found, expected, rtol=1e-15, atol=1e-15)
    np.testing.assert_allclose((~scaled_sines)(found, 0.7, x, w)[0], y, rtol=1e-14, atol=1e-15)


def test_adjoints_of_what_iterations_share():
    y, x, w, bar = RNG.normal(size=(4, 50))
    zeros = (0.0, np.zeros(50), np.zeros(50))
    found = tl.vjp(scaled_sines, y, 0.7, x, w)[1]((bar, *zeros))
    expected = tl.vjp(scaled_sines_by_arrays, y, 0.7, x, w)[1](bar)
    for a, b in zip(found, expected, strict=True):
        np.testing.assert_allclose(a, b, rtol=1e-13, atol=1e-14)


def test_threads_do_not_change_bits():
    y, x, w, bar = RNG.normal(size=(4, 300_000))

    @tl.function
    def pulled_back(y: tl.f64[:], a: tl.f64, x: tl.f64[:], w: tl.f64[:], bar: tl.f64[:]):
        return tl.vjp(scaled_sines, y, a, x, w)[1]((bar, 0.0, 0.0 * x, 0.0 * w))

    arguments = (y, 0.7, x, w, bar)
    one, two = (tl.compile(pulled_back, arguments, threads=threads)(*arguments) for threads in (1, 2))
    for a, b in zip(one, two, strict=True):
        assert np.array_equal(a, b)
    np.testing.assert_allclose(one[1], np.sum(bar[1:] * np.sin(x[1:]) * w[:-1]), rtol=1e-10)
    free = tl.compile(pulled_back, arguments, threads=2, deterministic=False)(*arguments)
    for a, b in zip(one, free, strict=True):
        np.testing.assert_allclose(a, b, rtol=1e-10, atol=1e-12)


def test_rows_and_sums_inside_of_iterations():
    m, y, x, bar = RNG.normal(size=(9, 12)), RNG.normal(size=9), RNG.normal(size=12), RNG.normal(size=9)
    np.testing.assert_allclose(times(y, m, x)[0], y + m @ x, rtol=1e-13)
    y_bar, m_bar, x_bar = tl.vjp(times, y, m, x)[1]((bar, 0 * m, 0 * x))
    np.testing.assert_allclose(y_bar, bar)
    np.testing.assert_allclose(m_bar, np.outer(bar, x), rtol=1e-14)
    np.testing.assert_allclose(x_bar, m.T @ bar, rtol=1e-13)


def test_columns_and_adjoints_at_places_that_are_data():
    m, x = RNG.normal(size=(4, 11)), RNG.normal(size=11)
    k = RNG.integers(0, 11, size=11)
    expected = m + x[k]
    expected[0] += x * x[k]
    np.testing.assert_allclose(down_columns(m, x, k)[0], expected, rtol=1e-14)
    bar = RNG.normal(size=(4, 11))
    _, x_bar, _ = tl.vjp(down_columns, m, x, k)[1]((bar, 0 * x, 0 * k))
    wanted = bar[0] * x[k]
    np.add.at(wanted, k, bar.sum(axis=0) + bar[0] * x)
    np.testing.assert_allclose(x_bar, wanted, rtol=1e-13)


def test_statements_on_two_elements():
    a, b = RNG.normal(size=(2, 30))
    left = exchanged(a, b, 0.3)
    at = np.arange(0, 30, 3)
    expected = a.copy(), b.copy()
    expected[0][at] = -(b[at] * np.cos(0.3) - a[at] * np.sin(0.3))
    expected[1][at] = b[at] * np.sin(0.3) + a[at] * np.cos(0.3)
    for found, wanted in zip(left, expected, strict=False):
        np.testing.assert_allclose(found, wanted, rtol=1e-14)
    for found, wanted in zip((~exchanged)(*left), (a, b), strict=False):
        np.testing.assert_allclose(found, wanted, rtol=1e-13, atol=1e-15)
    v = RNG.normal(size=30), RNG.normal(size=30), 0.9
    w = RNG.normal(size=30), RNG.normal(size=30), 0.4
    _, pushed = tl.jvp(exchanged, (a, b, 0.3), v)
    pulled = tl.vjp(exchanged, a, b, 0.3)[1](w)
    np.testing.assert_allclose(dot(w, pushed), dot(pulled, v), rtol=1e-12)


def test_iterations_that_leave_an_array_alone_need_no_element_of_it():
    x = np.concatenate([RNG.normal(size=10), -np.ones(5)])
    y = np.zeros(10)
    np.testing.assert_allclose(positive_part(y, x)[0], np.maximum(x[:10], 0.0) ** 2)
    with pytest.raises(tl.IndexOutOfRange, match="index 10 is out of range for axis 0 with size 10"):
        positive_part(y, np.ones(15))


def test_an_iteration_without_its_element_is_an_error():
    with pytest.raises(tl.IndexOutOfRange, match="index 5 is out of range for axis 0 with size 5"):
        scaled_sines(np.zeros(5), 1.0, np.ones(9), np.ones(9))


def test_no_iterations():
    assert scaled_sines(np.ones(3), 1.0, np.ones(0), np.ones(0))[0].tolist() == [1.0, 1.0, 1.0]


def test_numbers_on_the_grid_and_counters():
    x = RNG.normal(size=40)
    y, count, _ = left = on_the_grid(np.zeros(40), 1, x)
    np.testing.assert_allclose(np.asarray(y), np.sin(x), atol=1e-13)
    assert count == 81
    back = (~on_the_grid)(*left)
    assert not np.asarray(back[0]).any()
    assert back[1] == 1


def test_sums_of_floats_keep_their_order():
    x, y = RNG.normal(size=(2, 1000))
    expected = 0.0
    for a, b in zip(x, y, strict=True):
        expected += a * b
    assert in_order(0.0, x, y)[0] == expected
    assert "scf.for" in lowered(in_order, 0.0, x, y)


def test_short_loops_stay_loops():
    @tl.reversible
    def three(y: tl.f64[3], x: tl.In[tl.f64[3]]):
        for i in range(3):
            y[i] += x[i]

    assert "soac.map" not in lowered(three, np.zeros(3), np.ones(3))


def test_second_derivatives():
    @tl.reversible
    def loss(total: tl.f64, y: tl.f64[:], x: tl.f64[:]):
        for i in range(len(x)):
            y[i] += x[i] * x[i] * x[0]
        total += tl.sum(y * y)

    @tl.function
    def same(x: tl.f64[:]) -> tl.f64:
        y = x * x * x[0]
        return tl.sum(y * y)

    x = RNG.normal(size=9)
    found = tl.hessian(loss, loss=0, argnums=2)(0.0, np.zeros(9), x)
    np.testing.assert_allclose(found, tl.hessian(same)(x), rtol=1e-11, atol=1e-11)


def test_adjoints_that_nobody_asks_for_are_not_made():
    y, x = RNG.normal(size=(2, 20))
    one = tl.compile(tl.grad(in_order, loss=0, argnums=1), (0.0, x, y)).ir("ad")
    both = tl.compile(tl.grad(in_order, loss=0, argnums=(1, 2)), (0.0, x, y)).ir("ad")
    assert one.count("tensor.insert %") == 1
    assert both.count("tensor.insert %") == 2
