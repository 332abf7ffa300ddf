"""Forks at any moment: while another thread compiles, from inside a turn, with os.fork and with multiprocessing."""

from __future__ import annotations

import multiprocessing
import os
import signal
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager

import numpy as np
import pytest
from llvmlite.binding.ffi import lib as llvm_library

import tapeless as tl
from tapeless.backend.lock import COMPILING, ForkSafeLock
from waiting import HANG_SECONDS

x = np.linspace(0.0, 1.0, 5)


def fresh(number: float) -> tl.TapelessFunction:
    """A function that no other test compiles, with a derivative."""

    @tl.function
    def f(v: tl.f64[:]) -> tl.f64:
        return tl.sum(tl.exp(number * v) * v)

    return tl.value_and_grad(f)


def expected(number: float) -> tuple[float, np.ndarray]:
    e = np.exp(number * x)
    return float(np.sum(e * x)), e * (1 + number * x)


def compiles_and_computes(number: float) -> bool:
    value, gradient = fresh(number)(x)
    right_value, right_gradient = expected(number)
    return bool(np.isclose(value, right_value) and np.allclose(gradient, right_gradient))


@contextmanager
def another_thread_compiling() -> Iterator[None]:
    """A thread that compiles one program after the other until the block ends."""
    stop, first_done = threading.Event(), threading.Event()

    def compile_repeatedly() -> None:
        number = 100.0
        while not stop.is_set():
            tl.compile(fresh(number), (tl.f64[:],))
            first_done.set()
            number += 1.0

    thread = threading.Thread(target=compile_repeatedly)
    thread.start()
    first_done.wait()
    yield
    stop.set()
    thread.join()


def exit_code_of_child(number: float) -> int:
    child = os.fork()
    if child == 0:
        signal.alarm(HANG_SECONDS)
        os._exit(0 if compiles_and_computes(number) else 1)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


@pytest.fixture(autouse=True)
def _no_cache(tmp_path: object, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TAPELESS_CACHE_DIR", str(tmp_path))


def test_a_fork_in_the_middle_of_a_compilation_leaves_no_lock_behind() -> None:
    """LLVM's lock stands for all those inside the libraries: whoever is between two turns holds none."""
    inside = threading.Event()

    def compile_slowly() -> None:
        with COMPILING, llvm_library._lock:
            inside.set()
            time.sleep(0.3)

    thread = threading.Thread(target=compile_slowly)
    thread.start()
    inside.wait()
    assert exit_code_of_child(0.75) == 0
    thread.join()


def test_children_compile_while_another_thread_of_the_parent_does() -> None:
    with another_thread_compiling():
        assert [exit_code_of_child(0.5 + k) for k in range(2)] == [0] * 2
    assert compiles_and_computes(0.25)


def test_multiprocessing_while_another_thread_compiles() -> None:
    context = multiprocessing.get_context("fork")
    with another_thread_compiling(), context.Pool(2) as pool:
        assert pool.map_async(compiles_and_computes, [2.0, 3.0]).get(HANG_SECONDS) == [True, True]


def test_a_fork_from_inside_a_turn_leaves_both_inside() -> None:
    with COMPILING:
        assert exit_code_of_child(0.125) == 0
    assert compiles_and_computes(0.125)


def test_a_fork_whose_wait_was_interrupted_leaves_the_child_a_free_lock() -> None:
    lock = ForkSafeLock()
    lock._after_in_child()
    with lock:
        pass
