"""The reference of generated programs: arrays are values, and complex steps give derivatives."""

from __future__ import annotations

import numpy as np
import pytest

from fuzz.reference import run
from fuzz.reference.bulk import Undefined
from fuzz.reference.values import TooLarge

SWAP = "def generated(a):\n    a[0], a[1] = a[1], a[0]\n    b = a\n    b[2] += 5.0\n    return a, b\n"
ROWS = "def generated(m):\n    row = m[0]\n    m[0] = 1.0\n    m[1] = row\n    return m\n"
SCAN = (
    "def generated(x, y):\n    return tl.scan(lambda a, b, c, d: (a * c, b * c + d), (1.0, 0.0), x, y, reverse=True)\n"
)
KINKS = "def generated(x):\n    return tl.sum(tl.maximum(tl.abs(x), 0.5) * tl.erf(x)) + tl.max(x) * tl.sort(x)[1]\n"

# The operator reads the number whose derivative is taken; nothing else is complex then.
OUTSIDE = (
    "def generated(x, bins, keys, values):\n"
    "    return tl.grad(lambda t: tl.hist(lambda a, b: a + b + t * a * b, 0.0, bins, keys, values).sum())(x)\n"
)
SQUARES = "def generated(x):\n    for i in range(9):\n        x = x * x\n    return x * 0.0\n"


def test_swaps_and_copies() -> None:
    swapped, copied = run.results(SWAP, (np.array([1.0, 2.0, 3.0]),))
    np.testing.assert_array_equal(swapped, [2.0, 1.0, 3.0])
    np.testing.assert_array_equal(copied, [2.0, 1.0, 8.0])


def test_rows_are_copies() -> None:
    [result] = run.results(ROWS, (np.array([[3.0, 4.0], [5.0, 6.0]]),))
    np.testing.assert_array_equal(result, [[1.0, 1.0], [3.0, 4.0]])


def test_suffixes_keep_the_order_of_operands() -> None:
    x, y = np.array([2.0, 3.0]), np.array([0.5, 0.25])
    products, sums = run.results(SCAN, (x, y))
    np.testing.assert_array_equal(products, [6.0, 3.0])
    np.testing.assert_array_equal(sums, [0.5 * 3.0 + 0.25, 0.25])


@pytest.mark.parametrize("text", [KINKS, SCAN], ids=["kinks", "scan"])
def test_complex_steps_are_differences(text: str) -> None:
    rng = np.random.default_rng(0)
    count = 1 if text is KINKS else 2
    arguments = tuple(rng.normal(size=4) for _ in range(count))
    directions = tuple(rng.normal(size=4) for _ in range(count))
    exact = run.tangents(text, arguments, directions)
    for tangent, quotient in zip(exact, run.differences(text, arguments, directions, 1e-6), strict=True):
        np.testing.assert_allclose(tangent, quotient, rtol=1e-7, atol=1e-8)


def test_operators_of_histograms_may_read_what_is_differentiated() -> None:
    given = (0.25, np.array([0.5]), np.array([0, 0]), np.array([2.0, 3.0]))
    [slope] = run.results(OUTSIDE, given)
    np.testing.assert_allclose(slope, 1.0 + 3.0 * (2.5 + 2.0 * 0.25))


def test_noise_moves_results() -> None:
    arguments = (np.array([1.0, 2.0, 3.0]),)
    still, noisy = (run.results(SWAP, arguments, noise)[0] for noise in (0.0, 1e-3))
    assert 0 < np.max(np.abs(still - noisy)) < 1e-2


def test_noise_takes_what_is_about_to_underflow_for_zero() -> None:
    text = "@tl.function\ndef generated(x):\n    return tl.argmin(tl.cumprod(x))\n"
    plain, noisy = (run.results(text, (np.full(5000, 0.8),), noise) for noise in (0.0, 1e-13))
    assert noisy[0] < plain[0]


def test_values_that_are_too_large_for_derivatives_are_found_before_they_vanish() -> None:
    run.results(SQUARES, (np.array([1.01]),))
    with pytest.raises(TooLarge):
        run.results(SQUARES, (np.array([1.2]),))


def test_kinks_have_no_derivative() -> None:
    text = "def generated(x):\n    return tl.grad(lambda t: tl.abs(t) + t)(x)\n"
    np.testing.assert_allclose(run.results(text, (0.5,)), [2.0])
    with pytest.raises(Undefined, match="kink"):
        run.results(text, (0.0,))
