"""Memory: alignment, ownership, recycling, counters, and sizes that cannot be had."""

from __future__ import annotations

import ctypes
import resource
import threading

import numpy as np
import pytest

import tapeless as tl
from held_memory import held_by
from tapeless.runtime.counters import (
    memory_counters,
    memory_limit,
    peak_bytes,
    release_cached_memory,
    reset_peak,
)
from tapeless.runtime.library import load_library

from .conftest import RunKernel

IMPOSSIBLE = [-1, -(2**63), 2**63 - 1, 2**62, 2**50]


@pytest.mark.parametrize("size", [0, 1, 63, 64, 65, 1000, 4097, 1_234_567])
def test_buffers_are_aligned_and_whole(size: int) -> None:
    library = load_library()
    first, second = library.tl_alloc(size), library.tl_alloc(size)
    assert first % 64 == 0 and second % 64 == 0
    ctypes.memset(first, 1, size)
    ctypes.memset(second, 2, size)
    assert ctypes.string_at(first, size) == b"\1" * size
    library.tl_free(first)
    library.tl_free(second)


@pytest.mark.parametrize("size", IMPOSSIBLE)
def test_an_impossible_size_is_a_memory_error(run: RunKernel, size: int) -> None:
    before = memory_counters().live_bytes
    with pytest.raises(MemoryError, match="a kernel asked for"):
        run("allocate_twice", 100, size)
    assert memory_counters().live_bytes == before


def test_the_message_says_how_much_was_asked_for(run: RunKernel) -> None:
    with pytest.raises(MemoryError, match=r"a kernel asked for 1\.049e\+06 GiB of memory"):
        run("allocate_twice", 0, 2**50)
    with pytest.raises(MemoryError, match="a kernel asked for a buffer of -5 bytes; use smaller arrays"):
        run("allocate_twice", 0, -5)


@pytest.mark.parametrize("threads", [1, 4])
def test_a_chunk_that_runs_out_of_memory_ends_the_call(run: RunKernel, threads: int) -> None:
    before = memory_counters().live_bytes
    with pytest.raises(MemoryError):
        run("allocate_in_chunks", threads)
    assert memory_counters().live_bytes == before


@pytest.mark.parametrize("size", IMPOSSIBLE)
def test_outside_a_call_an_impossible_size_gives_null(size: int) -> None:
    assert load_library().tl_alloc(size) is None


def test_a_returned_buffer_outlives_its_call_and_belongs_to_the_caller(run: RunKernel) -> None:
    before = memory_counters().live_bytes
    address = int(run("return_buffer", 800, 0)[1])
    run("allocate_twice", 800, 800)
    assert memory_counters().live_bytes == before + 800
    load_library().tl_free(address)
    assert memory_counters().live_bytes == before


def test_freed_buffers_are_reused(run: RunKernel) -> None:
    run("allocate_twice", 1_000_000, 3_000_000)
    before = memory_counters()
    run("allocate_twice", 1_000_000, 3_000_000)
    after = memory_counters()
    assert (after.allocations - before.allocations, after.recycled - before.recycled) == (2, 2)


def test_repeated_calls_do_not_fault_pages_in(run: RunKernel) -> None:
    library = load_library()
    size = 16 << 20

    def touch() -> None:
        buffer = library.tl_alloc(size)
        ctypes.memset(buffer, 1, size)
        library.tl_free(buffer)

    touch()
    before = resource.getrusage(resource.RUSAGE_SELF).ru_minflt
    for _ in range(5):
        touch()
    assert resource.getrusage(resource.RUSAGE_SELF).ru_minflt - before < 200


def test_peak_counts_what_is_live_at_once(run: RunKernel) -> None:
    reset_peak()
    start = memory_counters().live_bytes
    run("allocate_twice", 10_000, 20_000)
    assert peak_bytes() == start + 30_000
    reset_peak()
    assert peak_bytes() == start


def test_memory_of_a_call_is_its_own_whatever_else_is_held(run: RunKernel) -> None:
    alone = held_by(run, "allocate_twice", 10_000, 20_000)
    result = tl.function(lambda x: x + 1.0)(np.ones(100_000))
    assert held_by(run, "allocate_twice", 10_000, 20_000) == alone == 30_000
    assert memory_counters().live_bytes >= result.nbytes


def test_a_limit_turns_into_a_memory_error_and_ends_with_its_block(run: RunKernel) -> None:
    room = memory_counters().live_bytes + 1_000_000
    with memory_limit(room):
        run("allocate_twice", 400_000, 400_000)
        with pytest.raises(MemoryError):
            run("allocate_twice", 600_000, 600_000)
    run("allocate_twice", 600_000, 600_000)
    with pytest.raises(ValueError, match="the memory limit is 0 bytes; give a positive number"), memory_limit(0):
        pass


def test_the_store_of_freed_buffers_is_bounded_and_can_be_emptied(run: RunKernel) -> None:
    with memory_limit(8_000_000):
        for size in range(100_000, 2_000_000, 100_000):
            run("allocate_twice", size, size)
        assert 500_000 < memory_counters().cached_bytes <= 1_000_000
    release_cached_memory()
    assert memory_counters().cached_bytes == 0


def test_threads_allocate_at_the_same_time(run: RunKernel) -> None:
    before = memory_counters().live_bytes
    sizes = np.random.default_rng(0).integers(0, 100_000, size=(4, 200, 2))

    def allocate(pairs: np.ndarray) -> None:
        for first, second in pairs.tolist():
            run("allocate_twice", first, second)

    callers = [threading.Thread(target=allocate, args=(pairs,)) for pairs in sizes]
    for caller in callers:
        caller.start()
    for caller in callers:
        caller.join()
    assert memory_counters().live_bytes == before
