"""Arrays made by long chains of statements, each of which has a size that is written with that of the one before."""

from __future__ import annotations

import numpy as np
import pytest

import tapeless as tl
from function_from_text import function_from_text
from tapeless.methods import IMPLEMENTED

LENGTH = 56
X = np.array([0.5, -1.0, 2.0])
# What stands before a chain, its statement, and how often each element of `x` is in the sum of the array at its end.
CHAINS = {
    "concat": ("y = x", "y = tl.concat((y, x))", [LENGTH + 1.0] * 3),
    "concat before": ("y = x", "y = tl.concat((2.0 * x, y))", [2.0 * LENGTH + 1.0] * 3),
    "numbers": ("y = x", "y = tl.concat((y, tl.ones(1) * x[1]))", [1.0, LENGTH + 1.0, 1.0]),
    "rows": (
        "y = tl.reshape(x, (1, len(x)))",
        "y = tl.concat((y, tl.reshape(x, (1, len(x)))))",
        [LENGTH + 1.0] * 3,
    ),
    "stack": ("y = x", "y = tl.sum(tl.stack((y, x)), axis=0)", [LENGTH + 1.0] * 3),
    "reshape": ("y = x", "y = tl.reshape(tl.reshape(y, (len(y), 1)), len(x))", [1.0] * 3),
    "slices": ("y = tl.concat((tl.zeros(90), x))", "y = y[1:]", [1.0] * 3),
    "slice updates": ("y = tl.concat((x, tl.zeros(90)))", "y[1:] += 0.0 * y[:-1]", [1.0] * 3),
    "grown in a loop": ("y = x\n    for i in range(2):", "    y = tl.concat((y, x))", [2.0 * LENGTH + 1.0] * 3),
}


def chain(before: str, statement: str, parameters: str = "x") -> tl.TapelessFunction:
    lines = [f"def f({parameters}):", f"    {before}", *[f"    {statement}"] * LENGTH, "    return tl.sum(y)", ""]
    return function_from_text("@tl.function\n" + "\n".join(lines), "f")


@pytest.mark.one_in(16)
@pytest.mark.parametrize("name", CHAINS)
def test_chains_of_one_statement(name: str) -> None:
    before, statement, counts = CHAINS[name]
    function = chain(before, statement)
    for method in IMPLEMENTED:
        value, slope = tl.value_and_grad(function, method=method)(X)
        np.testing.assert_allclose(value, np.dot(counts, X), rtol=1e-12)
        np.testing.assert_allclose(slope, counts, rtol=1e-12)


def test_more_arrays_than_a_size_is_written_with() -> None:
    """The size of such an array is known when those that it is made of are there."""
    names = [f"x{k}" for k in range(120)]
    lines = [f"def f({', '.join(names)}):", "    y = x0", *(f"    y = tl.concat((y, {each}))" for each in names[1:])]
    function = function_from_text("@tl.function\n" + "\n".join([*lines, "    return y", ""]), "f")
    arrays = [np.arange(k % 3) + float(k) for k in range(120)]
    np.testing.assert_array_equal(function(*arrays), np.concatenate(arrays))
