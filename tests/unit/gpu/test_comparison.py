"""What the benchmark of GPUs says of results that are wrong."""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
import pytest

sys.path.append(str(Path(__file__).parents[3] / "benchmarks"))

from on_gpu.comparison import largest_difference

EXPECTED = np.array([[1.0, -4.0], [2.0, 0.5]])


def test_numbers() -> None:
    assert largest_difference(EXPECTED, EXPECTED) == 0
    assert largest_difference(EXPECTED + 0.1, EXPECTED) == pytest.approx(0.025)
    assert largest_difference((EXPECTED, EXPECTED + 0.4), (EXPECTED, EXPECTED)) == pytest.approx(0.1)


@pytest.mark.parametrize("wrong", [np.nan, np.inf, -np.inf])
def test_one_wrong_element_is_seen(wrong: float) -> None:
    found = EXPECTED.copy()
    found[1, 0] = wrong
    assert largest_difference(found, EXPECTED) == np.inf
    assert largest_difference((EXPECTED, found), (EXPECTED, EXPECTED)) == np.inf


def test_results_of_another_shape() -> None:
    assert largest_difference(EXPECTED[:1], EXPECTED) == np.inf


def test_the_same_special_values() -> None:
    special = np.array([np.nan, np.inf, -np.inf, 2.0])
    assert largest_difference(special, special.copy()) == 0
    assert largest_difference(np.zeros(0), np.zeros(0)) == 0
