"""Generated programs: numpy, the sequential oracle, the fused code and two threads must agree."""

from __future__ import annotations

import importlib.util
import itertools
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from generator import programs
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from variants import VARIANTS, assert_same

TOLERANCE = 1e-8
SIZES = st.sampled_from([(0, 0), (0, 3), (1, 1), (1, 4), (4, 0), (5, 3), (9, 2)])
numbers = itertools.count()


def load(text: str, folder: Path, language: str) -> Callable[..., Any]:
    """The function of a program that is written to a file, as the frontend needs its source."""
    path = folder / f"generated_{next(numbers)}.py"
    path.write_text(f"import {language} as tl\n\n\n{text}")
    spec = importlib.util.spec_from_file_location(path.stem, path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module.generated


def inputs(n: int, k: int, seed: int) -> list[Any]:
    rng = np.random.default_rng(seed)
    keys = rng.integers(-1, n + 1, size=n)
    return [float(rng.normal()), rng.normal(size=n), rng.normal(size=n), rng.normal(size=(n, k)), keys]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("generated")


@settings(
    max_examples=20,
    deadline=None,
    derandomize=True,
    database=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.function_scoped_fixture],
)
@given(text=programs(), sizes=st.lists(SIZES, min_size=2, max_size=2, unique=True), seed=st.integers(0, 99))
def test_generated_program(text: str, sizes: list[tuple[int, int]], seed: int, folder: Path) -> None:
    reference = load(text, folder, "numpy_language")
    function = load(text, folder, "tapeless")
    for n, k in sizes:
        wanted = reference(*inputs(n, k, seed))
        for run in VARIANTS.values():
            assert_same(run(function, inputs(n, k, seed)), wanted, TOLERANCE)
