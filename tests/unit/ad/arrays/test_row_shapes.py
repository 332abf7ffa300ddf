"""The functions of the derivative table on arrays of any size, empty ones included, with zeros, ties and repeated keys.

Both modes must agree there, one seed at a time and with all seeds at once.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from directions import Values, is_float, like_structure, product, random_like
from hypothesis import HealthCheck, Phase, assume, given, settings
from hypothesis import strategies as st

import tapeless as tl
from programs.derivatives import DERIVATIVES
from programs.derivatives_row import Derivative

MOST = 9
ELEMENTS = (-1.5, -1.0, 0.0, 0.5, 1.0, 2.0)
ON_ARRAYS = {
    name: row
    for name, row in DERIVATIVES.items()
    if {"jvp", "vjp"} <= set(row.modes) and any(np.ndim(value) for value in row.arguments)
}

any_sizes = settings(
    max_examples=12,
    phases=[Phase.generate],
    derandomize=True,
    database=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much],
)


def resized(row: Derivative, sizes: list[int], rng: np.random.Generator) -> Values:
    """Arguments like those of the row: axes that were equally long there are so here."""
    extents = sorted({extent for value in row.arguments for extent in np.shape(value)})
    longer = dict(zip(extents, sizes, strict=False))

    def like(value: Any) -> Any:
        shape = tuple(longer[extent] for extent in np.shape(value))
        if not shape:
            return value
        return rng.choice(ELEMENTS, size=shape) if is_float(value) else keys(row, shape[0], rng)

    return tuple(map(like, row.arguments))


def keys(row: Derivative, count: int, rng: np.random.Generator) -> np.ndarray:
    """Keys in and around the array; those of a scatter name no place twice."""
    if "scatter" in row.name:
        return rng.permutation(MOST + 2)[:count] - 1
    return rng.integers(-1, max(count, 1), size=count)


def accepted(function: Callable[..., Any], arguments: Values) -> bool:
    """Whether the program has all the elements it names."""
    try:
        function(*arguments)
    except tl.IndexOutOfRange:
        return False
    return True


@pytest.mark.one_in(14)
@pytest.mark.parametrize("row", ON_ARRAYS.values(), ids=ON_ARRAYS)
def test_modes_agree(row: Derivative) -> None:
    """<w, J v> = <J' w, v>, and the Jacobians of both modes are the same."""
    function = tl.function(row.function)
    jacobians = [transform(function, argnums=row.wrt) for transform in (tl.jacfwd, tl.jacrev)]

    @any_sizes
    @given(sizes=st.lists(st.integers(0, MOST), min_size=3, max_size=3), seed=st.integers(0, 99))
    def agree(sizes: list[int], seed: int) -> None:
        rng = np.random.default_rng(seed)
        arguments = resized(row, sizes, rng)
        assume(accepted(function, arguments))
        v = tuple(random_like(value, rng) for value in arguments)
        result, tangent = tl.jvp(function, arguments, v)
        w = like_structure(result, lambda part: random_like(part, rng))
        adjoints = tl.vjp(function, *arguments)[1](w)
        np.testing.assert_allclose(product(w, tangent), product(adjoints, v), rtol=1e-12, atol=1e-12)
        for forward, reverse in zip(*(jacobian(*arguments) for jacobian in jacobians), strict=True):
            np.testing.assert_allclose(forward, reverse, rtol=1e-12, atol=1e-12)

    agree()
