"""Lists that grow in loops whose length is known only when running are arrays of their items, as numpy has it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import tapeless as tl

METHODS = ("redundant", "reversible", "coarsened")
X = np.array([0.5, 1.5, -0.3, 0.7])


def squares(x):
    out = []
    for v in x:
        out.append(v * v)
    return np.array(out)


def trajectory(x):
    s = x[0]
    states = [s]
    for i in range(len(x)):
        s = np.sin(s) * x[i] + 1.0
        states.append(s)
    return np.array(states) * states[-1]


def rows(x):
    h, out = x * 1.0, []
    for i in range(1, len(x) + 3, 2):
        h = np.tanh(h * x[0] + i)
        out.append(h)
    return np.stack(out, axis=1) @ np.mean(out, axis=1) + np.sum(np.concatenate(out) ** 2)


def two_lists(x):
    places, speeds = [], []
    p, v = x[0], x[-1]
    for _ in range(len(x)):
        p = p + 0.1 * v
        v = v - 0.1 * p
        places.append(p)
        speeds += [v * x]
    total = 0.0
    for q in places[1:]:
        total += q * q
    return sum(speeds) * total + max(places) * len(speeds)


def integers_and_floats(x):
    out = []
    for i in range(len(x)):
        out.append(i)
    for v in reversed(x):
        out.append(v)
    return np.array(out) * x[0]


def nested(x):
    table = []
    for i in range(len(x)):
        row = []
        for j in range(len(x)):
            row.append(x[i] * x[j] ** 2)
        table.append(np.array(row))
    return np.array(table) @ x


def in_a_branch(x):
    out = [x[0]]
    if x[0] > 0.0:
        for v in x:
            out.append(v**3)
        y = np.array(out)
    else:
        y = np.ones(len(x) + 1)
    return y * x[-1]


def by_a_comprehension(x):
    return sum((np.sin(v) * x for v in x), start=x)


PROGRAMS = (squares, trajectory, rows, two_lists, integers_and_floats, nested, in_a_branch, by_a_comprehension)


@pytest.mark.one_in(4)
@pytest.mark.parametrize("program", PROGRAMS, ids=lambda program: program.__name__)
def test_values(program: Callable[..., Any]) -> None:
    f = tl.function(program)
    for x in (X, X[:1], X[:3] - 1.0):
        result, expected = f(x), program(x)
        assert result.shape == expected.shape
        np.testing.assert_allclose(result, expected, rtol=1e-12, atol=1e-12)
    with tl.disable_jit():
        np.testing.assert_allclose(f(X), program(X), rtol=1e-12)


def slopes(g: Callable[..., Any]) -> np.ndarray:
    return np.array([(g(X + h) - g(X - h)) / 2e-6 for h in 1e-6 * np.eye(len(X))])


@pytest.mark.thorough
@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("program", PROGRAMS, ids=lambda program: program.__name__)
def test_second_derivatives(program: Callable[..., Any], method: str) -> None:
    f = tl.function(program)
    loss = tl.function(lambda x: np.sum(np.sin(f(x))))
    np.testing.assert_allclose(tl.hessian(loss, method=method)(X), slopes(tl.grad(loss)), rtol=1e-5, atol=1e-5)


@pytest.mark.one_in(12)
@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("program", PROGRAMS, ids=lambda program: program.__name__)
def test_derivatives(program: Callable[..., Any], method: str) -> None:
    f = tl.function(program)
    loss = tl.function(lambda x: np.sum(np.sin(f(x))))
    expected = slopes(lambda x: np.sum(np.sin(program(x))))
    gradient = tl.grad(loss, method=method)
    np.testing.assert_allclose(gradient(X), expected, rtol=1e-6, atol=1e-6)
    np.testing.assert_allclose(tl.jvp(loss, (X,), (X,), method=method)[1], expected @ X, rtol=1e-6, atol=1e-6)
    many = tl.vmap(f)(np.stack([X, X + 0.1]))
    np.testing.assert_allclose(many, [program(X), program(X + 0.1)], rtol=1e-12)


def test_loops_without_iterations() -> None:
    empty = tl.function(squares)(X[:0])
    assert empty.shape == (0,) and empty.dtype == np.float64
    with pytest.raises(tl.IndexOutOfRange):
        tl.function(trajectory)(X[:0])


def once_or_not(x):
    out = []
    for v in x:
        if v > 0.0:
            out.append(v)
    return np.array(out)


def once_or_not_instead(x):
    return np.array([v for v in x if v > 0.0])


def left_early(x):
    out = []
    for v in x:
        if v < 0.0:
            break
        out.append(v)
    return np.array(out)


def left_early_instead(x):
    out, count = np.zeros(len(x)), 0
    for i in range(len(x)):
        if x[i] < 0.0:
            break
        out[i] = x[i]
        count += 1
    return out[:count]


def from_inside(x):
    out = []
    for v in x:
        for w in x:
            out.append(v * w)
    return np.array(out)


def from_inside_instead(x):
    return np.array([v * w for v in x for w in x])


def read_inside(x):
    out = [x[0]]
    for v in x:
        out.append(out[-1] * v)
    return np.array(out)


def read_inside_instead(x):
    last = x[0]
    out = [last]
    for v in x:
        last = last * v
        out.append(last)
    return np.array(out)


def pairs(x):
    out = []
    for v in x:
        out.append((v, v * v))
    return np.array(out)


def pairs_instead(x):
    firsts, seconds = [], []
    for v in x:
        firsts.append(v)
        seconds.append(v * v)
    return np.stack([np.array(firsts), np.array(seconds)], axis=1)


def of_many_sizes(x):
    out = []
    for i in range(len(x)):
        out.append(x[:i])
    return np.concatenate(out)


def of_many_sizes_instead(x):
    out = []
    for i in range(len(x)):
        row = np.zeros(len(x))
        row[:i] = x[:i]
        out.append(row)
    return np.concatenate(out)


def returned(x):
    out = []
    for v in x:
        out.append(v * v)
    return out


def grown_later(x):
    out = []
    for v in x:
        out.append(v)
    out.append(1.0)
    return np.array(out)


def grown_later_instead(x):
    out = np.zeros(len(x) + 1)
    for i in range(len(x)):
        out[i] = x[i]
    out[len(x)] = 1.0
    return out


def joined(x):
    out = []
    for v in x:
        out.append(v)
    return np.array(out + out)


def joined_instead(x):
    out = []
    for v in x:
        out.append(v)
    return np.concatenate([np.array(out), np.array(out)])


def flat(x):
    out = []
    for v in x:
        out.append(v)
    return np.vstack(out)


def flat_instead(x):
    out = []
    for v in x:
        out.append(v)
    return np.array(out)[:, None]


# What is refused, with which words, what to write instead, and the same written so; None if nothing is comparable.
REFUSED: dict[str, tuple[Callable[..., Any], str, str, Callable[..., Any]]] = {
    "once or not": (once_or_not, "and not by one value in each iteration", r"np\.array\(\[", once_or_not_instead),
    "left early": (left_early, "and not by one value in each iteration", r"np\.zeros\(n\)", left_early_instead),
    "from inside": (from_inside, "and not by one value in each iteration", r"np\.array\(\[", from_inside_instead),
    "read inside": (read_inside, "'out' grows .* and is read in it", r"last = \.\.\.; out", read_inside_instead),
    "pairs": (pairs, "'out' gets a tuple of 2 in each iteration", "a list for each of them", pairs_instead),
    "of many sizes": (of_many_sizes, "may be another one each time", r"np\.zeros\(n\)", of_many_sizes_instead),
    "returned": (returned, "returns a list whose length is known only", r"return np\.array\(\.\.\.\)", squares),
    "grown later": (grown_later, "and grows outside of a loop", r"np\.zeros\(n\)", grown_later_instead),
    "joined": (joined, "is a list whose length is known only when running", "array", joined_instead),
    "flat": (flat, "of a list whose length is known only when running", r"np\.array\(values\)", flat_instead),
}


@pytest.mark.one_in(2)
@pytest.mark.parametrize("name", REFUSED)
def test_refused_with_what_works(name: str) -> None:
    program, message, instead, written = REFUSED[name]
    with pytest.raises(tl.FrontendError, match=message) as error:
        tl.function(program)(X)
    assert "test_growing_lists.py:" in str(error.value)
    with pytest.raises(tl.FrontendError, match=instead):
        tl.function(program)(X)
    expected = written(X) if name == "of many sizes" else program(X)
    np.testing.assert_allclose(tl.function(written)(X), expected, rtol=1e-12)
