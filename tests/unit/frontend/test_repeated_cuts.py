"""Arrays that are cut and put together again and again: their sizes stay short to tell, and are those of numpy."""

from __future__ import annotations

import numpy as np
import pytest

import tapeless as tl
from function_from_text import function_from_text
from tapeless.frontend.values import bounds
from tapeless.frontend.values.affine import Affine, Symbol

# What is repeated of `s`, which starts as `x`; `k` is an argument that is not negative here.
STEPS = {
    "beginning and rest": "s = tl.concat((s[:3], s[3:])) * x",
    "rest and beginning": "s = tl.concat((s[2:], s[:2]))",
    "last and others": "s = tl.concat((s[-1:], s[:-1]))",
    "three parts": "s = tl.concat((s[:1], s[1:][:2], s[1:][2:]))",
    "at an argument": "s = tl.concat((s[k:], s[:k])) + x",
    "cuts": "s = s[1:]",
    "cuts on both sides": "s = s[1:] - s[:-1]",
    "cuts after a start": "s = tl.concat((x[:1], s))[1:]",
    "cuts that go far": "s = s[2**62:]",
    "cuts by an argument": "s = s[k:]",
    "a part twice": "s = tl.concat((s[1:], s[1:]))[:4]",
    "every second": "s = tl.concat((s[::2], s[1::2]))",
}


@pytest.mark.one_in(2)
@pytest.mark.parametrize("step", STEPS)
def test_values(step: str) -> None:
    text = "def f(x, k):\n    s = x\n" + 4 * f"    {STEPS[step]}\n" + "    return s\n"
    kernel = tl.compile(function_from_text(text, "f"), (tl.f64[:], tl.i64))
    names = {"tl": np, "np": np}
    exec(text.replace("tl.concat", "np.concatenate"), names)
    for size in (0, 1, 2, 3, 4, 9):
        x = np.arange(1.0, size + 1.0)
        for k in (0, 1, 5):
            np.testing.assert_array_equal(kernel(x, k), names["f"](x, k))  # type: ignore[operator]


def test_parts_are_the_whole_again() -> None:
    size, cut = Affine(0, {Symbol(lower=(Affine(0),)): 1}), Affine(3)
    first, rest = (
        Affine(0, {Symbol(recipe=recipe): 1}) for recipe in (("min", cut, size), ("max", size - cut, Affine(0)))
    )
    assert bounds.sum_of_parts(first + rest + 1) == size + 1
    assert bounds.sum_of_parts(first.times(2) + rest.times(2)) == size.times(2)
    for other in (first, rest, first.times(2) + rest, first - rest):
        assert bounds.sum_of_parts(other) == other
