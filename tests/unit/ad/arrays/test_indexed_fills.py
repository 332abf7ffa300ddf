"""Rows and columns filled one after the other at indices that may be equal: all pairs of indices."""

from __future__ import annotations

from itertools import product
from typing import Any

import numpy as np
import pytest

import tapeless as tl
from fuzz import compiled
from fuzz.reference import run

INDICES = ("1", "-1", "i", "k")
PLACES = {"m[{}]": (2, 3), "m[:, {}]": (3, 2), "m[1:, {}]": (3, 2), "m[:, {}, :]": (3, 2, 2)}
METHODS: tuple[Any, ...] = ("redundant", "reversible", "coarsened")


def text_of(first: str, second: str) -> str:
    loop = f"    for i in range(2):\n        {first} = s\n        {second} = 0.5 * s * s\n"
    return f"import tapeless as tl\n\n@tl.function\ndef generated(s, m, k):\n{loop}    return m\n"


@pytest.mark.one_in(16)
@pytest.mark.parametrize("place", PLACES)
def test_pairs_of_fills(place: str) -> None:
    start = np.linspace(1.0, 2.0, np.prod(PLACES[place])).reshape(PLACES[place])
    weights, direction = np.cos(start), np.sin(5 * start)
    for number, (first, second) in enumerate(product(INDICES, INDICES)):
        text = text_of(place.format(first), place.format(second))
        _, pull = tl.vjp(compiled.defined(text)["generated"], 0.7, start, 1, method=METHODS[number % 3])
        by_s, by_m = pull(weights)[:2]
        [tangent] = run.tangents(text, (0.7, start, 1), (0.3, direction, 0))
        found = 0.3 * by_s + np.sum(by_m * direction)
        np.testing.assert_allclose(found, np.sum(weights * tangent), rtol=1e-12, atol=1e-12, err_msg=text)
