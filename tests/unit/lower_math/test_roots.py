"""Roots by Newton's method have the bits of the instruction, whatever stands beside them in a register."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

import numpy as np
import pytest
from map_kernel import compiled

import tapeless as tl
from tapeless.backend.codegen.llvm import host
from tapeless.passes.lower.arithmetic.roots import Roots

pytestmark = pytest.mark.skipif(not host().estimates, reason="this processor gives no estimates of roots")
SPECIAL = (0.0, -0.0, np.inf, -np.inf, np.nan, -1.0, 5e-324, 1e-310, 2.0**-600, 2.0**600, 1.7976931348623157e308)


def nearly_between() -> Iterator[float]:
    """Numbers whose roots are nearest to the middle between two doubles.

    The middle is an odd N of 54 bits, and N^2 = x 2^s + r with a small r, which is 1 more than a multiple of 8.
    """
    for shift, r in product((54, 55), range(-4095, 4096, 8)):
        modulus, n = 1 << shift, 1
        for power in range(3, shift):
            n += ((n * n - r) >> power & 1) << (power - 1)
        for each in (n % modulus, -n % modulus, (n + modulus // 2) % modulus, (modulus // 2 - n) % modulus):
            x, rest = divmod(each * each - r, modulus)
            if each >> 53 == 1 and x >> 52 == 1 and rest == 0:
                yield float(x << (shift - 54))


def bits(x: np.ndarray) -> np.ndarray:
    return np.where(np.isnan(x), 0, x.view(np.int64))


@pytest.mark.parametrize("lanes", [8, 16])
def test_ordinary_numbers(lanes: int) -> None:
    rng = np.random.default_rng(lanes)
    x = (1.0 + rng.random(1 << 18)) * 2.0 ** rng.integers(-599, 599, 1 << 18)
    squares = (1.0 + rng.random(1 << 18)) ** 2
    beside = [np.nextafter(squares, 9.0), squares, np.nextafter(squares, 0.0)]
    for each in (x, *beside, np.nextafter(2.0 ** np.arange(-598.0, 599.0), 0.0)):
        found = compiled("math.sqrt", 1, "f64", lanes, Roots(estimates=True))(each)
        np.testing.assert_array_equal(bits(found), bits(np.sqrt(each)))


def test_roots_between_two_numbers() -> None:
    x = np.array(list(nearly_between()))
    assert len(x) > 1000
    root = compiled("math.sqrt", 1, "f64", 8, Roots(estimates=True))
    for scale in (1.0, 2.0**-300, 4.0**100):
        np.testing.assert_array_equal(bits(root(scale * x)), bits(np.sqrt(scale * x)))


@pytest.mark.filterwarnings("ignore:invalid value")
@pytest.mark.parametrize("special", SPECIAL)
def test_special_numbers(special: float) -> None:
    root = compiled("math.sqrt", 1, "f64", 16, Roots(estimates=True))
    for place in range(16):
        x = np.linspace(1.0, 2.0, 16)
        x[place] = special
        np.testing.assert_array_equal(bits(root(x)), bits(np.sqrt(x)))


@tl.function
def shares(x: tl.f64[:], y: tl.f64[:]) -> tl.f64[:]:
    return y / tl.sqrt(x)


@pytest.mark.filterwarnings("ignore:invalid value", "ignore:divide by zero")
def test_maps_of_all_lengths() -> None:
    rng = np.random.default_rng(3)
    assert "rsqrt14" in tl.compile(shares, (np.ones(2), np.ones(2))).asm()
    for n in range(50):
        x, y = rng.random(n) + 0.5, rng.normal(size=n)
        x[:: max(1, n // 3)] = rng.choice(SPECIAL, size=len(x[:: max(1, n // 3)]))
        np.testing.assert_array_equal(bits(shares(x, y)), bits(y / np.sqrt(x)))


def test_gradients_of_maps() -> None:
    x, y = np.linspace(1.0, 3.0, 37), np.linspace(-1.0, 1.0, 37)
    by_x, by_y = tl.grad(lambda x, y: tl.sum(shares(x, y)), argnums=(0, 1))(x, y)
    np.testing.assert_allclose(by_x, -0.5 * y / x**1.5, rtol=1e-14)
    np.testing.assert_allclose(by_y, 1.0 / np.sqrt(x), rtol=1e-15)
