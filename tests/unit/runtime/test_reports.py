"""Reports: what kernels tell without ending a call is complete, whatever threads they run on."""

from __future__ import annotations

import ctypes
import math
import threading

import numpy as np
import pytest

from tapeless.abi import DRIFT, Site
from tapeless.errors import IndexOutOfRange
from tapeless.runtime.invoke import bind
from tapeless.runtime.reports import Book, Page, drift_lines

COUNT = 1000
NONE = -1
MESSAGE = "off by {}; {} times"


def reported(kernels: ctypes.CDLL, book: Book, *slots: int) -> Page:
    address = ctypes.cast(kernels.report_many, ctypes.c_void_p).value or 0
    given = np.array(slots, dtype=np.int64)
    bind(address, {}, book)(given.ctypes.data)
    page = book.last()
    assert page is not None
    return page


@pytest.mark.parametrize("threads", [1, 4])
def test_the_largest_value_and_all_failures_are_kept(kernels: ctypes.CDLL, threads: int) -> None:
    book = Book(4)
    for _ in range(20):
        page = reported(kernels, book, COUNT, threads, 2, NONE)
        assert (page.records[2].largest, page.records[2].failures) == (COUNT - 1, COUNT // 10)
        assert (page.first_failed, page.records[3].failures) == (3, COUNT // 100)
        assert page.values[0] == -page.values[1] and page.values[0] % 100 == 0
        assert all((each.failures, each.largest) == (0, -1) for each in page.records[:2])
    assert threads > 1 or page.values[0] == 0


@pytest.mark.parametrize("place", [0, 400, COUNT - 1])
def test_what_is_not_a_number_is_the_largest(kernels: ctypes.CDLL, place: int) -> None:
    assert math.isnan(reported(kernels, Book(4), COUNT, 2, 2, place).records[2].largest)


def test_without_a_book_a_failure_ends_the_call(kernels: ctypes.CDLL) -> None:
    site = Site("IndexOutOfRange", "{} and {}", "model.py", 3, ("i64", "i64"), ends=False)
    address = ctypes.cast(kernels.report_many, ctypes.c_void_p).value or 0
    given = np.array([COUNT, 2, 2, NONE], dtype=np.int64)
    with pytest.raises(IndexOutOfRange, match=r"model\.py:3: 0 and 0"):
        bind(address, {3: site})(given.ctypes.data)


def test_each_thread_has_its_last_call(kernels: ctypes.CDLL) -> None:
    book = Book(4)
    seen: list[float] = []

    def other(count: int) -> None:
        assert book.last() is None
        seen.append(reported(kernels, book, count, 1, 0, NONE).records[0].largest)

    first = reported(kernels, book, COUNT, 1, 0, NONE)
    # Threads that follow each other often have one identity.
    for count in (50, 60, 70):
        thread = threading.Thread(target=other, args=(count,))
        thread.start()
        thread.join()
    assert seen == [49, 59, 69]
    assert book.last().call == first.call and book.last().records[0].largest == COUNT - 1
    second = reported(kernels, book, 70, 1, 0, NONE)
    assert second.records[0].largest == 69 and second.call > first.call


def test_many_threads_at_once(kernels: ctypes.CDLL) -> None:
    book, count = Book(2), 16
    meeting = threading.Barrier(count)
    found: dict[int, float] = {}

    def work(number: int) -> None:
        meeting.wait()
        for _ in range(20):
            page = reported(kernels, book, 100 + number, 1, 0, NONE)
        found[number] = page.records[0].largest

    threads = [threading.Thread(target=work, args=(number,)) for number in range(count)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == {number: 99 + number for number in range(count)}


def test_places_of_one_line_are_shown_together(kernels: ctypes.CDLL) -> None:
    book = Book(5)
    first = Site(DRIFT, MESSAGE, "model.py", 12, ("f64", "i64"), ends=False)
    second = Site(DRIFT, MESSAGE, "model.py", 7, ("f64", "i64"), ends=False)
    sites = [first, Site("ShapeMismatch", "m", "model.py", 3), first, second, first]
    waiting = "no call on this thread yet"
    assert list(drift_lines(sites, None)) == [f"model.py:12: {waiting}", f"model.py:7: {waiting}"]
    assert list(drift_lines(sites, reported(kernels, book, COUNT, 1, 2, NONE))) == [
        "model.py:12: in the last call, off by 1e+03; 100 times",
        "model.py:7: did not run backwards in the last call",
    ]
    page = reported(kernels, book, COUNT, 1, 2, 0)
    assert next(drift_lines(sites, page)) == "model.py:12: in the last call, off by nan; 100 times"
