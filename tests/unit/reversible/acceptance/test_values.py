"""What reversible programs compute, that their inverses undo it, and that checks fail when they do not."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
import pytest

import tapeless as tl
from programs import procedures

pytestmark = pytest.mark.one_in(2)


def there_and_back(procedure: Any, *cells: Any, tolerance: float = 0.0) -> tuple[Any, ...]:
    """The cells after the procedure, whose inverse must give the given ones back."""
    before = [np.copy(cell) for cell in cells]
    after = procedure(*cells)
    for cell, kept in zip(cells, before, strict=True):
        np.testing.assert_array_equal(cell, kept)
    for restored, cell in zip((~procedure)(*after), cells, strict=True):
        np.testing.assert_allclose(restored, cell, rtol=tolerance, atol=tolerance)
    return after


def test_integers_come_back_exactly() -> None:
    assert there_and_back(procedures.multiply_add, 2, 3, 5) == (17, 3, 5)


def test_the_inverse_of_the_inverse_is_the_procedure() -> None:
    assert ~~procedures.multiply_add is procedures.multiply_add


def test_norm() -> None:
    r, y, x = there_and_back(procedures.norm, 0.0, 0.0, np.array([1.0, 2.0, 3.0]))
    assert r == 3.7416573867739413
    assert y == 14.0
    assert x.tolist() == [1.0, 2.0, 3.0]


def test_axpy_and_dot() -> None:
    cells = (0.0, 0.5, np.array([1.0, 2.0, 3.0]), np.ones(3), np.array([2.0, 0.0, 1.0]))
    o, _, _, y, _ = there_and_back(procedures.axpy_and_dot, *cells)
    assert o == 5.5
    assert y.tolist() == [1.5, 2.0, 2.5]


def test_complex_logarithm_leaves_its_ancillas_at_zero() -> None:
    after = there_and_back(procedures.complex_log, 0.0, 0.0, 2.0, 3.0)
    expected = np.log(2 + 3j)
    np.testing.assert_allclose(after[:2], [expected.real, expected.imag], rtol=1e-15)


def test_powers() -> None:
    assert there_and_back(procedures.fifth_power, 0.0, 2.0) == (32.0, 2.0)
    assert there_and_back(procedures.twelfth_power, 0.0, 2.0) == (4096.0, 2.0)


def test_while_with_postcondition() -> None:
    assert there_and_back(procedures.count_up, 0) == (108,)


def test_postcondition_that_holds_at_the_start_is_reported() -> None:
    with pytest.raises(tl.InvertibilityError, match="x > -10"):
        procedures.count_up_from_below(0)


def test_postcondition_that_differs_is_reported() -> None:
    with pytest.raises(tl.InvertibilityError, match="o < 4"):
        procedures.careless_branch(0, 7, 4)


@pytest.mark.parametrize(("x", "expected"), [(3, 4), (4, 3), (-1, 0), (0, -1)])
def test_branch_with_postcondition(x: int, expected: int) -> None:
    assert there_and_back(procedures.next_even, x) == (expected,)


def test_ancilla_that_does_not_return_is_reported_with_both_values_and_its_line() -> None:
    with pytest.raises(tl.InvertibilityError, match="-9") as caught:
        procedures.dirty_ancilla(0)
    line = procedures.dirty_ancilla.source.node.lineno + 1
    assert f"procedures.py:{line}" in str(caught.value)


def test_unchecked_ancilla_may_be_anything() -> None:
    assert tl.jit(procedures.dirty_ancilla, checks="off")(0) == (-9,)


LIMITS = range(-3, 4)


@pytest.mark.one_in(2)
@pytest.mark.parametrize("step", [-4, -3, -2, -1, 1, 2, 3, 4])
def test_loops_visit_in_exactly_the_reverse_order(step: int) -> None:
    """Walking back writes down the visits of the way there in reverse: they cancel, whatever the bounds."""
    for lo, hi in itertools.product(LIMITS, LIMITS):
        cells = (np.zeros(8, dtype=np.int64), 0, lo, hi, step)
        order, count, *_ = there_and_back(procedures.visits, *cells)
        assert order[:count].tolist() == list(range(lo, hi, step))


def test_rotations_keep_the_norm() -> None:
    rng = np.random.default_rng(1)
    x, angles = rng.normal(size=4), rng.normal(size=6)
    after, _ = there_and_back(procedures.rotations, x, angles, tolerance=1e-14)
    assert abs(np.linalg.norm(after) - np.linalg.norm(x)) <= 1e-15 * 4


def test_pyramid() -> None:
    rng = np.random.default_rng(2)
    x = rng.normal(size=20)
    rows = [x]
    while len(rows[-1]) > 1:
        rows.append(np.cos(rows[-1][:-1]) * np.sin(rows[-1][1:]))
    y, *_ = there_and_back(procedures.pyramid, 0.0, np.zeros((20, 20)), x, tolerance=1e-12)
    np.testing.assert_allclose(y, rows[-1][0], rtol=1e-12)


def test_matrix_products() -> None:
    rng = np.random.default_rng(3)
    c, a, b = np.zeros((5, 4)), rng.normal(size=(5, 6)), rng.normal(size=(6, 4))
    after = there_and_back(procedures.matmul, c, a, b, tolerance=1e-12)
    np.testing.assert_allclose(after[0], a @ b, rtol=1e-12)


def sparse(n: int, density: float, seed: int) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """A random matrix, and its compressed columns."""
    rng = np.random.default_rng(seed)
    dense = np.where(rng.random((n, n)) < density, rng.normal(size=(n, n)), 0.0)
    columns, rows = np.nonzero(dense.T)
    starts = np.concatenate([[0], np.cumsum(np.bincount(columns, minlength=n))]).astype(np.int64)
    return dense, starts, rows.astype(np.int64), dense[rows, columns]


def test_sparse_matrix_times_vector() -> None:
    dense, starts, rows, values = sparse(100, 0.05, 4)
    x = np.random.default_rng(5).normal(size=100)
    after = there_and_back(procedures.sparse_matvec, np.zeros(100), starts, rows, values, x, tolerance=1e-12)
    np.testing.assert_allclose(after[0], dense @ x, atol=1e-12)


def test_leapfrog_there_and_back() -> None:
    q, p = np.array([[0.5, 0.0], [-0.5, 0.0]]), np.array([[0.0, 0.7], [0.0, -0.7]])
    cells = (q, p, np.ones(2), 1e-3, 10_000)
    after = procedures.leapfrog(*cells)
    back = (~procedures.leapfrog)(*after)
    assert np.abs(after[0] - q).max() > 0.1
    assert max(np.abs(back[0] - q).max(), np.abs(back[1] - p).max()) <= 1e-12


def test_flow_of_coupling_layers() -> None:
    rng = np.random.default_rng(6)
    left, right, weights = rng.normal(size=8), rng.normal(size=8), rng.normal(size=(8, 8))
    new_left, new_right, _ = there_and_back(procedures.coupling_layer, left, right, weights, tolerance=1e-14)
    np.testing.assert_allclose(new_left, right + np.tanh(weights @ left), rtol=1e-14)
    np.testing.assert_array_equal(new_right, left)


def test_arrays_are_changed_in_place_on_demand() -> None:
    y, x = np.ones(3), np.arange(3.0)
    procedures.axpy(y, 2.0, x, inplace=True)
    assert y.tolist() == [1.0, 3.0, 5.0]


def test_butterfly_is_its_own_inverse() -> None:
    after = there_and_back(procedures.butterfly, 1.0, 3.0, tolerance=1e-15)
    np.testing.assert_allclose(after, [4.0 / np.sqrt(2.0), -2.0 / np.sqrt(2.0)], rtol=1e-15)


def test_reciprocal() -> None:
    assert there_and_back(procedures.reciprocal, 1.0, 4.0) == (1.25, 0.25)


def test_stack_gives_back_in_reverse_order() -> None:
    y, x = there_and_back(procedures.reversed_by_a_stack, np.zeros(3), np.array([1.0, 2.0, 3.0]))
    assert y.tolist() == [3.0, 2.0, 1.0]
    assert x.tolist() == [0.0, 0.0, 0.0]
