"""Sizes at the ends of the integers: caller and kernel compute the same number, or the call is refused."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest

import tapeless as tl
from tapeless.abi import LONGEST_AXIS, Abi, Parameter, evaluate
from tapeless.runtime.calling.size_text import size_text

from .table import EXTREMES, EXTREMES_32, HIGHEST, LENGTH, LOWEST

REFUSED = (tl.ShapeMismatch, MemoryError)
SMALL, BEYOND_MEMORY = 64, 2**46


def is_cheap(*sizes: int) -> bool:
    """Whether no array of these sizes would take real memory: it is small, or no machine has as much."""
    return not any(SMALL < size < BEYOND_MEMORY for size in sizes)


@tl.function
def scanned(n: tl.i64, a: tl.i64):
    return tl.cumsum(tl.ones(max(n * a, 3)))


@tl.function
def at_most_five(n: tl.i64, a: tl.i64):
    return tl.ones(min(n * a, 5))


@tl.function
def narrow(n: tl.i32, a: tl.i32):
    return tl.ones(max(n + a, 3))


@tl.function
def sums(n: tl.i64, a: tl.i64):
    return tl.ones(n + a), tl.sum(tl.ones(n + a))


@tl.function
def all_makers(n: tl.i64):
    return tl.zeros(n), tl.ones(n), tl.full(n, 2.0), tl.iota(n), tl.linspace(0.0, 1.0, n)


@tl.function
def held(n: tl.i64):
    y = tl.zeros(n)
    for i in range(n):
        y[i] = 1.0
    return tl.sum(y) + tl.sum(tl.sort(y))


@tl.function
def table(n: tl.i64, m: tl.i64):
    return tl.zeros((n, m))


@tl.function
def joined(n: tl.i64, m: tl.i64):
    return tl.concat((tl.zeros(n), tl.ones(m)))


@tl.function
def sum_of_reshaped(x: tl.f64[:], n: tl.i64, m: tl.i64):
    return tl.sum(tl.reshape(x, (n, m))), tl.sum(tl.reshape(x, (n, m, -1)))


def test_products_that_overflow_are_refused_by_the_caller() -> None:
    assert len(scanned(2, 3)) == 6
    assert len(at_most_five(2, 2)) == 4
    for function, n, a in ((scanned, -2, 2**63 - 50000), (at_most_five, 4, 2**62)):
        with pytest.raises(tl.ShapeMismatch, match=r"test_sizes.py:\d+: .* the size of a result overflows"):
            function(n, a)


def test_no_pair_of_numbers_gives_another_size() -> None:
    for n, a in product(EXTREMES, EXTREMES):
        if is_cheap(n, a):
            assert _size_or_refused(at_most_five, n, a) in (min(n * a, 5), None)
            is_small = 0 <= n <= SMALL and 0 <= a <= SMALL
            assert _size_or_refused(joined, n, a) == (n + a if is_small else None)
    for n, a in product(EXTREMES_32, EXTREMES_32):
        wanted = max((n + a + 2**31) % 2**32 - 2**31, 3)
        if is_cheap(wanted):
            assert len(narrow(n, a)) == wanted


def _size_or_refused(function: tl.TapelessFunction, n: int, a: int) -> int | None:
    try:
        return len(function(n, a))
    except REFUSED:
        return None


def test_sums_that_overflow() -> None:
    for n, a in product(EXTREMES, EXTREMES):
        if 0 <= n + a <= SMALL and max(abs(n), abs(a)) < 2**62:
            assert sums(n, a)[1] == len(sums(n, a)[0]) == n + a
        elif not 0 <= n + a <= SMALL and is_cheap(n + a):
            with pytest.raises(REFUSED):
                sums(n, a)


def test_one_size() -> None:
    for n in (*EXTREMES, LONGEST_AXIS, LONGEST_AXIS + 1):
        if 0 <= n <= SMALL:
            assert all(len(each) == n for each in all_makers(n))
            assert held(n) == 2 * n
        elif is_cheap(n):
            for function in (all_makers, held):
                with pytest.raises(REFUSED):
                    function(n)


def test_two_sizes() -> None:
    for n, m in product((*EXTREMES, 2**32, LONGEST_AXIS), repeat=2):
        if min(n, m) >= 0 and max(n, m) <= LONGEST_AXIS and n * m <= SMALL:
            assert table(n, m).shape == (n, m)
        elif is_cheap(n * m):
            with pytest.raises(REFUSED):
                table(n, m)


def test_shapes_whose_product_wraps_are_no_reshapes() -> None:
    x = np.ones(LENGTH)
    assert sum_of_reshaped(x, 2, 2) == (4.0, 4.0)
    odd = pow(2**32 + 1, -1, 2**48)
    for data, n, m in product((x, np.zeros(0)), (2**32, odd, 2**47, HIGHEST, LOWEST, -2), (2**32, 2**32 + 1, -2)):
        with pytest.raises(REFUSED):
            sum_of_reshaped(data, n, m)


def test_sizes_known_when_compiling() -> None:
    @tl.function
    def huge(x: tl.f64):
        return x + tl.sum(tl.zeros(2**62))

    with pytest.raises(tl.ShapeMismatch, match="a size is 4611686018427387904"):
        huge(1.0)


@pytest.mark.parametrize("shape", [(2**40, 2**40), (2**31, 2**46), (2**46,)])
def test_shapes_known_when_compiling_that_no_memory_holds(shape: tuple[int, ...]) -> None:
    @tl.function
    def filled(x: tl.f64):
        y = tl.zeros(shape)
        return y, x

    @tl.function
    def sliced(x: tl.f64):
        y = tl.ones(shape)
        return x + tl.sum(tl.sort(y[1:] if len(shape) == 1 else y[0]))

    for function in (filled, sliced):
        with pytest.raises(MemoryError):
            function(1.0)


def test_large_constants_are_not_stored_with_the_code() -> None:
    @tl.function
    def ones_but_first(x: tl.f64):
        y = tl.ones(2**20)
        return x + tl.sum(tl.sort(y[1:]))

    kernel = tl.compile(ones_but_first, (tl.f64,))
    assert "memref.global" not in kernel.ir("loops")
    assert kernel(1.0) == 2**20


def test_axes_longer_than_any_memory_are_refused_as_arguments() -> None:
    @tl.function
    def columns(m: tl.bool_[:, :]):
        return m.shape[1]

    assert columns(np.zeros((0, LONGEST_AXIS), np.bool_)) == LONGEST_AXIS
    with pytest.raises(tl.ShapeMismatch, match="pass at most"):
        columns(np.zeros((0, LONGEST_AXIS + 1), np.bool_))


SIZE, WIDE, NARROW = ["dim", 0, 0], ["arg", 1], ["arg", 2]
TEXTS = [
    (["min", ["add", SIZE, 1], WIDE], "min((a0.shape[0] + 1), n1)"),
    (["max", ["mul", NARROW, NARROW], 3], "max((n2 * n2), 3)"),
    (["max", ["sub", WIDE, SIZE], 3], "max(fitting((n1 - a0.shape[0])), 3)"),
    (["floordiv", ["mul", WIDE, 2], 2], "(fitting((n1 * 2)) // 2)"),
]


@pytest.mark.parametrize(("expression", "text"), TEXTS)
def test_only_operands_that_may_overflow_are_tested_in_fast_calls(expression: list, text: str) -> None:
    abi = Abi((Parameter("array", "f64", (None,)), Parameter("scalar", "i64"), Parameter("scalar", "i32")), ())
    assert size_text(abi, expression) == text


def test_evaluation_refuses_what_wraps_before_it_is_compared() -> None:
    expression = ["max", ["mul", ["arg", 0], ["arg", 1]], 3]
    assert evaluate(expression, (), (2, 5)) == 10
    with pytest.raises(OverflowError):
        evaluate(expression, (), (-2, HIGHEST))
    assert evaluate(["sub", ["mul", ["arg", 0], 4], ["mul", ["arg", 0], 4]], (), (HIGHEST,)) == 0
