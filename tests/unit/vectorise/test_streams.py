"""Results that are written past the caches: the same numbers as ever, bit by bit."""

from __future__ import annotations

import numpy as np
import pytest

import tapeless as tl

LARGE = 1 << 19  # doubles of 4 MiB
SPECIAL = [0.0, -0.0, np.inf, -np.inf, np.nan, 5e-324, -3e-310, 1e-300, 1e300, 2.0**-126, 2.0**128, -1e-45, 3.4e38]


@tl.function
def quotients(a: tl.f64[:], b: tl.f64[:]):
    return a / b


@tl.function
def multiples_of_reciprocals(a: tl.f64, b: tl.f64[:]):
    return a / b


@tl.function
def single_quotients(a: tl.f32[:], b: tl.f32[:]):
    return a / b


@tl.function
def several(a: tl.f64[:], b: tl.f64[:]):
    return a + b, tl.where(a < b, a, b), a * 2.0


@tl.function
def product(x: tl.f64[:]) -> tl.f64:
    return tl.reduce(lambda a, b: a * b, 1.0, x)


def stream_count(function: tl.Function, *arguments: object) -> int:
    return tl.compile(function, arguments).ir("lower-nontemporal-stores").count("nontemporal")


def numbers(size: int, seed: int, exponents: float) -> np.ndarray:
    random = np.random.default_rng(seed)
    return random.normal(size=size) * 2.0 ** random.uniform(-exponents, exponents, size=size)


def assert_same_bits(actual: np.ndarray, expected: np.ndarray) -> None:
    assert actual.dtype == expected.dtype
    bits = np.int64 if expected.dtype == np.float64 else np.int32
    is_number = ~np.isnan(expected)
    np.testing.assert_array_equal(np.isnan(actual), ~is_number)
    np.testing.assert_array_equal(actual.view(bits)[is_number], expected.view(bits)[is_number])


def with_specials(x: np.ndarray, seed: int) -> np.ndarray:
    """Special values among the others: some vectors have several, most none."""
    places = np.random.default_rng(seed).integers(0, x.size, size=400)
    x[places] = np.resize(np.array(SPECIAL, dtype=x.dtype), 400)
    return x


@pytest.mark.one_in(4)
@pytest.mark.parametrize("size", [LARGE - 1, LARGE, LARGE + 5, LARGE + 8, 1_000_003])
@pytest.mark.parametrize("exponents", [1, 60, 600])
def test_quotients_are_those_of_divisions(size: int, exponents: float) -> None:
    a, b = (with_specials(numbers(size, seed, exponents), seed) for seed in (1, 2))
    with np.errstate(all="ignore"):
        assert_same_bits(quotients(a, b), a / b)


def test_quotients_near_the_middle_of_two_numbers() -> None:
    random = np.random.default_rng(3)
    ones = (1 << 52) - 1
    divisor = (random.integers(0, ones, size=LARGE) | (ones - 7)).astype(np.int64) + (1023 << 52)
    b = np.where(random.random(LARGE) < 0.5, divisor.view(np.float64), random.uniform(1, 2, LARGE))
    middle = random.uniform(1, 2, LARGE).astype(np.longdouble) + np.longdouble(2) ** -53
    a = (middle * b).astype(np.float64)
    assert_same_bits(quotients(a, b), a / b)


@pytest.mark.one_in(2)
@pytest.mark.parametrize("dividend", [1.0, -3.7, 1e-250, 1e250, 0.0, -0.0, np.inf, np.nan, 5e-324])
def test_one_dividend(dividend: float) -> None:
    b = with_specials(numbers(LARGE + 3, 4, 30), 5)
    with np.errstate(all="ignore"):
        assert_same_bits(multiples_of_reciprocals(dividend, b), dividend / b)


def test_single_precision() -> None:
    a, b = (numbers(2 * LARGE + 7, seed, 20).astype(np.float32) for seed in (6, 7))
    assert stream_count(single_quotients, a, b) == 1
    assert_same_bits(single_quotients(a, b), a / b)


def test_several_results_at_once() -> None:
    a, b = (numbers(LARGE + 9, seed, 3) for seed in (8, 9))
    assert stream_count(several, a, b) == 3
    for actual, expected in zip(several(a, b), (a + b, np.where(a < b, a, b), a * 2.0), strict=True):
        assert_same_bits(actual, expected)


def test_threads_change_no_bit() -> None:
    a, b = (numbers(LARGE + 9, seed, 300) for seed in (10, 11))
    assert_same_bits(tl.jit(quotients, threads=2)(a, b), quotients(a, b))


def near_one(**others: float) -> np.ndarray:
    x = 1.0 + 1e-6 * np.random.default_rng(12).normal(size=LARGE + 11)
    for name, value in others.items():
        x[int(name[1:])] = value
    return x


@pytest.mark.one_in(3)
@pytest.mark.parametrize(
    "others", [{}, {"i7": 1e-310}, {"i9": 5e-324, "i400000": 1e20}, {"i3": 1e200}, {"i5": -2e-200}]
)
def test_gradient_of_a_product(others: dict[str, float]) -> None:
    x = near_one(**others)
    value, gradient = tl.value_and_grad(product)(x)
    assert stream_count(tl.value_and_grad(product), x) == 1
    np.testing.assert_allclose(value, np.multiply.reduce(x), rtol=0.01)
    assert_same_bits(gradient, value / x)


@pytest.mark.parametrize("special", [np.inf, -np.inf, np.nan])
def test_gradient_of_a_product_that_is_not_finite(special: float) -> None:
    x = near_one(i100=special)
    value, gradient = tl.value_and_grad(product)(x)
    with np.errstate(all="ignore"):
        assert_same_bits(gradient, value / x)


def test_gradient_of_a_product_with_one_zero() -> None:
    x = near_one(i300000=0.0)
    value, gradient = tl.value_and_grad(product)(x)
    assert value == 0.0
    expected = np.zeros_like(x)
    expected[300000] = np.multiply.reduce(np.delete(x, 300000))
    np.testing.assert_allclose(gradient, expected, rtol=1e-9)


def test_gradient_of_a_product_with_two_zeros() -> None:
    value, gradient = tl.value_and_grad(product)(near_one(i0=0.0, i524298=-0.0))
    assert value == 0.0
    np.testing.assert_array_equal(gradient, np.zeros_like(gradient))
