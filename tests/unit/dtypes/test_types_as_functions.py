"""Types of the language convert numbers and arrays, in functions and outside of them, as those of numpy do."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import tapeless as tl

PAIRS = [(tl.f64, np.float64), (tl.f32, np.float32), (tl.i64, np.int64), (tl.i32, np.int32), (tl.bool_, np.bool_)]
X = np.array([0.0, 1.25, -2.75])


@pytest.mark.parametrize(("own", "numpys"), PAIRS)
def test_arrays_are_converted_as_by_numpy(own: Any, numpys: Any) -> None:
    expected = X.astype(numpys)
    for found in (own(X), tl.jit(lambda x: own(x))(X)):
        assert found.dtype == expected.dtype
        np.testing.assert_array_equal(found, expected)


@pytest.mark.parametrize(("own", "numpys"), PAIRS)
def test_numbers_are_converted_as_by_numpy(own: Any, numpys: Any) -> None:
    assert own(-2.75) == numpys(-2.75) == tl.jit(lambda x: own(x[2]))(X)


def test_conversions_have_derivatives() -> None:
    def squares(x: Any) -> Any:
        return tl.sum(tl.f64(x) ** 2 + tl.f64(tl.i64(x)))

    single = X.astype(np.float32)
    found = tl.grad(squares)(single)
    assert found.dtype == np.float32
    np.testing.assert_array_equal(found, 2.0 * single)


def test_a_sum_may_start_from_a_type() -> None:
    def total(x: Any) -> Any:
        found = tl.f32(0.0)
        for each in x:
            found += each
        return found

    assert tl.jit(total)(X.astype(np.float32)) == np.float32(-1.5)
