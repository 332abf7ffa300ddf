"""The pool: the same chunks whatever the threads, nesting, fork, concurrent callers, and quiet workers."""

from __future__ import annotations

import os
import threading
import time

import numpy as np
import pytest

from tapeless.runtime.counters import default_threads, set_default_threads
from tapeless.runtime.library import load_library

from .conftest import RunKernel


def expected_chunks(n: int, grain: int) -> list[int]:
    ranges = [range(lo, min(lo + grain, n)) for lo in range(0, n, grain)]
    return [sum(chunk) * 1000 + len(chunk) for chunk in ranges]


def chunk_sums(run: RunKernel, n: int, grain: int, threads: int) -> list[int]:
    sums = np.zeros(-(-n // grain), dtype=np.int64)
    run("chunk_sums", sums, n, grain, threads)
    return sums.tolist()


@pytest.mark.parametrize("threads", [0, 1, 2, 3, 16])
@pytest.mark.parametrize(("n", "grain"), [(0, 1), (1, 1), (5, 10), (10, 5), (1001, 10), (4096, 64)])
def test_chunks_depend_on_size_and_grain_only(run: RunKernel, n: int, grain: int, threads: int) -> None:
    assert chunk_sums(run, n, grain, threads) == expected_chunks(n, grain)


def test_a_grain_near_the_largest_integer_gives_one_chunk(run: RunKernel) -> None:
    assert chunk_sums(run, 7, 2**63 - 1, 4) == expected_chunks(7, 7)


@pytest.mark.parametrize("count", [2, 5])
def test_as_many_threads_as_asked_for_work_at_the_same_time(run: RunKernel, count: int) -> None:
    run("meet_all", count)
    assert load_library().tl_pool_size() >= count - 1


def test_one_thread_starts_no_workers(run: RunKernel) -> None:
    before = load_library().tl_pool_size()
    chunk_sums(run, 1000, 1, 1)
    assert load_library().tl_pool_size() == before


def test_nested_calls_visit_every_element_once(run: RunKernel) -> None:
    counts = np.zeros((9, 9), dtype=np.int64)
    run("nested", counts, 9)
    assert (counts == 1).all()


def test_many_python_threads_may_call_at_once(run: RunKernel) -> None:
    results: list[list[int]] = []

    def call_repeatedly() -> None:
        results.extend(chunk_sums(run, 500 + k, 7, 4) for k in range(50))

    callers = [threading.Thread(target=call_repeatedly) for _ in range(6)]
    for caller in callers:
        caller.start()
    for caller in callers:
        caller.join()
    expected = [expected_chunks(500 + k, 7) for k in range(50)]
    assert sorted(results) == sorted(expected * 6)


def child_exit_code(run: RunKernel) -> int:
    """0 when a child of this process starts its own workers and computes the right sums."""
    child = os.fork()
    if child == 0:
        started_empty = load_library().tl_pool_size() == 0
        right = chunk_sums(run, 300, 7, 3) == expected_chunks(300, 7)
        os._exit(0 if started_empty and right and load_library().tl_pool_size() == 2 else 1)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


@pytest.mark.filterwarnings("ignore:This process:DeprecationWarning")
def test_a_forked_child_makes_its_own_pool(run: RunKernel) -> None:
    chunk_sums(run, 300, 7, 3)
    assert [child_exit_code(run) for _ in range(3)] == [0, 0, 0]
    assert chunk_sums(run, 300, 7, 3) == expected_chunks(300, 7)


@pytest.mark.filterwarnings("ignore:This process:DeprecationWarning")
def test_fork_while_other_threads_compute(run: RunKernel) -> None:
    stop = threading.Event()

    def compute() -> None:
        while not stop.is_set():
            chunk_sums(run, 2000, 7, 3)

    busy = threading.Thread(target=compute)
    busy.start()
    codes = [child_exit_code(run) for _ in range(5)]
    stop.set()
    busy.join()
    assert codes == [0] * 5


def test_idle_workers_use_no_processor_time(run: RunKernel) -> None:
    run("meet_all", 4)
    # Workers of a busy machine may come to rest later than the call that they worked for.
    assert any(seconds_used_while_asleep() < 0.05 for _ in range(50))


def seconds_used_while_asleep() -> float:
    before = time.process_time()
    time.sleep(0.2)
    return time.process_time() - before


def test_workers_leave_signals_to_the_program(run: RunKernel) -> None:
    run("meet_all", 4)
    blocked = []
    for task in os.listdir("/proc/self/task"):
        if int(task) != threading.main_thread().native_id:
            with open(f"/proc/self/task/{task}/status") as status:
                blocked += [int(line.split()[1], 16) for line in status if line.startswith("SigBlk")]
    interrupt = 1 << (2 - 1)
    assert sum(mask & interrupt != 0 for mask in blocked) >= 3


def test_default_threads_can_be_set_and_must_be_positive() -> None:
    before = default_threads()
    set_default_threads(5)
    assert default_threads() == 5
    set_default_threads(before)
    with pytest.raises(ValueError, match="the number of threads is 0; give at least 1"):
        set_default_threads(0)
