"""Rows whose size is known because a check before them, or beside them, compared it with one that is."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import tapeless as tl

RNG = np.random.default_rng(11)
SQUARE, ROWS, W = RNG.normal(size=(3, 3)), RNG.normal(size=(2, 3)), RNG.normal(size=3)
MANY = np.ones((2, 1_000_000))


def rows_of_neutral(x, v):
    """A scan has rows of its neutral's size, and the loop those of the array's."""

    def halved(row):
        for _ in v:
            row = row * 0.5
        return row[1]

    return tl.map(halved, tl.scan(lambda a, b: a + b, tl.zeros(x.shape[0]), x, exclusive=True))


def rows_of_neutral_expected(x, v):
    return (np.cumsum(x, axis=0) - x)[:, 1] * 0.5 ** len(v)


def rows_of_neutral_in_a_nest(x, v):
    def halved(row):
        for k in v:
            for _ in v:
                row = row * 0.5 + k
        return row

    return tl.map(halved, tl.scan(lambda a, b: a + b, tl.zeros(x.shape[0]), x))


def rows_of_neutral_in_a_nest_expected(x, v):
    y = np.cumsum(x, axis=0)
    for k in v:
        for _ in v:
            y = y * 0.5 + k
    return y


def counted_rows(x, k, w, n):
    """The check is in the loop, about what it carries."""
    for _ in range(n):
        x = tl.hist(lambda a, b: a + b, tl.zeros(3), x * x, k, tl.outer(tl.ones(2), w))
    return x


def counted_rows_expected(x, k, w, n):
    for _ in range(n):
        x = x * x
        np.add.at(x, k, np.outer(np.ones(2), w))
    return x


def chosen(m, w: tl.f64[3], c):
    """The check is in one branch."""
    return tl.map(lambda r: r * w if c > 0.0 else r, m)


def chosen_expected(m, w, c):
    return m * w if c > 0.0 else m


def chosen_early(m, w: tl.f64[3], c):
    """The check comes before both are there to choose from."""

    def row(r):
        y = w * tl.dot(w, r)
        return y if c > 0.0 else r

    return tl.map(row, m)


def chosen_early_expected(m, w, c):
    return np.outer(m @ w, w) if c > 0.0 else m


def replaced(m, w: tl.f64[3], n):
    """The check moves before the loops, which may not run."""

    def row(r):
        for i in range(n):
            r = w * tl.sum(w * r) + i
        return r

    return tl.map(row, m)


def replaced_expected(m, w, n):
    for i in range(n):
        m = np.outer(m @ w, w) + i
    return m


def made_early(m, w: tl.f64[3], n):
    """What the loop carries on is made before it is compared."""

    def row(r):
        for _ in range(n):
            y = tl.exp(w * r[0])
            r = y if tl.sum(y - r) < 1e6 else y * 2.0
        return r

    return tl.map(row, m)


def made_early_expected(m, w, n):
    for _ in range(n):
        m = np.exp(np.outer(m[:, 0], w))
    return m


def raised(m, w: tl.f64[3], limit):
    """A loop that counts nothing."""

    def row(r):
        while tl.sum(r) < limit:
            r = w * w + tl.exp(r * w) * 0.5 + 1.0
        return r

    return tl.map(row, m)


def raised_expected(m, w, limit):
    def row(r):
        while np.sum(r) < limit:
            r = w * w + np.exp(r * w) * 0.5 + 1.0
        return r

    return np.array([row(r) for r in m])


def weighted_in_a_branch(m, w, c):
    """No size is known; the branch gives a number, and its adjoints have the size of one and of the other array."""

    def row(r):
        s = 0.0
        if c > 0.0:
            s = tl.sum(w * r * r)
        return s

    return tl.map(row, m)


def weighted_in_a_branch_expected(m, w, c):
    return (w * m * m).sum(axis=1) if c > 0.0 else np.zeros(len(m))


def compared_later(m, w):
    """The check comes behind the branch, and tells the size to whoever looks from outside."""

    def row(r):
        chosen = r if r[0] > 0.0 else w
        return chosen * r + w

    return tl.map(row, m)


def compared_later_expected(m, w):
    return np.array([(r if r[0] > 0.0 else w) * r + w for r in m])


def joined(m, w, n):
    """What is compared is part of the sizes that are equal."""

    def row(r):
        total = tl.sum(r * w)
        a, b = tl.concat((r, w)), tl.concat((w, w))
        for _ in range(n):
            a, b = b, a * total
        return a

    return tl.map(row, m)


def joined_expected(m, w, n):
    def row(r):
        a, b = np.concatenate((r, w)), np.concatenate((w, w))
        for _ in range(n):
            a, b = b, a * np.sum(r * w)
        return a

    return np.array([row(r) for r in m])


Function = Callable[..., Any]
CASES: list[tuple[Function, Function, tuple[Any, ...]]] = [
    (rows_of_neutral, rows_of_neutral_expected, (SQUARE, RNG.normal(size=2))),
    (rows_of_neutral_in_a_nest, rows_of_neutral_in_a_nest_expected, (SQUARE, RNG.normal(size=2))),
    (counted_rows, counted_rows_expected, (SQUARE, np.array([1, 0]), W, 2)),
    (counted_rows, counted_rows_expected, (SQUARE, np.array([1, 0]), W, 0)),
    (chosen, chosen_expected, (ROWS, W, 1.0)),
    (chosen, chosen_expected, (ROWS, W, -1.0)),
    (chosen_early, chosen_early_expected, (ROWS, W, 1.0)),
    (chosen_early, chosen_early_expected, (ROWS, W, -1.0)),
    (replaced, replaced_expected, (ROWS, W, 3)),
    (replaced, replaced_expected, (ROWS, W, 0)),
    (made_early, made_early_expected, (ROWS, W, 2)),
    (raised, raised_expected, (ROWS, W, 4.0)),
    (weighted_in_a_branch, weighted_in_a_branch_expected, (ROWS, W, 1.0)),
    (compared_later, compared_later_expected, (ROWS, W)),
    (joined, joined_expected, (ROWS, W, 3)),
    (joined, joined_expected, (ROWS, W, 0)),
]

REFUSED: list[tuple[Function, tuple[Any, ...]]] = [
    (rows_of_neutral, (np.ones((3, 4)), np.ones(2))),
    (rows_of_neutral_in_a_nest, (np.ones((3, 2)), np.ones(2))),
    (counted_rows, (MANY, np.array([1, 0]), W, 2)),
    (counted_rows, (np.ones((2, 1)), np.array([1, 0]), W, 2)),
    (chosen, (MANY, W, 1.0)),
    (chosen_early, (MANY, W, -1.0)),
    (replaced, (np.ones((2, 1)), W, 2)),
    (made_early, (np.ones((2, 1)), W, 2)),
    (raised, (np.zeros((2, 2)), W, 4.0)),
    (compared_later, (-MANY, W)),
    (compared_later, (np.ones((2, 2)), W)),
    (joined, (MANY, W, 3)),
]

UNUSED: list[tuple[Function, tuple[Any, ...]]] = [
    (counted_rows, (MANY, np.array([1, 0]), W, 0)),
    (chosen, (MANY, W, -1.0)),
    (replaced, (MANY, W, 0)),
    (made_early, (MANY, W, 0)),
    (raised, (MANY, W, 4.0)),
]


@pytest.mark.one_in(5)
@pytest.mark.parametrize("checks", ["on", "off"])
@pytest.mark.parametrize(("function", "reference", "arguments"), CASES)
def test_values(function: Function, reference: Function, arguments: tuple[Any, ...], checks: str) -> None:
    compiled = tl.compile(tl.function(function), arguments, checks=checks)
    np.testing.assert_allclose(compiled(*arguments), reference(*arguments), rtol=1e-13)


@pytest.mark.one_in(24)
@pytest.mark.parametrize(("function", "reference", "arguments"), CASES)
def test_derivatives(function: Function, reference: Function, arguments: tuple[Any, ...]) -> None:
    tl.check_grads(tl.function(function), arguments, order=1)


@pytest.mark.thorough
@pytest.mark.parametrize(("function", "reference", "arguments"), CASES)
def test_second_derivatives(function: Function, reference: Function, arguments: tuple[Any, ...]) -> None:
    tl.check_grads(tl.function(function), arguments, order=2)


@pytest.mark.one_in(2)
@pytest.mark.parametrize(("function", "arguments"), REFUSED)
def test_other_sizes_are_refused_before_anything_is_written(function: Function, arguments: tuple[Any, ...]) -> None:
    with pytest.raises(tl.ShapeMismatch, match=r"test_checked_sizes.py"):
        tl.function(function)(*arguments)


@pytest.mark.one_in(2)
@pytest.mark.parametrize(("function", "arguments"), UNUSED)
def test_what_is_not_compared_may_have_any_size(function: Function, arguments: tuple[Any, ...]) -> None:
    np.testing.assert_array_equal(tl.function(function)(*arguments), arguments[0])


def from_one(x, w, n, k):
    for _ in range(1, n):
        x = w - x
    return x


def from_a_number(x, w, n, k):
    for _ in range(k, n):
        x = w - x
    return x


def with_a_step(x, w, n, k):
    for _ in range(2, n, 2):
        x = w - x
    return x


def with_a_step_from_a_number(x, w, n, k):
    for _ in range(k, n, 3):
        x = w - x
    return x


def downwards(x, w, n, k):
    for _ in range(n, k, -1):
        x = w - x
    return x


def nested(x, w, n, k):
    for _ in range(1, n):
        for _ in range(k, n):
            x = w - x
    return x


@pytest.mark.one_in(5)
@pytest.mark.parametrize("method", ["redundant", "reversible", "coarsened"])
@pytest.mark.parametrize(
    "f", [from_one, from_a_number, with_a_step, with_a_step_from_a_number, downwards, nested], ids=lambda f: f.__name__
)
def test_a_check_before_a_loop_holds_in_the_loop_that_goes_back(f: Callable[..., Any], method: str) -> None:
    """The check is `sizes are equal, or the loop does not run`, and the reverse sweep has a loop of its own."""
    function = tl.function(f)
    for n, k in ((7, 2), (3, 1), (2, 2), (0, 5)):
        signs = f(np.zeros(()), np.ones(()), n, k) - f(np.ones(()), np.ones(()), n, k)  # -1 or 1, by the trips
        value, pull = tl.vjp(function, ROWS, W, n, k, method=method)
        np.testing.assert_allclose(value, f(ROWS, W, n, k))
        np.testing.assert_allclose(pull(np.ones((2, 3)))[0], np.full((2, 3), -float(signs)))
