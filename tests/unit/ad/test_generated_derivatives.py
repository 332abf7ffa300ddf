"""Generated programs: tangents, adjoints and central differences must give one number."""

from __future__ import annotations

import importlib.util
import itertools
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from directions import like_structure, moved, product, random_like
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

import tapeless as tl

sys.path.append(str(Path(__file__).parents[1] / "programs"))

from generator import programs

STEP = 1e-6
SIZES = st.sampled_from([(0, 3), (1, 2), (4, 0), (5, 3)])
numbers = itertools.count()


def load(text: str, folder: Path) -> Callable[..., Any]:
    """The function of a program that is written to a file, as the frontend needs its source."""
    path = folder / f"differentiated_{next(numbers)}.py"
    path.write_text(f"import tapeless as tl\n\n\n{text}")
    spec = importlib.util.spec_from_file_location(path.stem, path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return tl.function(module.generated)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("differentiated")


@settings(
    max_examples=20,
    deadline=None,
    phases=[Phase.generate],
    derandomize=True,
    database=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.function_scoped_fixture],
)
@given(text=programs(), size=SIZES, seed=st.integers(0, 99))
def test_generated_program(text: str, size: tuple[int, int], seed: int, folder: Path) -> None:
    rng, (n, k), function = np.random.default_rng(seed), size, load(text, folder)
    keys = rng.integers(-1, n + 1, size=n)
    arguments = float(rng.normal()), rng.normal(size=n), rng.normal(size=n), rng.normal(size=(n, k)), keys
    v = tuple(random_like(value, rng) for value in arguments)
    result, tangent = tl.jvp(function, arguments, v)
    w = like_structure(result, lambda part: random_like(part, rng))
    _, pullback = tl.vjp(function, *arguments)
    forward, backward = product(w, tangent), product(pullback(w), v)
    ahead, behind = (product(w, function(*moved(arguments, v, step))) for step in (STEP, -STEP))
    np.testing.assert_allclose(forward, backward, rtol=1e-8, atol=1e-8)
    np.testing.assert_allclose(forward, (ahead - behind) / (2 * STEP), rtol=1e-4, atol=1e-4)
