"""Which type results have: literals are weak, integers that meet floats become floats throughout."""

from itertools import product

import numpy as np
import pytest

import tapeless as tl
from frontend.running import translate
from tapeless.types import bool_, f32, f64, i32, i64

X32, X64, N32, N64, B, U32 = (
    np.ones(3, dtype) for dtype in (np.float32, np.float64, np.int32, np.int64, np.bool_, np.uint32)
)


def result_types(function, *arguments):
    return tuple(getattr(kind, "dtype", kind) for kind in translate(function, *arguments).result_types)


@pytest.mark.parametrize(
    ("left", "right"),
    [
        (X32, X64),
        (X32, N64),
        (X32, N32),
        (N32, N64),
        (B, X32),
        (B, N32),
        (N32, X64),
        (X32, X32),
        (N32, N32),
        *((U32, other) for other in (X32, X64, N32, N64, U32, B)),
    ],
)
def test_arrays_promote_as_in_numpy(left, right):
    expected = (left * right).dtype
    [found] = result_types(lambda a, b: a * b, left, right)
    assert found.numpy == expected


def test_literals_are_weak():
    assert result_types(
        lambda x: (x * 2, x * 2.5, x + True),
        f32,
    ) == (f32, f32, f32)
    assert result_types(lambda x: (x * 2, x * 2.5), X32) == (f32, f32)
    assert result_types(lambda n: (n * 2, n * 2.5, n / 2), i32) == (i32, f64, f64)
    assert result_types(lambda n: (n * 2, n * 2.5), N64) == (i64, f64)


def test_loop_variables_and_sizes_are_weak():
    def f(x):
        total = x[0]
        for i in range(len(x)):
            total += x[i] * i / x.shape[0]
        return total

    assert result_types(f, X32) == (f32,)


def test_an_integer_updated_with_floats_is_a_float():
    def f(x):
        total = 0
        for i in range(len(x)):
            total += x[i]
        return total

    assert result_types(f, X64) == (f64,)
    assert result_types(f, X32) == (f32,)
    assert result_types(f, N64) == (i64,)


def test_a_float_literal_takes_the_type_it_meets_in_a_loop():
    def f(x):
        total = 0.0
        for v in x:
            total = total + v
        return total

    assert result_types(f, X32) == (f32,)


def test_types_found_late_reach_the_start_of_nested_loops():
    def f(x):
        total = 0
        count = 0
        for _ in range(3):
            for i in range(len(x)):
                total += count
                count = count + x[i]
        return total, count

    assert result_types(f, X64) == (f64, f64)


def test_branches_meet_in_a_common_type():
    def f(c, x):
        y = 1 if c else x
        if c:
            z = 0
        else:
            z = 0.5
        return y, z

    assert result_types(f, bool_, f32) == (f32, f64)


def test_comparisons_and_conversions():
    assert result_types(lambda x: (x < 1, int(x), float(x), bool(x)), f32) == (bool_, i64, f64, bool_)


def test_sums_of_narrow_integers_are_wide():
    assert result_types(lambda n, b: (np.sum(n), np.sum(b), np.cumsum(n), np.mean(n)), N32, B) == (i64, i64, i64, f64)


def test_functions_of_integers_are_floats():
    assert result_types(lambda n, m: (np.exp(n), np.sqrt(m)), i64, i32) == (f64, f64)


def test_captured_numpy_scalars_are_strong():
    scale = np.float64(2.0)
    assert result_types(lambda x: x * scale, f32) == (f64,)
    assert result_types(lambda x: -scale * x, f32) == (f64,)
    weak = 2.0
    assert result_types(lambda x: x * weak, f32) == (f32,)


KINDS = (np.float32, np.float64, np.int32, np.int64, np.uint32, np.bool_)


def composed(x, y):
    return np.copysign(x, y), np.heaviside(x, y), np.logaddexp(x, y), np.fmod(x, y), np.power(x, y)


@pytest.mark.parametrize(("left", "right"), list(product(KINDS, KINDS)))
def test_functions_of_two_numbers_have_the_types_of_numpy(left: type, right: type) -> None:
    """Beside those that need half precision or bytes in numpy: both are bools."""
    x, y = np.array([1, 3, 0]).astype(left), np.array([2, 1, 1]).astype(right)
    for found, wanted in zip(tl.function(composed)(x, y), composed(x, y), strict=True):
        assert found.dtype == wanted.dtype or left is right is np.bool_
        np.testing.assert_allclose(found, wanted, rtol=1e-6 if np.float32 in (left, right) else 1e-3)
