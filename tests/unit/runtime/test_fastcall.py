"""The functions written for fast calls say the same as the general path."""

from __future__ import annotations

import re
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import tapeless as tl
from tapeless.abi import Abi, Parameter, Result, evaluate, fitting
from tapeless.runtime.calling.fastcall import MOST_SLOTS, can_call_fast, fast_call_source
from tapeless.runtime.calling.plan import objects_are_as_planned

LEAVES = st.one_of(
    st.integers(0, 9), st.sampled_from([["dim", 0, 0], ["dim", 0, 1], ["arg", 1]]).map(lambda leaf: [*leaf])
)
OPERATORS = st.sampled_from(["add", "sub", "mul", "floordiv", "min", "max"])
EXPRESSIONS = st.recursive(LEAVES, lambda inner: st.tuples(OPERATORS, inner, inner).map(list), max_leaves=6)


NUMBERS = st.one_of(st.integers(-3, 9), st.sampled_from([-(2**63), 1 - 2**63, -(2**62), 2**62, 2**63 - 1]))


@given(EXPRESSIONS, st.integers(0, 5), st.integers(0, 5), NUMBERS)
def test_sizes_are_computed_as_the_contract_says(expression: Any, rows: int, columns: int, number: int) -> None:
    parameters = (Parameter("array", "f64", (None, None)), Parameter("scalar", "i64"))
    abi = Abi(parameters, (Result("array", "f64", "out", (expression,)),))
    line = next(line for line in fast_call_source(abi, 0, {}).split("\n") if "empty(" in line)
    text = line.partition("empty(")[2].rpartition(", dtype0)")[0]
    array = np.zeros((rows, columns))
    expected, found = (
        _outcome(lambda: evaluate(expression, [array.shape, ()], [0, number])),
        _outcome(lambda: fitting(*eval(text, {"a0": array, "n1": number, "fitting": fitting}))),
    )
    assert found == expected


def _outcome(compute: Callable[[], int]) -> int | type[Exception]:
    try:
        return compute()
    except (ZeroDivisionError, OverflowError) as error:
        return type(error)


def test_calls_are_fast_as_long_as_the_runtime_has_room() -> None:
    room = re.search(r"MAX_SLOTS = (\d+)", (Path(__file__).parents[3] / "runtime" / "call.c").read_text())
    assert room is not None and int(room[1]) == MOST_SLOTS
    for count, is_fast in ((MOST_SLOTS - 1, True), (MOST_SLOTS, False)):
        abi = Abi((Parameter("scalar", "f64"),) * count, (Result("scalar", "f64", "returned"),))
        assert can_call_fast(abi, 0) == is_fast


def test_this_python_allows_fast_calls() -> None:
    assert objects_are_as_planned()


@tl.function
def mixed(x: tl.f64[:], b: tl.bool_, i: tl.i32, a: tl.f32, m: tl.i64[:, 2]):
    total = tl.sum(m, axis=0)
    return x + a if b else x - a, i + 1, total, not b


ARGUMENTS = (np.arange(3.0), True, 7, 0.5, np.arange(6).reshape(3, 2))
VARIANTS = {
    "numpy scalars": (np.arange(3.0), np.bool_(True), np.int32(7), np.float32(0.5), np.arange(6).reshape(3, 2)),
    "an int for a float": (np.arange(3.0), True, 7, 1, np.arange(6).reshape(3, 2)),
    "strided arrays": (np.arange(6.0)[::2], True, 7, 0.5, np.arange(12).reshape(3, 4)[:, ::2]),
    "read-only": (np.broadcast_to(2.0, 3), False, -8, 0.25, np.arange(6).reshape(3, 2)),
}


@pytest.mark.one_in(2)
@pytest.mark.parametrize("variant", VARIANTS)
def test_fast_and_general_calls_agree(variant: str) -> None:
    kernel = mixed.lower()
    arguments = VARIANTS[variant]
    plain = tuple(np.ascontiguousarray(a) if isinstance(a, np.ndarray) else a for a in arguments)
    for fast, general in zip(kernel(*arguments), kernel.calls.general(*plain), strict=True):
        assert type(fast) is type(general)
        np.testing.assert_array_equal(fast, general)


def test_a_32_bit_integer_out_of_range_is_refused_not_wrapped() -> None:
    with pytest.raises(tl.TypeMismatch, match=r"does not fit tl\.i32"):
        mixed(ARGUMENTS[0], True, 2**31, 0.5, ARGUMENTS[4])


@tl.function
def long_sum(n: tl.i64) -> tl.f64:
    total = 0.0
    for _ in range(n):
        total = tl.sin(total + 1.0)
    return total


def test_other_threads_run_during_a_call() -> None:
    long_sum(1)
    worker = threading.Thread(target=long_sum, args=(5_000_000,))
    worker.start()
    steps = 0
    while worker.is_alive():
        steps += 1
    worker.join()
    assert steps > 1000


# Numbers, and three times each: the type of a number chooses a version, whatever was called before.
TRIPLED: list[tuple[Any, Any]] = [
    (0.1, 0.1 * 3),
    (np.float64(0.1), 0.1 * 3),
    (np.array(0.1), 0.1 * 3),
    (np.float32(0.1), np.float32(0.1) * np.float32(3)),
    (np.array(0.1, np.float32), np.float32(0.1) * np.float32(3)),
    (2**31 - 1, 3 * (2**31 - 1)),
    (np.int64(2**31 - 1), 3 * (2**31 - 1)),
    (np.array(2**31 - 1), 3 * (2**31 - 1)),
    (np.int32(5), 15),
    (np.array(5, np.int32), 15),
]


