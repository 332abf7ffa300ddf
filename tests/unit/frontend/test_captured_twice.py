"""Functions and classes that a function reads several times, under several names, in every order.

The digest of a function, by which caches know it, has each of them once. All have one name here.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from itertools import product

import numpy as np
import pytest

import tapeless as tl

pytestmark = pytest.mark.one_in(3)


def scaled_by(factor: float) -> Callable[[float], float]:
    """A function whose text and name are those of its siblings."""

    def scaled(v):
        return v * factor

    return scaled


def class_of(factor: float) -> type:
    """A class whose name is that of its siblings."""

    @dataclass
    class Scale:
        v: float

        def times(self):
            return self.v * factor

    return Scale


CLOSURES = tuple(scaled_by(float(k)) for k in (1, 2, 3))
CLASSES = tuple(class_of(float(k)) for k in (1, 2, 3))
ORDERS = list(product(range(3), repeat=3))


def digits(order: tuple[int, ...]) -> float:
    return sum((k + 1) * 10.0**place for place, k in enumerate(order))


def test_functions_by_three_names() -> None:
    for order in ORDERS:
        first, second, third = (CLOSURES[k] for k in order)

        def f(x):
            return first(x) + 10.0 * second(x) + 100.0 * third(x)

        assert tl.function(f)(1.0) == digits(order)


def test_functions_as_arguments() -> None:
    @tl.function
    def f(x, first, second, third):
        return first(x) + 10.0 * second(x) + 100.0 * third(x)

    for order in ORDERS:
        assert tl.function(f)(1.0, *(CLOSURES[k] for k in order)) == digits(order)


def test_functions_in_a_tuple() -> None:
    for order in ORDERS:
        chosen = tuple(CLOSURES[k] for k in order)

        def f(x):
            return chosen[0](x) + 10.0 * chosen[1](x) + 100.0 * chosen[2](x)

        assert tl.function(f)(1.0) == digits(order)


def test_classes_of_one_name() -> None:
    for order in ORDERS:
        first, second, third = (CLASSES[k](1.0) for k in order)

        def f(x):
            return x * (first.times() + 10.0 * second.times() + 100.0 * third.times())

        assert tl.function(f)(1.0) == digits(order)


@pytest.mark.one_in(3)
@pytest.mark.parametrize("method", ["redundant", "reversible", "coarsened"])
def test_gradients(method: str) -> None:
    for order in ORDERS[::4]:
        first, second, third = (CLOSURES[k] for k in order)

        def f(x):
            return tl.sum(first(x) + 10.0 * second(x) + 100.0 * third(x))

        np.testing.assert_allclose(tl.grad(tl.function(f), method=method)(np.ones(2)), np.full(2, digits(order)))
