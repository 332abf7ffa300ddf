"""Reading parts of arrays: positions, slices, new axes, gathers; negative positions and clamping as in Python."""

import numpy as np
import pytest

from frontend.running import check, run, text
from tapeless.errors import IndexOutOfRange
from tapeless.types import f64

X = np.arange(1.0, 8.0)
M = np.arange(1.0, 13.0).reshape(3, 4)
T = np.arange(24.0).reshape(2, 3, 4)


def test_elements_rows_and_columns():
    def f(m, i, j):
        return m[i, j], m[i], m[:, j], m[i][j], m[-1], m[-1, -2], m[..., j], m[i, ...]

    for i, j in ((0, 0), (2, 3), (-1, -4), (-3, 1)):
        check(f, M, i, j)


def test_three_axes():
    def f(x, k):
        return x[k], x[:, k], x[:, :, k], x[k, 1:, ::2], x[0, :, k], x[:, 1, :2], x[:, k + 1 :, 1]

    check(f, T, 1)


@pytest.mark.parametrize("bounds", [(0, 3), (2, 9), (-3, 7), (-20, -2), (5, 2), (3, -1), (-2, -5), (9, 12), (0, -20)])
def test_computed_slices_clamp(bounds):
    def f(x, a, b):
        return x[a:b], x[a:], x[:b], x[a:b:2], x[a:b:-1], x[b:a:-2], x[a::-1], x[:b:-3]

    check(f, X, *bounds)


def test_constant_slices():
    def f(x):
        return x[1:], x[:-1], x[1:-1], x[2:100], x[-100:2], x[::2], x[1::3], x[::-1], x[-2::-2], x[5:2], x[:], x[4:1:-1]

    for n in range(8):
        check(f, X[:n])


def test_none_as_a_bound():
    check(lambda x: (x[None:3], x[2:None]), X)


def test_new_axes():
    def f(x, m):
        return x[:, None], x[None, :], m[:, None, 1:], x[None], m[0, None], x[:, None] * x, x[:, None] + x[None, :] * 2

    check(f, X, M)


def test_a_new_axis_of_an_element():
    check(lambda x: x[0, None] + 1, X)


def test_neighbours_share_sizes():
    def f(x):
        return x[1:] - x[:-1], x[2:] - 2 * x[1:-1] + x[:-2]

    assert "soac.assert" not in text(f, X)
    for n in (0, 1, 2, 7):
        check(f, X[:n])


@pytest.mark.parametrize("shape", [(5,), (2, 3), (2, 2, 2), (0,)])
def test_gathers(shape):
    def f(x, m, i):
        return x[i], m[i], x[i] * 2 + 1

    indices = np.random.default_rng(0).integers(-3, 3, size=shape)
    check(f, X, M, indices)
    check(f, X, M, indices.astype(np.int32))


def test_gathers_with_expressions():
    check(lambda x, i: x[i // 2 + 1], X, np.array([0, 3, 5]))


def test_tuples():
    def f(x):
        pair = (x, x[0], 3)
        return pair[0], pair[1], pair[-1], len(pair), x.shape[0], x.shape[-1]

    check(f, X)


def test_positions_in_loops_that_wrap():
    def f(x):
        total = 0.0
        for i in range(len(x)):
            total += x[i - 1] * x[(i + 1) % len(x)] * x[-i]
        return total

    check(f, X)
    check(f, X[:0])


@pytest.mark.parametrize("i", [7, -8, 100])
def test_positions_out_of_range(i):
    with pytest.raises(IndexOutOfRange, match=rf"index {i} is out of range for axis 0 with size 7"):
        run(lambda x, i: x[i], X, i)
    with pytest.raises(IndexOutOfRange, match="out of range for axis 0"):
        run(lambda x, i: x[i], X, np.array([0, i]))


def test_positions_out_of_range_of_other_axes():
    with pytest.raises(IndexOutOfRange, match="index 4 is out of range for axis 1 with size 4"):
        run(lambda m, j: m[1, j], M, 4)
    with pytest.raises(IndexOutOfRange, match="index -4 is out of range for axis 0 with size 3"):
        run(lambda m, i: m[i], M, -4)


def test_narrow_integers_index():
    check(lambda x, i: (x[i], x[i:]), X, np.int32(-2))


def test_no_checks_where_the_range_is_proved():
    def f(x, m):
        n = x.shape[0]
        total = 0.0
        for i in range(n):
            total += x[i] + x[-1 - i] + x[n - 1 - i]
            if i > 0:
                total += x[i - 1]
            total += x[i + 1] if i + 1 < n else 0.0
            for j in range(i, n):
                total += x[j] + x[j - i] + x[min(j, 3)] * 0 if n > 3 else 0.0
        for i in range(1, n - 1):
            total += x[i - 1] + x[i + 1]
        for i in range(m.shape[0]):
            for j in range(m.shape[1]):
                total += m[i, j]
        for i in range(n - 1, -1, -1):
            total += x[i]
        for i in range(0, n, 2):
            total += x[i]
        return total

    assert "soac.assert" not in text(f, X, M)
    check(f, X, M)


def test_a_check_is_made_once():
    def f(x, i):
        return x[i] * x[i] + x[i]

    assert text(f, X, 1).count("soac.assert") == 1


def test_checks_of_one_branch_do_not_count_in_the_other():
    def f(x, i, c):
        y = x[i] if c else 0.0
        return y + x[i]

    assert text(f, X, 1, True).count("soac.assert") == 2


def test_constant_positions_of_static_sizes_need_no_check():
    assert "soac.assert" not in text(lambda x: x[0] + x[-3] + x[2], f64[3])