@pytest.mark.parametrize("is_structure", [False, True])
def test_numbers_choose_versions_by_their_type(is_structure: bool) -> None:
    @tl.function
    def plain(x):
        return x * 3

    @tl.function
    def of_part(p):
        return p["x"] * 3

    def tripled(value: Any) -> Any:
        return of_part({"x": value}) if is_structure else plain(value)

    for before, _ in TRIPLED:
        for value, expected in TRIPLED:
            tripled(before)
            found = tripled(value)
            assert (type(found), found) == (type(expected), expected), (before, value)


NUMBERS_OF = {
    tl.f64: [0.5, 2, True, np.float64(0.5), np.float32(0.5), np.float16(0.5), np.int32(2), np.uint8(2), np.bool_(True)],
    tl.f32: [0.5, 2, np.float64(0.5), np.float32(0.5), 1e300],
    tl.i64: [3, True, np.int64(3), np.int8(3), np.uint64(3), np.bool_(True)],
    tl.i32: [3, np.int64(3), np.int32(3), -(2**31)],
    tl.bool_: [True, False, np.bool_(True), np.bool_(False)],
}


@pytest.mark.parametrize("kind", NUMBERS_OF)
@pytest.mark.filterwarnings("ignore:overflow")
def test_annotated_parameters_take_whatever_converts(kind: Any) -> None:
    kernel = tl.compile(lambda x: (x, x == x), (kind,))
    fast = kernel.calls.fast(lambda *_: None)
    for number in NUMBERS_OF[kind]:
        for passed in (number, np.array(number)):
            found, general = kernel(passed), kernel.calls.general(passed)
            assert [*map(type, found)] == [*map(type, general)]
            assert found == general
            assert fast(passed) in (found, None)
    assert all(fast(number) is not None for number in NUMBERS_OF[kind][:3])


REFUSED = {
    tl.f64: [10**400, "1", None, 1j, np.array([0.5]), np.complex128(1)],
    tl.i64: [0.5, np.float64(3.0), 2**63, np.uint64(2**63), np.array(0.5)],
    tl.i32: [2**31, np.int64(2**31), np.float32(1.0)],
    tl.bool_: [1, np.int64(1), 0.0],
}


@pytest.mark.parametrize("kind", REFUSED)
def test_other_numbers_are_refused(kind: Any) -> None:
    kernel = tl.compile(lambda x: x, (kind,))
    for number in REFUSED[kind]:
        with pytest.raises(tl.TypeMismatch):
            kernel(number)


def test_strided_arrays_are_copied_without_the_general_way() -> None:
    kernel = mixed.lower()
    fast = kernel.calls.fast(lambda *_: None)
    strided = (np.arange(6.0)[::2], True, 7, 0.5, np.arange(12).reshape(3, 4)[:, ::2])
    for found, expected in zip(fast(*strided), kernel.calls.general(*strided), strict=True):
        np.testing.assert_array_equal(found, expected)
    assert fast(strided[0].astype(np.float32)[::2], *strided[1:]) is None
    assert fast(np.zeros((4, 4))[:, ::2], *strided[1:]) is None


def test_calls_hold_nothing_after_they_end() -> None:
    @tl.function
    def picked(x: tl.f64[:], i: tl.i64):
        return x[i], x + 1.0

    x, numbers = np.arange(3.0), memoryview(np.arange(3.0))
    kept = (x, numbers, None)
    picked(numbers, 0)
    before = [sys.getrefcount(each) for each in kept]
    for _ in range(200):
        picked(x, 1)
        picked(numbers, 1)
        for wrong in (x, numbers):
            with pytest.raises(tl.IndexOutOfRange):
                picked(wrong, 7)
        with pytest.raises(tl.TypeMismatch):
            picked(x, None)
    after = [sys.getrefcount(each) for each in kept]
    assert all(abs(one - other) < 100 for one, other in zip(before, after, strict=True)), (before, after)


class Foreign:
    """An array of another library, by DLPack alone."""

    def __init__(self, array: np.ndarray, fails: bool = False) -> None:
        self.array, self.ndim, self.fails = array, array.ndim, fails

    def __dlpack__(self, **options: Any) -> Any:
        if self.fails:
            raise BufferError("it is not handed over")
        return self.array.__dlpack__(**options)

    def __dlpack_device__(self) -> Any:
        return self.array.__dlpack_device__()


@pytest.mark.skipif(not objects_are_as_planned(), reason="calls are general here")
@pytest.mark.parametrize("give", [memoryview, Foreign, np.asarray])
@pytest.mark.parametrize("dtype", [np.float32, np.float64, np.int64])
def test_arrays_without_axes_are_numbers_in_fast_calls(
    give: Callable[[np.ndarray], Any], dtype: type, monkeypatch: pytest.MonkeyPatch
) -> None:
    @tl.function
    def scaled(x, factor):
        return x * factor

    x, factor = np.arange(3, dtype=np.float32), np.array(2, dtype)
    scaled(x, give(factor))
    monkeypatch.setattr("tapeless.runtime.calling.binding.call", None)
    found = scaled(x, give(factor))
    assert found.dtype == (x * factor).dtype and np.array_equal(found, 2 * x)


def test_what_is_not_handed_over_is_told_by_the_general_call() -> None:
    @tl.function
    def scaled(x: tl.f64[:], factor: tl.f64) -> tl.f64[:]:
        return x * factor

    assert np.array_equal(scaled(np.ones(2), Foreign(np.array(2.0))), [2.0, 2.0])
    with pytest.raises(tl.TypeMismatch, match="it is not handed over"):
        scaled(np.ones(2), Foreign(np.array(2.0), fails=True))
    with pytest.raises(tl.TypeMismatch, match="argument 'factor'"):
        scaled(np.ones(2), Foreign(np.ones(1)))
