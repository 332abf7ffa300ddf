"""Sizes that only a check in a loop compares, where the loop becomes a nest of loops over blocks of its iterations."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import tapeless as tl
from programs.axes import METHODS

HINTS = {
    "plain": "range(n)",
    "two": "tl.range(n, stripmine=2)",
    "three": "tl.range(n, stripmine=3)",
    "budget": "tl.range(n, budget=40)",
    "back": "tl.range(n, 0, -1, stripmine=3)",
}
BODIES = {
    "traded": ("m[:, 0] = 0.5", "m[:, 0] -= v", "v, m[:, 0] = m[:, 0], v"),
    "added": ("v = tl.sin(v) + m[:, 1]",),
    "row": ("m[0] = m[0] * v[0]", "v = v + m[:, 0] * v[1]"),
}


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory) -> Any:
    """The functions of all hints and bodies, from a file, since their source must be readable."""
    lines = ["import tapeless as tl", ""]
    for hint, loop in HINTS.items():
        for name, body in BODIES.items():
            lines += ["@tl.function", f"def {name}_{hint}(v, m, w, n):", f"    for _ in {loop}:"]
            lines += [*(f"        {statement}" for statement in body), "    return tl.sum(v * w) + tl.sum(m)", ""]
    path = tmp_path_factory.mktemp("nests") / "checked_nests.py"
    path.write_text("\n".join(lines))
    scope: dict[str, Any] = {}
    exec(compile(path.read_text(), str(path), "exec"), scope)
    return scope


# Methods take turns, so that each meets every hint and every body; all combinations if thorough.
CASES = [
    pytest.param(hint, body, method, marks=[] if (k + n) % len(METHODS) == m else pytest.mark.thorough)
    for k, hint in enumerate(HINTS)
    for n, body in enumerate(BODIES)
    for m, method in enumerate(METHODS)
]


@pytest.mark.one_in(24)
@pytest.mark.parametrize(("hint", "body", "method"), CASES)
def test_gradient(program: Any, hint: str, body: str, method: str) -> None:
    rng = np.random.default_rng(5)
    v, m, w = rng.standard_normal(4), rng.standard_normal((4, 4)), rng.standard_normal(4)
    for n in (0, 7):
        expected = tl.grad(program[f"{body}_plain"], argnums=(0, 1))(v, m, w, n)
        found = tl.grad(program[f"{body}_{hint}"], argnums=(0, 1), method=method)(v, m, w, n)
        for one, other in zip(found, expected, strict=True):
            np.testing.assert_allclose(one, other, rtol=1e-12, atol=1e-12)
    with pytest.raises(tl.ShapeMismatch, match="do not match"):
        tl.grad(program[f"{body}_{hint}"], argnums=0, method=method)(v, m[:3, :3], w, 1)
