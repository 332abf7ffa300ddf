"""Histograms whose operator reads numbers from outside: derivatives against complex steps, and the memory they take."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import tapeless as tl
from tapeless.runtime.counters import memory_limit

RNG = np.random.default_rng(0)


@tl.function
def bent(s, dest, values, keys):
    return tl.hist(lambda a, b: a + b + 0.3 * s * a * b, 0.0, dest, keys, values)


@tl.function
def of_two(s, dest, values, keys):
    first, second = tl.hist(
        lambda a, b, c, d: (a + c, b * tl.cos(s * c) + d), (0.0, 0.0), (dest, dest * 2.0), keys, (values, values * s)
    )
    return first + 3.0 * second


@tl.function
def in_a_loop(s, dest, values, keys):
    for _i in range(3):
        dest = tl.hist(lambda a, b: a + b + 0.3 * s * a * b, 0.0, tl.tanh(dest), keys, values * dest[0])
    return dest


def combined(dest: Any, keys: Any, rows: list[Any], op: Any) -> Any:
    results = [np.array(each) for each in dest]
    for position, key in enumerate(keys):
        if 0 <= key < len(results[0]):
            made = op(*(each[key] for each in results), *(each[position] for each in rows))
            for result, row in zip(results, made, strict=True):
                result[key] = row
    return results


def bent_reference(s, dest, values, keys):
    return combined([dest], keys, [values], lambda a, b: (a + b + 0.3 * s * a * b,))[0]


def of_two_reference(s, dest, values, keys):
    def op(a, b, c, d):
        return a + c, b * np.cos(s * c) + d

    first, second = combined([dest, dest * 2.0], keys, [values, values * s], op)
    return first + 3.0 * second


def in_a_loop_reference(s, dest, values, keys):
    for _ in range(3):
        dest = bent_reference(s, np.tanh(dest), values * dest[0], keys)
    return dest


PROGRAMS = [(bent, bent_reference), (of_two, of_two_reference), (in_a_loop, in_a_loop_reference)]


@pytest.mark.one_in(30)
@pytest.mark.parametrize("row", [(), (3,)], ids=["numbers", "rows"])
@pytest.mark.parametrize(("function", "reference"), PROGRAMS, ids=["one", "two", "loop"])
def test_adjoints_and_tangents(function: Any, reference: Any, row: tuple[int, ...]) -> None:
    for count, bins in ((0, 4), (7, 4), (50, 6)):
        values, dest = RNG.normal(size=(count, *row)), RNG.normal(size=(bins, *row))
        keys, weights = RNG.integers(-1, bins + 1, count), RNG.normal(size=(bins, *row))
        moving = 0.7, dest, values
        directions = tuple(RNG.normal(size=np.shape(each)) for each in moving)
        steps = tuple(each + 1e-100j * direction for each, direction in zip(moving, directions, strict=True))
        tangent = reference(*steps, keys).imag / 1e-100
        _, pull = tl.vjp(lambda s, d, v, keys=keys: function(s, d, v, keys), *moving)
        products = [np.sum(bar * v) for bar, v in zip(pull(weights), directions, strict=True)]
        np.testing.assert_allclose(sum(products), np.sum(tangent * weights), rtol=1e-10)
        _, found = tl.jvp(lambda s, d, v, keys=keys: function(s, d, v, keys), moving, directions)
        np.testing.assert_allclose(found, tangent, rtol=1e-10, atol=1e-13)


def test_hessians() -> None:
    dest, values, keys = RNG.normal(size=3), RNG.normal(size=6), RNG.integers(0, 3, 6)
    found = tl.hessian(lambda s: tl.sum(bent(s, dest, values, keys)))(0.7)
    step = 1e-4
    sums = [np.sum(bent_reference(0.7 + k * step, dest, values, keys)) for k in (-1, 0, 1)]
    np.testing.assert_allclose(found, (sums[0] - 2 * sums[1] + sums[2]) / step**2, rtol=1e-5, atol=1e-6)


def test_memory_grows_with_values_and_bins_not_with_their_product() -> None:
    size = 20_000
    values, keys = RNG.normal(size=size), RNG.integers(0, size, size)
    gradient = tl.grad(lambda s, v, keys: tl.sum(bent(s, v, v, keys)), argnums=(0, 1))
    with memory_limit(40 * values.nbytes):
        gradient(0.7, values, keys)
