"""Writing parts of arrays."""

import numpy as np
import pytest

from frontend.running import check, run, text
from tapeless.errors import IndexOutOfRange, ShapeMismatch

X = np.arange(1.0, 8.0)
M = np.arange(12.0).reshape(3, 4)


def test_elements():
    def f(x, m, i, j):
        x = x.copy()
        m = m.copy()
        x[i] = 10
        x[-1] += 0.5
        x[i + 1] *= x[i]
        m[i, j] = 3.5
        m[-1, -1] -= 1
        m[i, 0] **= 2
        return x, m

    check(f, X, M, 1, 2)
    check(f, X, M, -2, -3)


def test_rows_columns_and_slices():
    def f(x, m, k):
        x = x.copy()
        m = m.copy()
        m[0] = x[:4]
        m[:, 1] = x[:3]
        m[1] += 1
        m[:, k] *= 2
        x[1:3] = 7
        x[2:5] += x[:3]
        x[::2] -= 1
        x[k:] = x[k:] * 0.5
        m[1:, :2] = 0.25
        m[:, 2:] += x[:2]
        x[::-3] = 9
        return x, m

    check(f, X, M, 2)


def test_reversed_slices():
    def f(x):
        y = x.copy()
        y[::-1] = x
        y[5:2:-1] += x[:3]
        return y

    check(f, X)


def test_whole_arrays():
    def f(x, m):
        x = x.copy()
        m = m.copy()
        x[:] = 2
        m[...] = 1.5
        m[:] += m
        return x, m

    check(f, X, M)


def test_integers_into_floats_and_narrow_floats():
    def f(x, n):
        x = x.copy()
        x[0] = n
        x[1:3] = n
        return x

    assert check(f, X.astype(np.float32), 3).dtype == np.float32


def test_writes_in_loops():
    def f(n):
        a = np.zeros((n, n))
        for i in range(n):
            for j in range(i, n):
                a[i, j] = i * 10 + j
                a[j, i] = a[i, j]
        return a

    assert text(f, 3).count("soac.assert") == 1
    check(f, 4)
    check(f, 0)


def test_writes_out_of_range():
    def f(x, i):
        x[i] = 1.0
        return x

    with pytest.raises(IndexOutOfRange, match="index 7 is out of range for axis 0 with size 7"):
        run(f, X, 7)


def test_writes_of_another_shape():
    def f(x, y):
        x[1:3] = y
        return x

    with pytest.raises(ShapeMismatch, match="sizes 2 and 3 of axis 0 do not match"):
        run(f, X, X[:3])


def test_a_slice_of_one_name_does_not_change_another():
    def f(m):
        row = m[0]
        row[0] = -1.0
        return m, row

    changed = M[0].copy()
    changed[0] = -1.0
    check(f, M, expected=(M, changed))
