"""Memory of loops that do not run: its size is computed in front of them, from sizes that only hold inside."""

from __future__ import annotations

import numpy as np
import pytest

import tapeless as tl


@tl.function
def halves(m, v):
    for row in m:
        for _ in range(1, row.shape[0]):
            v[-1:0:-1] *= tl.concat((v[:-1], row[1:][1::2]))
    return v


@tl.function
def thirds(x, n):
    total = x
    for i in range(2, n):
        rest = tl.cumsum(tl.sort(x[2:][::3]))
        total = total + tl.sum(rest) * i
    return total


@tl.function
def while_above(x):
    k = x.shape[0]
    total = 0.0
    while k > 1:
        total += tl.sum(tl.cumsum(tl.sort(x[1:][1::2])) * k)
        k -= 1
    return total


def halves_by_numpy(m, v):
    v = v.copy()
    for row in m:
        for _ in range(1, row.size):
            v[-1:0:-1] *= np.concatenate((v[:-1], row[1:][1::2]))
    return v


@pytest.mark.one_in(4)
@pytest.mark.parametrize("size", [0, 1, 2])
@pytest.mark.parametrize("rows", [0, 1, 3])
def test_rows_of_nothing(rows: int, size: int) -> None:
    m, v = np.full((rows, size), 1.5), np.linspace(0.5, 1.5, size)
    np.testing.assert_allclose(halves(m, v), halves_by_numpy(m, v), rtol=1e-13)


@pytest.mark.one_in(4)
@pytest.mark.parametrize("size", [0, 1, 2, 3, 9])
def test_loops_over_sizes(size: int) -> None:
    x = np.linspace(2.0, 1.0, size)
    thirds_of_x = np.sum(np.cumsum(np.sort(x[2:][::3])))
    np.testing.assert_allclose(thirds(x, size), x + sum(thirds_of_x * i for i in range(2, size)), rtol=1e-13)
    rest = np.sum(np.cumsum(np.sort(x[1:][1::2])))
    np.testing.assert_allclose(while_above(x), sum(rest * k for k in range(2, size + 1)), rtol=1e-13)
