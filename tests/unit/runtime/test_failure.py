"""Failures: every kind becomes the right Python exception, deterministically, and loses no memory."""

from __future__ import annotations

import ctypes
import threading
from pathlib import Path

import numpy as np
import pytest

from tapeless import errors
from tapeless.runtime.counters import memory_counters
from tapeless.runtime.failure import CHECK_FAILED, Failure, Site, to_exception
from tapeless.runtime.invoke import bind

from .conftest import SITES, RunKernel


def test_a_failed_check_raises_its_class_with_file_line_and_values(run: RunKernel) -> None:
    with pytest.raises(errors.IndexOutOfRange) as raised:
        run("fail_directly", 7, 2, 12, 10)
    assert str(raised.value) == "model.py:12: index 12 of size 10 is out of range"
    with pytest.raises(errors.ShapeMismatch, match="sizes -3 and 4 do not broadcast"):
        run("fail_directly", 8, 2, -3, 4)


def test_the_source_line_is_shown_when_it_can_be_read(tmp_path: Path) -> None:
    source = tmp_path / "user.py"
    source.write_text("def f(x, i):\n    return x[i]\n")
    failure = Failure(kind=CHECK_FAILED, site=1)
    error = to_exception(failure, {1: Site("IndexOutOfRange", "no such element", str(source), 2)})
    assert str(error) == f"{source}:2: no such element\n    return x[i]"


def test_an_unknown_site_is_a_damaged_kernel(run: RunKernel) -> None:
    with pytest.raises(errors.TargetError, match="unknown site 5; recompile it"):
        run("fail_directly", 5, 0)


def test_values_beyond_the_record_are_dropped(run: RunKernel) -> None:
    with pytest.raises(errors.ShapeMismatch, match="sizes 0 and 1 do not"):
        run("fail_directly", 8, 20, *range(20))


@pytest.mark.parametrize("threads", [1, 2, 4])
def test_the_lowest_failed_chunk_wins(run: RunKernel, threads: int) -> None:
    for first in (0, 1, 17, 63):
        for _ in range(20):
            with pytest.raises(errors.IndexOutOfRange, match=f"index {first} of size {first + 1} is"):
                run("fail_from", 64, threads, first, 0)


def test_chunks_after_a_failure_are_abandoned(kernels: ctypes.CDLL) -> None:
    slots = np.array([1_000_000, 4, 10, 0], dtype=np.int64)
    address = ctypes.cast(kernels.fail_from, ctypes.c_void_p).value or 0
    with pytest.raises(errors.IndexOutOfRange):
        bind(address, SITES)(slots.ctypes.data)
    assert 10 < slots[3] < 1000


@pytest.mark.parametrize("threads", [1, 4])
def test_a_failed_call_frees_what_it_held(run: RunKernel, threads: int) -> None:
    before = memory_counters()
    with pytest.raises(errors.IndexOutOfRange):
        run("fail_from", 64, threads, 32, 0)
    after = memory_counters()
    assert after.live_bytes == before.live_bytes
    assert after.allocations >= before.allocations + 33


def test_a_kernel_may_run_kernels(run: RunKernel) -> None:
    with pytest.raises(errors.TapelessError, match="3 inner calls failed"):
        run("reenter", 0)


def test_failures_of_concurrent_calls_do_not_mix(run: RunKernel) -> None:
    mixed: list[str] = []

    def fail_repeatedly(index: int) -> None:
        for _ in range(30):
            try:
                run("fail_from", 64, 3, index, 0)
            except errors.IndexOutOfRange as error:
                if f"index {index} " not in str(error):
                    mixed.append(str(error))

    callers = [threading.Thread(target=fail_repeatedly, args=(index,)) for index in (3, 20, 40)]
    for caller in callers:
        caller.start()
    for caller in callers:
        caller.join()
    assert mixed == []
