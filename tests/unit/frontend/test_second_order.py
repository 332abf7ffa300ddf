"""Second-order operators: map, reduce, scan, hist, scatter, with functions of every kind, nested."""

import numpy as np
import pytest

import tapeless as tl
from frontend.running import compare, run, text
from tapeless.errors import ShapeMismatch

X = np.array([3.0, -1.0, 4.0, -1.5, 5.0])
Y = np.array([1.0, 2.0, 0.5, -2.0, 0.25])
M = np.arange(12.0).reshape(3, 4)
KEYS = np.array([0, 2, 2, -1, 7])


@tl.function
def square_plus(v, w=1.0):
    return v * v + w


def test_maps():
    def f(x, y, c):
        def scaled(v):
            return v * c

        return tl.map(lambda a, b: a * b + c, x, y), tl.map(scaled, x), tl.map(square_plus, x), tl.map(tl.maximum, x, y)

    compare(run(f, X, Y, 2.0), (X * Y + 2, X * 2, X * X + 1, np.maximum(X, Y)))


def test_maps_of_rows_and_several_results():
    def f(m):
        totals, (doubled, first) = tl.map(lambda row: (tl.sum(row), (row * 2, row[0])), m)
        return totals, doubled, first

    compare(run(f, M), (M.sum(1), M * 2, M[:, 0]))


def test_maps_nest():
    def f(x, m):
        table = tl.map(lambda a: tl.map(lambda b: tl.sum(tl.map(lambda c: a * b * c, x)), x), x)
        rows = tl.map(lambda row: tl.reduce(lambda p, q: p + q, 0.0, tl.map(lambda v: v * tl.sum(row), row)), m)
        return table, rows

    compare(run(f, X, M), (np.outer(X, X) * X.sum(), M.sum(1) ** 2))


def test_maps_with_loops_and_branches_inside():
    def f(x, n):
        def powered(v):
            result = 1.0
            for _ in range(n):
                if v < 0:
                    break
                result *= v
            return result

        return tl.map(powered, x)

    compare(run(f, X, 3), np.where(X < 0, 1.0, X**3))


def test_reduces():
    def f(x, m):
        largest = tl.reduce(tl.maximum, -tl.inf, x)
        total = tl.reduce(lambda a, b: a + b, 0, x)
        rows = tl.reduce(lambda a, b: a + b, tl.zeros(4), m)
        filled = tl.reduce(lambda a, b: tl.maximum(a, b), -1e9, m)
        return largest, total, rows, filled

    compare(run(f, X, M), (5.0, X.sum(), M.sum(0), M.max(0)))


def test_reduces_of_several_arrays():
    def f(x):
        def best(a, i, b, j):
            is_first = a >= b
            return (a, i) if is_first else (b, j)

        return tl.reduce(best, (-tl.inf, -1), x, tl.iota(len(x)))

    assert run(f, X) == (5.0, 4)


def test_an_operator_that_widens_its_operands():
    compare(run(lambda n: tl.reduce(lambda a, b: a + b * 1.0, 0, n), np.array([1, 2, 3])), 6.0)


@pytest.mark.parametrize("n", [0, 1, 5])
def test_scans(n):
    def f(x):
        plain = tl.scan(lambda a, b: a + b, 0.0, x)
        before = tl.scan(lambda a, b: a + b, 0.0, x, exclusive=True)
        suffixes = tl.scan(lambda a, b: a + b, 0.0, x, reverse=True)
        after = tl.scan(lambda a, b: a + b, 0.0, x, exclusive=True, reverse=True)
        return plain, before, suffixes, after

    x = X[:n]
    sums, back = np.cumsum(x), np.cumsum(x[::-1])[::-1]
    compare(run(f, x), (sums, sums - x, back, back - x))


def test_scans_keep_the_order_of_operands():
    def f(a, b):
        return tl.scan(lambda a1, b1, a2, b2: (a1 * a2, b1 * a2 + b2), (1.0, 0.0), a, b)

    state, expected = 0.0, []
    for a, b in zip(X, Y, strict=True):
        state = state * a + b
        expected.append(state)
    compare(run(f, X, Y), (np.cumprod(X), np.array(expected)))


