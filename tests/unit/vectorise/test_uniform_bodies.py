"""Maps whose bodies are the same for every element: what lanes share, and iterations that run together do not."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import tapeless as tl
from function_from_text import function_from_text

# Rows that a body makes of the matrix alone.
BODIES = {
    "logsumexp": "tl.logsumexp(0.5 - m[:, 1:], axis=0)",
    "sum": "tl.sum(m * m, axis=0)",
    "max": "tl.max(tl.sin(m[:, 1:]), axis=0)",
    "mean of softmax": "tl.mean(tl.softmax(m), axis=0)",
    "product": "m[0, :3] @ tl.exp(m[:3, :3] * 0.1)",
    "norms": "tl.map(lambda r: tl.norm(r), m)",
    "cumsum": "tl.cumsum(tl.sum(m, axis=1)) * tl.max(m)",
    "sums of scans": "tl.map(lambda r: tl.sum(tl.cumsum(r) * r), m)",
    "nested sums": "tl.map(lambda r: tl.sum(tl.map(lambda s: tl.sum(s * r), m)), m)",
    "loop": "looped(m)",
}
LOOP = """
@tl.function
def looped(m):
    total = m[0] * 0.0
    for i in range(len(m)):
        total = tl.tanh(total) + m[i] * tl.sum(m[i])
    return total
"""


def defined(line: str) -> Any:
    return function_from_text(f"{LOOP}\n@tl.function\ndef f(m, v):\n    return {line}\n", "f")


@pytest.mark.one_in(12)
@pytest.mark.parametrize("body", BODIES)
def test_maps_repeat_what_does_not_depend_on_their_elements(body: str) -> None:
    rng = np.random.default_rng(0)
    alone = defined(BODIES[body])
    mapped = defined(f"tl.map(lambda e: {BODIES[body]}, v)")
    for rows, columns, count in ((6, 3, 6), (5, 9, 11)):
        m, v = rng.normal(size=(rows, columns)), rng.normal(size=count)
        value, pull = tl.vjp(alone, m, v)
        values, pull_all = tl.vjp(mapped, m, v)
        np.testing.assert_allclose(values, np.broadcast_to(value, (count, *value.shape)), rtol=1e-13)
        weights = rng.normal(size=values.shape)
        np.testing.assert_allclose(pull_all(weights)[0], pull(np.sum(weights, axis=0))[0], rtol=1e-10, atol=1e-12)
