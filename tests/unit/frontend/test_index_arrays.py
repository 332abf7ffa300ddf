"""Index arrays and masks, read and written: against numpy, which runs the same source, and by derivatives."""

import numpy as np
import pytest

import tapeless as tl
from frontend.running import check, run
from tapeless.errors import IndexOutOfRange, ShapeMismatch

X, V = np.arange(5.0) + 0.25, np.array([1.5, 2.0, 3.0, 4.0])
M, T = np.arange(12.0).reshape(3, 4) + 0.5, np.arange(24.0).reshape(2, 3, 4)
TWICE, ROWS, COLUMNS = np.array([2, 0, -1, 2]), np.array([0, -1, 2]), np.array([3, 1, 1])
METHODS = ("redundant", "reversible", "coarsened")


def test_reads_beside_integers_slices_and_new_axes():
    def matrices(m, i, r, c, k):
        pairs = m[r, c], m[r[:, None], c], m[k, i], m[i * 0, k], m[k, i[:2]]
        lines = m[:, i], m[1:, c], m[::-1, c], m[r], m[r, 1:], m[..., c], m[r, ...]
        return pairs, lines, (m[:, None, c], m[None, r, 1:], m[r, None], m[r, None, c])

    def cubes(x, r, c, k):
        together = x[:, r, c], x[k, r], x[k, r, c], x[:, k, c], x[k, r[:, None], c[None]], x[:, :, c], x[:, r]
        return together, (x[k, :, c], x[r * 0, :, c], x[r * 0, :, c, None], x[k, None, r, 0], x[0, :2, c])

    check(matrices, M, TWICE, ROWS, COLUMNS, 1)
    check(matrices, M, TWICE[:0], ROWS[:0], COLUMNS[:0], -1)
    check(cubes, T, ROWS, COLUMNS, 1)


def test_of_values_for_one_place_the_last_stays():
    def f(x, m, t, i, r, c, v, k):
        a, b, d, e, y, w, z, g, h = x * 1, m * 1, m * 1, m * 1, m * 1, m * 1, m * 1, t * 1, t * 1
        a[i] = v
        b[r, c] = v[:3]
        d[:, c] = v[:3]
        e[1:, c] = 7.0
        y[r] = v
        w[r[:, None], c] = v[:3]
        z[i * 0 + k] = 2
        g[k, :, c] = v[:3, None]
        h[:, r, 1:] = v[:3, None] * v[None, :3]
        return a, b, d, e, g, h, y, w, z

    check(f, X, M, T, TWICE, ROWS, COLUMNS, V, 1)


def test_parts_of_parts_and_masks():
    def f(x, m, v, k):
        a, b, c, d, e = m * 1, m * 1, m * 1, x * 1, m * 1
        a[k][2] = 3.5
        a[k][1:] += v[:3]
        for n in range(3):
            a[n][k] = n * 1.0
        b[m > 4.0] = -1.0
        b[b[:, 0] > 3.0] *= v
        c[m[:, 0] > 3.0] = v
        c[:, 1][m[:, 1] > 2.0] -= 0.5
        d[x > 2.0] **= 0.5
        e[m > 100.0] /= 0.0
        return a, b, c, d, e

    check(f, X, M, V, 1)


def updates(x, m, i, r, c, v):
    a, b, d, e, h = x * 1, m * 1, m * 1, m * 1, m * 1
    a[i] += v
    b[r, c] -= v[:3]
    d[:, c] *= v[:3]
    e[1:, c] += 2.0
    h[r * 0] += v
    return a, b, d, e, h


def test_updates_of_one_place_add_up():
    a, b, d, e, h = X * 1, M * 1, M * 1, M * 1, M * 1
    np.add.at(a, TWICE, V)
    np.subtract.at(b, (ROWS, COLUMNS), V[:3])
    np.multiply.at(d, (slice(None), COLUMNS), V[:3])
    np.add.at(e, (slice(1, None), COLUMNS), 2.0)
    np.add.at(h, ROWS * 0, V)
    check(updates, X, M, TWICE, ROWS, COLUMNS, V, expected=(a, b, d, e, h))


def test_functions_of_numpy_that_update():
    def f(x, m, i, r, c, v):
        a, b, d = x * 1, m * 1, m * 1
        for k in range(2):
            np.add.at(a, i, v * k)
        np.subtract.at(b, (r, c), v[:3])
        if a[0] > 0:
            np.multiply.at(d[1], c, v[:3])
        return a, b, d

    check(f, X, M, TWICE, ROWS, COLUMNS, V)


def test_indices_out_of_range():
    def read(m, i):
        return m[:, i]

    def write(m, i):
        m[0, i] = 1.0
        return m

    def add(m, i):
        m[i, 1:] += 1.0
        return m

    for f, axis, size in ((read, 1, 4), (write, 1, 4), (add, 0, 3)):
        with pytest.raises(IndexOutOfRange, match=f"^index 7 is out of range for axis {axis} with size {size}$"):
            run(f, M, np.array([0, 7]))


def test_sizes_that_do_not_match():
    def write(x, i, v):
        x[i] = v
        return x

    def mask(x, i, v):
        x[v > 0] = 1.0
        return x

    for f, sizes in ((write, "4 and 3"), (mask, "5 and 3")):
        with pytest.raises(ShapeMismatch, match=f"^sizes {sizes} of axis 0 do not match"):
            run(f, X, TWICE, V[:3])


def written(x, m, v):
    """All kinds of writes with duplicates; elements that a mask leaves out have no finite power."""
    a, b = x * v[0], m * 2.0
    a[TWICE] = v * v
    a[TWICE] += v * x[:4]
    b[ROWS, COLUMNS] -= v[:3] * x[:3]
    b[:, COLUMNS] = v[1:] * b[:, COLUMNS]
    b[1][2] = v[0] ** 3
    b[b > 9.3] **= 1.5
    return tl.sum(a**3) * 0.1 + tl.sum(b * b * 0.1) + tl.sum(m[ROWS, COLUMNS] * m[1, TWICE[:3]])


@pytest.mark.one_in(3)
@pytest.mark.parametrize("method", METHODS)
def test_derivatives_by_every_method(method):
    tl.check_grads(tl.function(written), (X, M - 3.0, V), order=1, methods=(method,))


def twice_written(v):
    x = v * v
    x[ROWS] = v[1:] * v[0]
    x[ROWS * 0] += v[1:] * v[1]
    x[COLUMNS] *= v[:3]
    return tl.sum(x * x)


def test_second_derivatives_and_batches():
    steps = np.eye(4) * 1e-4
    gradient = tl.grad(twice_written)
    expected = [(gradient(V + step) - gradient(V - step)) / 2e-4 for step in steps]
    np.testing.assert_allclose(tl.hessian(twice_written)(V), np.array(expected).T, rtol=1e-6, atol=1e-4)
    rows = np.stack([V, V + 1, -V])
    np.testing.assert_allclose(tl.vmap(gradient)(rows), [gradient(row) for row in rows], rtol=1e-13)


def test_what_messages_say_to_write():
    """Each hint about writes that stay refused leads to what numpy gives."""

    def f(x, m, i, v, j):
        a, b, c, d = x * 1, m * 1, m * 1, x * 1
        a[i] = a[i] / v
        b[:, j][m[:, j] > 3.0] = -1.0
        c[i[:2], j] = 9.0
        d = np.where(x > 2.0, x * x, d)
        return a, b, c, d, np.where(x > 2.0, x, 0.0)

    check(f, X, M, TWICE, V, 1)
