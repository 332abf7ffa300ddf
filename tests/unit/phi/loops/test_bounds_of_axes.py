"""Loops as long as an axis of an array, of every rank and type, read or not: the method coarsened agrees."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import tapeless as tl
from fuzz import compiled

BODIES = {
    "constant": "s = 0.5",
    "affine": "s = 0.5 * s + 0.25",
    "element": "s = 0.5 * s + a[{zeros}]",
    "element of the axis": "s = s + 0.5 * a[{along}]",
}
AXES = [(rank, axis) for rank in (1, 2, 3) for axis in range(rank)]


def text_of(body: str, rank: int, axis: int) -> str:
    along = ", ".join("i" if k == axis else "0" for k in range(rank))
    step = BODIES[body].format(zeros=", ".join(["0"] * rank), along=along)
    return (
        "import tapeless as tl\n\n@tl.function\ndef generated(s, a):\n"
        f"    for i in range(a.shape[{axis}]):\n        {step}\n    return s\n"
    )


@pytest.mark.one_in(73)
@pytest.mark.parametrize("dtype", [np.float64, np.int64])
@pytest.mark.parametrize("body", BODIES)
def test_adjoints_are_those_of_redundant(body: str, dtype: Any) -> None:
    argnums = (0,) if dtype is np.int64 else (0, 1)
    for rank, axis in AXES:
        shape = (5, 6, 7)[:rank]
        array = np.arange(1, 1 + np.prod(shape)).reshape(shape).astype(dtype)
        function = compiled.defined(text_of(body, rank, axis))["generated"]
        methods: tuple[Any, ...] = ("redundant", "coarsened")
        wanted, found = (tl.grad(function, argnums=argnums, method=method)(0.75, array) for method in methods)
        for one, other in zip(wanted, found, strict=True):
            np.testing.assert_allclose(other, one, rtol=1e-13)
