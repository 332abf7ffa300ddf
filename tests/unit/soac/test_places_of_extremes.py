"""One of the places of extremes along an axis, and writes at the place of an extreme: values and gradients."""

from __future__ import annotations

import numpy as np
import pytest

import tapeless as tl

M = np.array([[0.3, -1.2, 0.8, 0.5], [1.4, 0.2, -0.6, 0.9], [-0.1, 0.7, 1.1, -0.4]])
V = np.array([0.3, 0.9, -0.4, 1.2, 0.1])


@pytest.mark.parametrize("axis", [0, 1])
@pytest.mark.parametrize("which", [0, 2])
def test_one_place(axis: int, which: int) -> None:
    @tl.function
    def places(m):
        return tl.argmax(m, axis=axis)[which], tl.argmin(m, axis=axis)[which]

    assert places(M) == (M.argmax(axis)[which], M.argmin(axis)[which])


def test_place_as_index() -> None:
    @tl.function
    def element(m, v):
        return v[tl.argmax(m, axis=1)[1]] * m[tl.argmin(m, axis=0)[3], 2]

    column, row = M.argmax(1)[1], M.argmin(0)[3]
    assert element(M, V) == V[column] * M[row, 2]
    m_bar, v_bar = tl.grad(element, argnums=(0, 1))(M, V)
    np.testing.assert_array_equal(m_bar, np.where((np.arange(12) == 4 * row + 2).reshape(3, 4), V[column], 0.0))
    np.testing.assert_array_equal(v_bar, np.where(np.arange(5) == column, M[row, 2], 0.0))


def test_written_at_the_place_of_an_extreme() -> None:
    def scaled(u, v, s):
        if s > 0.0:
            u[:] = tl.softmax(v)
            u[tl.argmin(v)] *= s
        v[tl.argmin(v)] *= s
        return tl.sum(u * v)

    tl.check_grads(tl.function(scaled), (V, V + 0.1, 1.5), order=1, methods=("redundant",))
