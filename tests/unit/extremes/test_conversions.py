"""Floats converted to integers: scalars as in Python or refused; elements of arrays become some integer."""

from __future__ import annotations

import contextlib
import math

import numpy as np
import pytest

import tapeless as tl

X = np.arange(4.0)
FLOATS = (math.nan, math.inf, -math.inf, 1e300, -1e300, 2.0**63, -(2.0**63), 2.0**31, -(2.0**31), -(2.0**31) - 0.5)
FLOATS += (2.0**31 - 0.5, 3.7, -1.2, -0.0, np.nextafter(2.0**63, 0))


@tl.function
def whole(x: tl.f64):
    return int(x)


@tl.function
def whole_f32(x: tl.f32):
    return int(x)


@tl.function
def narrow(x: tl.f64):
    return tl.astype(x, tl.i32)


@tl.function
def element(x: tl.f64[:], place: tl.f64):
    return x[int(place)]


@tl.function
def elements(x: tl.f64[:], places: tl.f64[:]):
    return tl.map(lambda place: x[int(place)], places)


@tl.function
def interpolated(x: tl.f64[:], place: tl.f64):
    k = int(place)
    return x[k] + (place - k) * (x[k + 1] - x[k])


@tl.function
def gathered(x: tl.f64[:], places: tl.f64[:]):
    return x[tl.astype(places, tl.i64)]


@tl.function
def counted(places: tl.f64[:]):
    return tl.hist(
        lambda a, b: a + b, 0, tl.zeros(4, tl.i64), tl.astype(places, tl.i64), tl.astype(places > -9.0, tl.i64)
    )


def as_integer(x: float, bits: int) -> int | None:
    """What Python makes of a float, if that fits; -2**63 is refused with the floats beyond it."""
    if not math.isfinite(x) or abs(x) == 2.0**63 or not -(2 ** (bits - 1)) <= int(x) < 2 ** (bits - 1):
        return None
    return int(x)


def found(function: tl.TapelessFunction, *arguments: object) -> int | None:
    try:
        return function(*arguments)
    except tl.ConversionError as error:
        assert "test_conversions.py" in str(error)
        return None


def test_scalars_are_what_python_makes_of_them() -> None:
    for x in FLOATS:
        assert found(whole, x) == as_integer(x, 64), x
        assert found(narrow, x) == as_integer(x, 32), x
        single = float(np.float32(x)) if abs(x) < 1e38 or not math.isfinite(x) else math.inf
        assert found(whole_f32, single) == as_integer(single, 64), x


def test_what_is_no_integer_is_no_index() -> None:
    assert element(X, 2.9) == 2.0
    assert elements(X, np.array([0.5, 3.2]))[1] == 3.0
    for x in (math.nan, math.inf, 1e300):
        with pytest.raises(tl.ConversionError, match="is no integer of 64 bits; test the number"):
            element(X, x)
        with pytest.raises(ValueError, match="is no integer"):
            elements(X, np.array([0.0, x]))
        with pytest.raises(tl.ConversionError):
            tl.grad(interpolated, argnums=1)(X, x)
    assert tl.grad(interpolated, argnums=1)(X, 1.5) == 1.0


def test_without_checks_there_is_none() -> None:
    kernel = tl.compile(whole, (tl.f64,), checks="off")
    assert "ConversionError" not in kernel.ir("loops")
    assert kernel(3.7) == 3


def test_elements_of_arrays_become_some_integer_that_stays_the_same() -> None:
    """Numpy says as little; an index made of one is in range or refused."""

    @tl.function
    def constant(x: tl.f64[:]):
        return x[tl.astype(tl.full(2, tl.nan), tl.i64)]

    with contextlib.suppress(tl.IndexOutOfRange):
        assert constant(X)[0] in X
    odd = np.array([1.0, math.nan, math.inf, 1e300, 3.0])
    assert set(np.flatnonzero(counted(odd))) <= {0, 1, 3}
    for x in (math.nan, math.inf, -1e300):
        with contextlib.suppress(tl.IndexOutOfRange):
            assert gathered(X, np.array([x]))[0] in X
