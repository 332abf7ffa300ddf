"""Arrays of sizes that a call tells, chosen by branches and loops inside of kernels: who made one gives it back."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import product
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

import tapeless as tl
from emulated_gpu.kernels import emulated_cuda
from function_from_text import function_from_text

# Arrays whose types do not say that they are as long as each other: arguments, views, and what the kernel makes.
STARTS = ("v", "m[0]", "v * p")
OTHERS = ("m[1]", "v - p")

# How `kept` becomes the other array: `c` is a condition of the whole call, `d` one of each iteration.
CHOICES = {
    "branch": "if c:\n    kept = other",
    "expression": "kept = other if d else kept",
    "loop": "for k in range(n):\n    kept = other * 2.0",
    "branch in a loop": "for k in range(n):\n    if c:\n        kept = other",
    "either in a loop": "for k in range(n):\n    if d:\n        kept = other\n    else:\n        kept = kept + 1.0",
    "loop in a branch": "if d:\n    for k in range(n):\n        kept = other",
    "while loop": "k = 0.0\nwhile k < p:\n    k = k + 1.0\n    kept = other",
}

# What runs `one` for every element of `v`.
HOLDERS = {
    "map": "r{0} = tl.map(one{0}, v)",
    "map of sums": "r{0} = tl.map(lambda a: tl.sum(tl.map(lambda b: one{0}(a) + b, v)), v)",
    "loop": "r{0} = v * 0.0\nfor i in range(len(v)):\n    r{0}[i] = one{0}(v[i])",
}

# The same words for numpy.
NUMPY = SimpleNamespace(map=lambda f, xs: np.array([f(x) for x in xs]), sum=np.sum)


def indented(text: str) -> str:
    return text.replace("\n", "\n    ")


def text_of(choice: str, holder: str) -> str:
    """A function that gives an array for every start and other."""
    lines = []
    for number, (start, other) in enumerate(product(STARTS, OTHERS)):
        body = f"kept = {start}\nother = {other}\nd = p > 2.0\n{CHOICES[choice]}\nreturn tl.sum(kept * {number + 1}.0)"
        lines += [f"def one{number}(p):\n    {indented(body)}", HOLDERS[holder].format(number)]
    results = ", ".join(f"r{number}" for number in range(len(STARTS) * len(OTHERS)))
    return f"def f(v, m, c, n):\n    {indented(chr(10).join(lines))}\n    return {results}\n"


def with_numpy(text: str) -> Callable[..., Sequence[np.ndarray]]:
    names: dict[str, Any] = {"tl": NUMPY}
    exec(text, names)
    return names["f"]


@pytest.mark.one_in(15)
@pytest.mark.parametrize("holder", HOLDERS)
@pytest.mark.parametrize("choice", CHOICES)
def test_values(choice: str, holder: str) -> None:
    text = text_of(choice, holder)
    program, reference = function_from_text(text, "f"), with_numpy(text)
    with emulated_cuda():
        kernel = tl.compile(program, (np.ones(2), np.ones((2, 2)), True, 1), target="cuda")
        for size, c, n in ((5, True, 3), (5, False, 3), (1, True, 0), (3, False, 1)):
            v, m = np.linspace(1.0, 4.0, size), np.arange(2.0 * size).reshape(2, size)
            for found, expected in zip(kernel(v, m, c, n), reference(v, m, c, n), strict=True):
                np.testing.assert_allclose(found, expected, rtol=1e-12)
