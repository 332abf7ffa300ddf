"""Floats converted to integers: scalars as in Python or refused; elements of arrays become some integer."""

from __future__ import annotations

import contextlib
import math

import numpy as np
import pytest

import tapeless as tl

X = np.arange(4.0)
EDGES = tuple(sign * edge for edge in (2.0**63, 2.0**31, 2.0**31 + 1.0) for sign in (1.0, -1.0))
ORDINARY = (3.7, -1.2, -0.0, 0.5, 1e300, -1e300, -(2.0**31) - 0.5, 2.0**31 - 0.5)
ODD = (math.nan, math.inf, -math.inf)


@tl.function
def whole(x):
    return int(x)


@tl.function
def narrow(x):
    return tl.astype(x, tl.i32)


@tl.function
def whole_elements(x):
    return tl.astype(x, tl.i64)


CASTS = ((whole, 64), (whole_elements, 64), (narrow, 32))


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


def floats(dtype: type[np.floating]) -> list[np.floating]:
    """Numbers of a type, the edges of the integers with their neighbours among them."""
    with np.errstate(over="ignore"):
        numbers = [dtype(each) for each in (*EDGES, *ORDINARY, *ODD)]
    edges = [dtype(each) for each in EDGES]
    return numbers + [np.nextafter(edge, dtype(toward)) for edge in edges for toward in (-math.inf, 0.0, math.inf)]


def as_integer(x: float, bits: int) -> int | None:
    """What Python makes of a float, if that fits."""
    if not math.isfinite(x) or not -(2 ** (bits - 1)) <= int(x) < 2 ** (bits - 1):
        return None
    return int(x)


def found(function: tl.TapelessFunction, *arguments: object) -> int | None:
    try:
        return function(*arguments)
    except tl.ConversionError as error:
        assert "test_conversions.py" in str(error)
        return None


@pytest.mark.parametrize("dtype", [np.float64, np.float32])
def test_every_edge_is_what_python_makes_of_it(dtype: type[np.floating]) -> None:
    for function, bits in CASTS:
        for x in floats(dtype):
            assert found(function, x) == as_integer(float(x), bits), (function, x)


@pytest.mark.parametrize("dtype", [np.float64, np.float32])
def test_elements_that_fit_are_what_python_makes_of_them(dtype: type[np.floating]) -> None:
    for function, bits in CASTS[1:]:
        fitting = [x for x in floats(dtype) if as_integer(float(x), bits) is not None]
        np.testing.assert_array_equal(function(np.array(fitting, dtype)), [int(x) for x in fitting])


@pytest.mark.parametrize("number", [2.0**63, -(2.0**63) - 2048.0, 2.0**31, -(2.0**31) - 1.0, *ODD])
@pytest.mark.parametrize("bits", [64, 32])
def test_numbers_known_when_compiling(number: float, bits: int) -> None:
    @tl.function
    def constant():
        return tl.astype(number, tl.i64 if bits == 64 else tl.i32)

    wanted = as_integer(number, bits)
    if wanted is not None:
        assert constant() == wanted
        return
    with pytest.raises(tl.TypeMismatch, match=r"test_conversions.py:\d+:\d+: the number .* does not fit tl.i"):
        constant()


def test_integers_known_when_compiling_that_are_returned() -> None:
    @tl.function
    def lowest(x):
        return int(-(2.0**63)), x

    @tl.function
    def too_large(x):
        return int(2.0**63), x

    assert lowest(1.0)[0] == -(2**63)
    with pytest.raises(tl.TypeMismatch, match=r"test_conversions.py:\d+:\d+: the integer 9223372036854775808 does not"):
        too_large(1.0)


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
