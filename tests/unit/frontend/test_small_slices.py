"""Slices of arrays without elements, with one and with two: read, written and updated, against numpy.

All statements are linear in what they read, so that derivatives are differences, exactly.
"""

from __future__ import annotations

from itertools import product
from typing import Any

import numpy as np
import pytest

import tapeless as tl
from function_from_text import function_from_text
from tapeless.methods import IMPLEMENTED

pytestmark = pytest.mark.one_in(2)

BOUNDS = ("", "-3", "-2", "-1", "0", "1", "2")
STEPS = ("", ":-1", ":2")
STATEMENTS = ("v = v[{s}] + 0.0", "v[{s}] = 7.0", "v[{s}] = y[{s}]", "v[{s}] -= y[{s}]")
SMALL = ("-1:", ":1", "-2:-1", "0:1")


def with_all_ends(lower: str, step: str) -> str:
    """A function that does every statement with every slice from one bound on, each to arrays of its own."""
    parts = [f"{lower}:{upper}{step}" for upper in BOUNDS]
    lines = ["def f(v, y):"]
    statements = [each.format(s=part) for part in parts for each in STATEMENTS]
    for place, statement in enumerate(statements):
        lines += [
            f"    v{place} = 1.0 * v",
            f"    {statement.replace('v[', f'v{place}[').replace('v =', f'v{place} =')}",
        ]
    return "\n".join([*lines, f"    return {', '.join(f'v{place}' for place in range(len(statements)))}", ""])


def by_numpy(text: str) -> Any:
    names: dict[str, Any] = {}
    exec(text, names)
    return names["f"]


@pytest.mark.one_in(12)
@pytest.mark.parametrize(("lower", "step"), list(product(BOUNDS, STEPS)))
def test_slices_of_small_arrays(lower: str, step: str) -> None:
    text = with_all_ends(lower, step)
    function, reference = function_from_text("@tl.function\n" + text, "f"), by_numpy(text)
    rng = np.random.default_rng(2)
    for n in range(3):
        v, y, dv, dy = rng.integers(-9, 9, (4, n)).astype(float)
        wanted, moved = reference(v, y), reference(v + dv, y + dy)
        weights = tuple(rng.integers(-9, 9, each.shape).astype(float) for each in wanted)
        change = sum(np.sum(w * (b - a)) for w, a, b in zip(weights, wanted, moved, strict=True))
        for method in IMPLEMENTED:
            found, pullback = tl.vjp(function, v, y, method=method)
            for part, expected in zip(found, wanted, strict=True):
                np.testing.assert_array_equal(part, expected)
            v_bar, y_bar = pullback(weights)
            assert np.sum(v_bar * dv) + np.sum(y_bar * dy) == change


@pytest.mark.one_in(18)
@pytest.mark.parametrize(("target", "source"), list(product((*SMALL, ":"), SMALL)))
def test_sizes_of_at_most_one(target: str, source: str) -> None:
    """Where numpy refuses sizes they are refused, and nowhere else."""
    for statement in (
        f"v[{target}] -= y[{source}]",
        f"v[{target}] = y[{source}]",
        f"v = v[{target}] * 2.0 + y[{source}]",
    ):
        text = f"def f(v, y):\n    {statement}\n    return v\n"
        function, reference = function_from_text("@tl.function\n" + text, "f"), by_numpy(text)
        for n, m in product(range(4), range(4)):
            v, y = np.arange(n) + 1.0, np.arange(m) + 5.0
            try:
                wanted = reference(v.copy(), y)
            except ValueError:
                with pytest.raises(tl.ShapeMismatch, match="of axis 0 do not match"):
                    function(v, y)
            else:
                np.testing.assert_array_equal(function(v, y), wanted, f"{statement} of {n} and {m}")


def test_rows_of_at_most_one() -> None:
    @tl.function
    def rows(a, b):
        return a + b[:1], tl.sum(a * b[-1:]), a[:1] - b[-1:], (a[:, :1] + b[:, -1:]) * a[:1]

    for n, m in product(range(3), range(3)):
        for columns in (0, 2):
            a = np.arange(1.0, n * columns + 1).reshape(n, columns)
            b = np.arange(5.0, m * columns + 5).reshape(m, columns)
            try:
                wanted = a + b[:1], np.sum(a * b[-1:]), a[:1] - b[-1:], (a[:, :1] + b[:, -1:]) * a[:1]
            except ValueError:
                with pytest.raises(tl.ShapeMismatch):
                    rows(a, b)
                continue
            found, pullback = tl.vjp(rows, a, b)
            for part, expected in zip(found, wanted, strict=True):
                np.testing.assert_allclose(part, expected)
            bars = pullback((np.ones_like(wanted[0]), 0.0, np.zeros_like(wanted[2]), np.zeros_like(wanted[3])))
            np.testing.assert_array_equal(bars[0], np.ones_like(a) if wanted[0].size else np.zeros_like(a))
            expected = np.zeros_like(b)
            expected[:1] = n
            np.testing.assert_array_equal(bars[1], expected)