def test_scans_of_rows():
    compare(run(lambda m: tl.scan(lambda a, b: a + b, tl.zeros(4), m), M), M.cumsum(0))


def test_histograms():
    def f(keys, x, y):
        counts = tl.hist(lambda a, b: a + b, 0, tl.zeros(3, tl.i64), keys, tl.full(len(keys), 1))
        sums = tl.hist(lambda a, b: a + b, 0.0, tl.ones(3), keys, x)
        pair = tl.hist(
            lambda a, b, c, d: (a + c, tl.maximum(b, d)), (0.0, -tl.inf), (tl.zeros(3), tl.zeros(3)), keys, (x, y)
        )
        return counts, sums, pair

    largest = np.array([max(0, Y[0]), 0.0, max(0.0, Y[1], Y[2])])
    sums = np.array([X[0], 0.0, X[1] + X[2]])
    compare(run(f, KEYS, X, Y), (np.array([1, 0, 2]), sums + 1, (sums, largest)))


def test_narrow_keys():
    """Keys stay as wide as they are; derivatives are those with wide ones."""

    def loss(x, keys):
        sums = tl.hist(lambda a, b: a + b, 0.0, tl.zeros(3), keys, x)
        products = tl.hist(lambda a, b: a * b, 1.0, tl.ones(3), keys, x)
        tops = tl.hist(tl.maximum, -tl.inf, tl.zeros(3), keys, x)
        mixed = tl.hist(lambda a, b: a + b + a * b, 0.0, tl.zeros(3), keys, x)
        return tl.sum(sums * products * (1 + tops) * mixed) + tl.sum(tl.scatter(tl.zeros(3), keys, x) ** 2)

    x, keys = np.array([0.5, 1.5, -2.0, 3.0, 0.25]), np.array([0, 2, -1, 5, 2])
    wide = tl.value_and_grad(loss)(x, keys)
    for method in ("redundant", "reversible"):
        narrow = tl.value_and_grad(loss, method=method)(x, keys.astype(np.int32))
        for one, other in zip(narrow, wide, strict=True):
            np.testing.assert_allclose(one, other, rtol=1e-14)


def test_histograms_of_rows():
    def f(keys, m):
        return tl.hist(lambda a, b: a + b, tl.zeros(4), tl.zeros((2, 4)), keys, m)

    compare(run(f, np.array([1, 0, 1], np.int32), M), np.stack((M[1], M[0] + M[2])))


def test_scatters():
    def f(dest, keys, x, m):
        return tl.scatter(dest, keys, x), tl.scatter(m, keys, 1.5), dest

    keys = np.array([3, 0, -1, 9, 2])
    expected, rows = np.zeros(4), M.copy()
    expected[[3, 0, 2]] = X[[0, 1, 4]]
    rows[[0, 2]] = 1.5
    compare(run(f, np.zeros(4), keys, X, M), (expected, rows, np.zeros(4)))


def test_outer_arrays_are_free_values():
    ir = text(lambda x, m: tl.map(lambda row: tl.sum(row * x), m), X, M)
    assert ir.count("soac.assert") == 1


def test_widths_must_agree():
    with pytest.raises(ShapeMismatch, match="sizes 5 and 3 of axis 0 do not match"):
        run(lambda x, y: tl.reduce(lambda a, b, c, d: (a + c, b + d), (0.0, 0.0), x, y), X, Y[:3])
    with pytest.raises(ShapeMismatch, match="sizes 5 and 3 of axis 0 do not match"):
        run(lambda k, y: tl.scatter(tl.zeros(3), k, y), KEYS, Y[:3])


def test_loops_in_operators_of_empty_arrays():
    compare(run(lambda m: tl.map(lambda row: tl.sum(row), m), M[:0]), np.zeros(0))
