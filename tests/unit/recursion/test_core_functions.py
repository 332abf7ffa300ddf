"""Recursive functions of core IR give what they should on every target, fail as others do, and give memory back."""

from __future__ import annotations

import math

import numpy as np
import pytest

from tapeless.errors import IndexOutOfRange, InvertibilityError, RecursionTooDeep
from tapeless.runtime.counters import memory_counters

from . import core_functions
from .core_functions import TARGETS, compiled

everywhere = pytest.mark.parametrize("target", TARGETS)


@everywhere
def test_of_scalars(target):
    factorial = compiled(core_functions.FACTORIAL, target)
    assert [factorial(n)[0] for n in (0, 1, 5, 20)] == [math.factorial(n) for n in (0, 1, 5, 20)]


@everywhere
def test_an_array_is_changed_by_halves_and_the_argument_stays(target):
    prefixes = compiled(core_functions.PREFIXES_OF_AN_ARRAY, target)
    for size in (0, 1, 2, 7, 1000):
        x = np.random.default_rng(size).normal(size=size)
        y, same = prefixes(x)
        np.testing.assert_allclose(y, np.cumsum(x), rtol=1e-12, atol=1e-12)
        np.testing.assert_array_equal(same, np.random.default_rng(size).normal(size=size))


@everywhere
def test_arguments_that_lie_apart_in_memory(target):
    x = np.random.default_rng(1).normal(size=(40, 30))
    (y,) = compiled(core_functions.PREFIXES_OF_COLUMNS, target)(x)
    np.testing.assert_allclose(y, np.cumsum(x, axis=0), rtol=1e-12, atol=1e-12)


@everywhere
def test_functions_that_call_each_other(target):
    alternating = compiled(core_functions.ALTERNATING, target)
    for n in (0, 1, 2, 5):
        x, s = np.array([2.0, 3.0]), 1.0
        for _ in range(n):
            s = s + x[0]
            x[0] = s
            s = -s
        found, y = alternating(n, np.array([2.0, 3.0]))
        assert found == s
        np.testing.assert_array_equal(y, x)


@everywhere
def test_arrays_that_change_places(target):
    exchange = compiled(core_functions.EXCHANGE, target)
    x, y = np.arange(3.0), np.arange(3.0) + 10
    for n in (0, 1, 2, 3):
        found = exchange(n, x, y)
        for array, wanted in zip(found, (x, y) if n % 2 == 0 else (y, x), strict=True):
            np.testing.assert_array_equal(array, wanted)


@everywhere
def test_what_a_failed_call_held_at_every_depth_is_freed(target):
    held = compiled(core_functions.HELD, target)
    assert held(3, np.full(5000, 1.0)) == (8.0 + 8.0 + 4.0 + 2.0,)
    before = memory_counters().live_bytes
    with pytest.raises(IndexOutOfRange, match="grew too large"):
        held(10, np.full(5000, 1.0))
    assert memory_counters().live_bytes == before
    assert held(1, np.full(5000, 1.0)) == (4.0,)


@everywhere
def test_too_deep_a_recursion_is_an_error_that_names_the_function(target):
    held = compiled(core_functions.HELD, target)
    before = memory_counters().live_bytes
    with pytest.raises(RecursionTooDeep, match="calls of 'held' are nested too deeply"):
        held(10**7, np.zeros(4))
    assert memory_counters().live_bytes == before
    assert held(2, np.full(4, 1.0)) == (10.0,)


def test_that_error_is_one_of_procedures_and_one_of_python():
    assert issubclass(RecursionTooDeep, InvertibilityError)
    assert issubclass(RecursionTooDeep, RecursionError)
