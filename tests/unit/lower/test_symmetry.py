"""Operators of reductions whose operands may change places, which GPUs ask for."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

import tapeless as tl
from tapeless.dialects.soac.schedules import Tree
from tapeless.passes.lower.schedule.gpu import GpuScheduler

from .scheduled import decisions


def first_of_smallest(x: tl.f32[:]):
    return tl.argmin(x)


def first_of_largest(x: tl.i64[:]):
    return tl.argmax(x)


def with_sum(x: tl.f64[:]):
    return tl.argmax(x), tl.sum(x)


def last(x: tl.f64[:]):
    return tl.reduce(lambda a, b: tl.where(b != 0, b, a), 0.0, x)


def smaller_or_second(x: tl.f64[:]):
    """With NaNs, what comes second."""
    return tl.reduce(lambda a, b: tl.where(a < b, a, b), tl.inf, x)


def smaller(x: tl.i64[:]):
    return tl.reduce(lambda a, b: tl.where(a < b, a, b), 1000, x)


def smaller_number(x: tl.f64[:]):
    return tl.reduce(lambda a, b: tl.where((a < b) | tl.isnan(b), a, b), tl.inf, x)


def affine(x: tl.f64[:]):
    return tl.reduce(lambda a, b: a + b - a * b, 0.0, x)


FREE = {first_of_smallest, first_of_largest, with_sum, smaller, smaller_number}
OTHERS = {last, smaller_or_second, affine}


@pytest.mark.one_in(4)
@pytest.mark.parametrize("function", sorted(FREE | OTHERS, key=lambda each: each.__name__))
def test_operands_that_may_change_places(function: Callable[..., Any]) -> None:
    ((_, schedules),) = decisions(function, [GpuScheduler()])
    assert schedules == [Tree(is_free=function in FREE)]
