"""Functions of gathered rows computed once per row: right for all sizes and indices, in values and derivatives."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import tapeless as tl

ROWS = np.array([[0.3, 1.2], [0.7, -0.4], [-0.2, 0.9]])
MANY = np.array([2, 0, 1, 1, -1, 0, 2, -3, 1])
FEW = np.array([2, -2])
PICKS = {"many": MANY, "few": FEW, "none": MANY[:0]}


def in_the_body(rows, keys, w):
    return tl.map(lambda k: tl.sin(rows[k, 0]) * tl.exp(rows[k, 1]) * w, keys)


def of_gathered_rows(rows, keys, w):
    return tl.map(lambda r: tl.exp(r[0]) * tl.cos(r[1] * w) + w, rows[keys])


def elementwise(rows, keys, w):
    first = rows[:, 0]
    return tl.sin(tl.exp(first[keys])) * w


def with_other_elements(rows, keys, w):
    return tl.map(lambda k, i: tl.exp(tl.sin(rows[k, 0])) * i + rows[k, 1] * w, keys, tl.iota(len(keys)))


def whole_rows(rows, keys, w):
    return tl.map(lambda k: tl.sum(tl.exp(tl.sin(rows[k]))) * w, keys)


def two_indices(rows, keys, w):
    return tl.map(lambda k: tl.exp(tl.sin(rows[k, 0])) * tl.exp(tl.cos(rows[-1 - k % 3, 1])) * w, keys)


def picked_from_a_map(rows, keys, w):
    return tl.map(lambda r: tl.exp(r) * tl.sin(r * r), rows[:, 1] * w)[keys]


def divided_index(rows, keys, w):
    return tl.map(lambda k: tl.exp(tl.sin(rows[k // len(rows), 0])) * w, keys)


def whole_number(rows, keys, w):
    return tl.map(lambda k: int(tl.exp(tl.sin(rows[k, 0])) * 9.0) * k * w + tl.exp(rows[k, 1]), keys)


def arrays_of_functions(rows: tl.f64[:, 2], keys, w):
    return tl.map(lambda k: tl.sum(tl.map(lambda x: tl.exp(tl.sin(x)), rows[k]) * k) * w, keys)


def of_rows_made_in_the_body(rows, keys, w):
    def first_of_scaled(k):
        scaled = rows * (k * w)
        return tl.exp(tl.sin(scaled[k, 0]))

    return tl.map(first_of_scaled, keys)


def summed(rows, keys, w):
    return tl.sum(in_a_sum(rows, keys, w))


@tl.function
def in_a_sum(rows, keys, w):
    return tl.map(lambda k: tl.exp(tl.sin(rows[k, 0] * w)) * rows[k, 1], keys)


TABULATED = [
    in_the_body,
    of_gathered_rows,
    elementwise,
    with_other_elements,
    whole_rows,
    two_indices,
    picked_from_a_map,
    whole_number,
    arrays_of_functions,
    summed,
]
STAYING = [divided_index, of_rows_made_in_the_body]
PROGRAMS = [*TABULATED, *STAYING]


def oracle(function: Callable[..., Any], rows: np.ndarray, keys: np.ndarray) -> Any:
    """The function on every pick by itself, where nothing can be shared."""
    single = tl.jit(function)
    parts = [single(rows, keys[k : k + 1], 0.8) for k in range(len(keys))]
    if function is with_other_elements:
        extra = np.exp(np.sin(rows[keys, 0])) * np.arange(len(keys))
        return np.concatenate(parts) + extra if parts else np.zeros(0)
    return sum(parts) if function is summed else np.concatenate([*parts, np.zeros(0)])


@pytest.mark.one_in(14)
@pytest.mark.parametrize("picks", PICKS)
@pytest.mark.parametrize("function", PROGRAMS, ids=lambda f: f.__name__)
def test_values(function: Callable[..., Any], picks: str) -> None:
    keys = PICKS[picks]
    np.testing.assert_allclose(tl.jit(function)(ROWS, keys, 0.8), oracle(function, ROWS, keys), rtol=1e-14)


@pytest.mark.one_in(69)
@pytest.mark.parametrize("picks", PICKS)
@pytest.mark.parametrize("function", PROGRAMS, ids=lambda f: f.__name__)
def test_derivatives(function: Callable[..., Any], picks: str) -> None:
    keys, inner = PICKS[picks], tl.function(function)

    def loss(rows, w):
        return tl.sum(inner(rows, keys, w) * 1.5)

    rng = np.random.default_rng(1)
    step, run = rng.normal(size=ROWS.shape), tl.jit(loss)
    slope = (run(ROWS + 1e-6 * step, 0.8 + 1e-6) - run(ROWS - 1e-6 * step, 0.8 - 1e-6)) / 2e-6
    rows_bar, w_bar = tl.grad(loss, argnums=(0, 1))(ROWS, 0.8)
    assert np.sum(rows_bar * step) + w_bar == pytest.approx(slope, rel=1e-6, abs=1e-8)
    assert tl.jvp(loss, (ROWS, 0.8), (step, 1.0))[1] == pytest.approx(slope, rel=1e-6, abs=1e-8)


@pytest.mark.parametrize("keys", [np.array([0, 3]), np.array([-4, 1, 0, 0, 0]), np.array([0, 1, 2, 3, 0])])
def test_wrong_indices_are_refused(keys: np.ndarray) -> None:
    for function in (in_the_body, of_gathered_rows):
        with pytest.raises(tl.IndexOutOfRange):
            tl.jit(function)(ROWS, keys, 0.8)


@pytest.mark.parametrize("keys", [MANY, MANY[:0]])
def test_no_rows(keys: np.ndarray) -> None:
    if len(keys):
        with pytest.raises(tl.IndexOutOfRange):
            tl.jit(in_the_body)(ROWS[:0], keys, 0.8)
    else:
        assert tl.jit(in_the_body)(ROWS[:0], keys, 0.8).shape == (0,)


def test_rows_that_are_not_picked_stop_nothing() -> None:
    """A division that fails in a row which no index names, and an array with fewer rows than another."""

    @tl.function
    def shares(rows, counts, keys):
        return tl.map(lambda k: tl.exp(tl.sin(rows[k, 0])) * (12 // counts[k]), keys)

    @tl.function
    def products(rows, few, keys):
        return tl.map(lambda k: tl.exp(tl.sin(rows[k, 0])) * tl.exp(tl.cos(few[k])), keys)

    keys = np.array([1, 0, 1, 0, 1])
    functions = np.exp(np.sin(ROWS[keys, 0]))
    np.testing.assert_allclose(shares(ROWS, np.array([3, 5, 0]), keys), functions * np.array([4, 2])[keys])
    np.testing.assert_allclose(products(ROWS, ROWS[:2, 1], keys), functions * np.exp(np.cos(ROWS[keys, 1])))


def cost(function: Callable[..., Any], *types: Any) -> str:
    """The program after tabulation."""
    return tl.compile(function, types, checks="off").ir("soac-map-before-gather")


def test_constant_sizes_need_no_choice() -> None:
    text = cost(in_the_body, tl.f64[3, 2], tl.i64[100], tl.f64)
    assert "scf.if" not in text and text.count('"soac.map"') == 2


@pytest.mark.parametrize("rows", [100, 200])
def test_constant_sizes_with_more_rows_stay(rows: int) -> None:
    assert cost(in_the_body, tl.f64[rows, 2], tl.i64[100], tl.f64).count('"soac.map"') == 1


def cheap(rows, keys, w):
    return tl.map(lambda k: rows[k, 0] * rows[k, 1] * w, keys)


def mixed(rows, keys, w):
    return tl.map(lambda k, i: tl.exp(rows[k, 0] * i), keys, tl.iota(len(keys)))


def repeating(rows, keys, w):
    def until(k):
        y = rows[k, 0]
        while y < 10.0:
            y = tl.exp(y) + 1.0
        return y * w

    return tl.map(until, keys)


def by_index(rows, keys, w):
    return tl.map(lambda i: tl.exp(i * w), tl.iota(len(rows)))[keys]


@pytest.mark.parametrize("function", [cheap, mixed, repeating, by_index, *STAYING])
def test_what_is_cheap_or_mixed_or_may_not_end_stays(function: Callable[..., Any]) -> None:
    assert "scf.if" not in cost(function, tl.f64[:, 2], tl.i64[:], tl.f64)


@pytest.mark.one_in(3)
@pytest.mark.parametrize("function", TABULATED, ids=lambda f: f.__name__)
def test_functions_of_rows_are_tabulated(function: Callable[..., Any]) -> None:
    assert "scf.if" in cost(function, tl.f64[:, 2], tl.i64[:], tl.f64)
