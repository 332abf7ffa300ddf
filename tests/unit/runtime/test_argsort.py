"""tl_argsort_* against numpy's stable argsort."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from tapeless.runtime.counters import memory_counters
from tapeless.runtime.library import load_library

SUFFIXES = {"f64": np.float64, "f32": np.float32, "i64": np.int64, "i32": np.int32}


def argsort(suffix: str, x: np.ndarray) -> np.ndarray:
    out = np.full(x.size, -1, dtype=np.int64)
    getattr(load_library(), f"tl_argsort_{suffix}")(x.ctypes.data, x.size, out.ctypes.data)
    return out


def sample(suffix: str, size: int, distinct: int) -> np.ndarray:
    values = np.random.default_rng(size).integers(-distinct, distinct + 1, size=size)
    return values.astype(SUFFIXES[suffix]) * (3 if suffix[0] == "i" else 0.3)


@pytest.mark.parametrize("suffix", SUFFIXES)
@pytest.mark.parametrize("size", [0, 1, 2, 23, 24, 25, 48, 49, 1000, 4097])
@pytest.mark.parametrize("distinct", [0, 3, 10**6])
def test_agrees_with_numpy(suffix: str, size: int, distinct: int) -> None:
    x = sample(suffix, size, distinct).astype(SUFFIXES[suffix])
    np.testing.assert_array_equal(argsort(suffix, x), np.argsort(x, kind="stable"))


@pytest.mark.parametrize("suffix", ["f64", "f32"])
def test_special_values(suffix: str) -> None:
    values = [np.nan, 0.0, -0.0, np.inf, -np.inf, -np.nan, 1e-40, -1e-40, 0.0, np.nan, -1.0, 3.4e38]
    x = np.array(values * 5, dtype=SUFFIXES[suffix])
    np.testing.assert_array_equal(argsort(suffix, x), np.argsort(x, kind="stable"))


@pytest.mark.parametrize("suffix", ["i64", "i32"])
def test_extreme_integers(suffix: str) -> None:
    limits = np.iinfo(SUFFIXES[suffix])
    x = np.array([0, limits.max, limits.min, -1, limits.max, limits.min], dtype=SUFFIXES[suffix])
    assert argsort(suffix, x).tolist() == [2, 5, 3, 0, 1, 4]
    many = np.tile(x, 20)
    np.testing.assert_array_equal(argsort(suffix, many), np.argsort(many, kind="stable"))


@given(hnp.arrays(np.float64, st.integers(0, 200), elements=st.floats(width=16)))
def test_any_floats(x: np.ndarray) -> None:
    np.testing.assert_array_equal(argsort("f64", x), np.argsort(x, kind="stable"))


def test_working_space_is_given_back() -> None:
    before = memory_counters().live_bytes
    argsort("f64", np.arange(1000.0))
    assert memory_counters().live_bytes == before
