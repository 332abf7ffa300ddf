"""Outside values that change after they were captured: a warning at the next call, and `f.recapture()`."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

import tapeless as tl
from tapeless.api import staleness

RATE = 2.0
TABLE = np.array([1.0, 2.0])
PAIR = (1.0, np.array([3.0]))


@tl.function
def scaled(x):
    return x * RATE


@tl.function
def looked_up(x):
    return x + TABLE[1]


@tl.function
def calling(x):
    return scaled(x) + 1.0


@tl.function
def of_pair(x):
    return x + PAIR[0] + PAIR[1][0]


def plain(x):
    return x * RATE


@tl.function
def with_helper(x):
    return plain(x)


@tl.function
def pure(x):
    return x + 1.0


NAMES = globals()


@pytest.fixture(autouse=True)
def as_before(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Elements are compared in every call, however soon, and names have their values again afterwards."""
    monkeypatch.setattr(staleness, "SELDOM", 0)
    saved = {name: np.copy(NAMES[name]) if name == "TABLE" else NAMES[name] for name in ("RATE", "TABLE", "PAIR")}
    saved["PAIR"] = (1.0, np.array([3.0]))
    yield
    NAMES.update(saved)
    for function in (scaled, looked_up, calling, of_pair, with_helper):
        function.recapture()


def warned(call: Any) -> tuple[Any, list[str]]:
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        result = call()
    assert all(str(each.filename) == __file__ for each in caught)
    return result, [str(each.message) for each in caught]


OLD_RATE = "'RATE' was 2.0 when scaled() captured it, and is 3.0 now"


def test_numbers() -> None:
    assert warned(lambda: scaled(1.0)) == (2.0, [])
    NAMES["RATE"] = 3.0
    result, [message] = warned(lambda: scaled(1.0))
    assert result == 2.0
    end = "call scaled.recapture(), or pass it as an argument"
    assert message == f"scaled() computes with the old value: {OLD_RATE}; {end}"
    assert warned(lambda: scaled(1.0)) == (2.0, [])
    scaled.recapture()
    assert warned(lambda: scaled(1.0)) == (3.0, [])
    NAMES["RATE"] = float("3.0")
    assert warned(lambda: scaled(1.0)) == (3.0, [])


def test_names_that_are_gone() -> None:
    assert scaled(1.0) == 2.0
    del NAMES["RATE"]
    result, [message] = warned(lambda: scaled(1.0))
    assert result == 2.0
    assert "'RATE' has changed since scaled() captured it" in message
    NAMES["RATE"] = 2.0
    assert warned(lambda: scaled(1.0)) == (2.0, [])


def test_changes_before_the_first_call() -> None:
    rate = 2.0

    @tl.function
    def local(x):
        return x * rate

    rate = 5.0
    result, [message] = warned(lambda: local(1.0))
    assert result == 2.0
    assert "'rate' was 2.0 when local() captured it, and is 5.0 now" in message
    local.recapture()
    assert warned(lambda: local(1.0)) == (5.0, [])


def test_elements_of_arrays() -> None:
    assert warned(lambda: looked_up(1.0)) == (3.0, [])
    TABLE[1] = 7.0
    result, [message] = warned(lambda: looked_up(1.0))
    assert result == 3.0
    assert "'TABLE' has changed since looked_up() captured it" in message
    looked_up.recapture()
    assert warned(lambda: looked_up(1.0)) == (8.0, [])
    NAMES["TABLE"] = np.array([1.0, 9.0])
    assert len(warned(lambda: looked_up(1.0))[1]) == 1


def test_parts_of_structures() -> None:
    assert warned(lambda: of_pair(1.0)) == (5.0, [])
    PAIR[1][0] = 4.0
    assert len(warned(lambda: of_pair(1.0))[1]) == 1
    of_pair.recapture()
    assert warned(lambda: of_pair(1.0)) == (6.0, [])


@pytest.mark.parametrize("function", [calling, with_helper, tl.grad(scaled), tl.jit(scaled, threads=2)])
def test_through_other_functions(function: Any) -> None:
    before, messages = warned(lambda: function(1.0))
    assert messages == []
    NAMES["RATE"] = 3.0
    result, [message] = warned(lambda: function(1.0))
    assert result == before
    assert "'RATE' was 2.0" in message
    function.recapture()
    assert warned(lambda: function(1.0)) == (before + 1.0, [])


def test_those_who_call_a_function_see_what_it_recaptured() -> None:
    gradient = tl.grad(scaled)
    assert (calling(1.0), gradient(1.0)) == (3.0, 2.0)
    NAMES["RATE"] = 4.0
    scaled.recapture()
    assert (calling(1.0), gradient(1.0)) == (5.0, 4.0)


def test_functions_that_capture_nothing_are_called_as_before() -> None:
    pure(1.0)
    assert pure._latest.__name__ != "looking"
    assert staleness.Watches(pure)._all == []
