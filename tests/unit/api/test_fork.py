"""Forks at any moment: while another thread compiles, from inside a turn, with os.fork and with multiprocessing."""

from __future__ import annotations

import multiprocessing
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import numpy as np
import pytest
from llvmlite.binding.ffi import lib as llvm_library

import structure
import tapeless as tl
from tapeless.api.at_once import evaluation
from tapeless.api.by_python.switch import Blocks
from tapeless.backend.lock import COMPILING, ForkSafeLock
from tapeless.computed_once import computed_once
from tapeless.deep_calls import deep_calls
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


def test_a_lock_whose_thread_is_not_in_the_child_is_free_there() -> None:
    lock = ForkSafeLock()
    thread = threading.Thread(target=lock.__enter__)
    thread.start()
    thread.join()
    lock.renew(stays_taken=False)
    with lock:
        pass


class Slow:
    """An object with an attribute that takes as long as it is told to."""

    inside, leave = threading.Event(), threading.Event()

    @computed_once
    def attribute(self) -> int:
        self.inside.set()
        self.leave.wait()
        return 1


def test_a_fork_while_another_thread_computes_an_attribute_leaves_no_lock_behind() -> None:
    thread = threading.Thread(target=lambda: Slow().attribute)
    thread.start()
    Slow.inside.wait()
    child = os.fork()
    if child == 0:
        signal.alarm(HANG_SECONDS)
        Slow.leave = threading.Event()
        Slow.leave.set()
        os._exit(0 if Slow().attribute == 1 else 1)
    Slow.leave.set()
    thread.join()
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0


def test_no_attribute_of_the_package_is_computed_under_a_lock() -> None:
    """Before Python 3.12 that of functools is."""
    named = [name for name, file in structure.files().items() if "import cached_property" in file.read_text()]
    assert not named


@pytest.mark.parametrize(
    ("lock", "use"),
    [
        (lambda: evaluation._calls._lock, lambda: evaluation._calls.keep("a key of this test", None)),
        (lambda: Blocks.lock, lambda: tl.disable_jit().__enter__()),
    ],
)
def test_a_lock_that_another_thread_holds_for_a_moment_is_free_in_the_child(lock: object, use: object) -> None:
    with lock():
        child = os.fork()
        if child == 0:
            signal.alarm(HANG_SECONDS)
            use()
            os._exit(0)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0


def output_of(script: str, folder: Path) -> str:
    """What a process of its own prints."""
    path = folder / "script.py"
    path.write_text(script)
    done = subprocess.run([sys.executable, str(path)], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


FIRST_COMPILATION = """
import os, signal, sys, threading
import numpy as np
import tapeless as tl

signal.alarm({seconds})
x = np.linspace(0.0, 1.0, 5)
main_compiles = {main_compiles}
compiled = threading.Event()

def fresh(number):
    @tl.function
    def f(v: tl.f64[:]) -> tl.f64:
        return tl.sum(tl.exp(number * v) * v)
    return tl.grad(f)

def compile_some():
    try:
        for k in range(3):
            fresh(10.0 + k)(x)
    finally:
        compiled.set()

fresh(0.0)  # imports what decorated functions need, and compiles nothing
codes = []

def fork_repeatedly():
    while not compiled.is_set() or len(codes) < 2:
        child = os.fork()
        if child == 0:
            signal.alarm({seconds})
            number = 0.5 + len(codes)
            right = np.exp(number * x) * (1 + number * x)
            os._exit(0 if len(codes) > 1 or np.allclose(fresh(number)(x), right) else 1)
        codes.append(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))

here, there = (compile_some, fork_repeatedly) if main_compiles else (fork_repeatedly, compile_some)
thread = threading.Thread(target=there)
thread.start()
here()
thread.join()
print(sorted(set(codes)))
"""


@pytest.mark.one_in(2)
@pytest.mark.parametrize("main_compiles", [False, True])
def test_forks_while_another_thread_is_in_the_first_compilation_of_the_process(
    main_compiles: bool, tmp_path: Path
) -> None:
    """That compilation imports MLIR and LLVM, which import logging, whose lock a fork takes as well.

    On the main thread, LLVM works on a thread of its own, with a lock that a fork takes as well.
    """
    script = FIRST_COMPILATION.format(seconds=HANG_SECONDS, main_compiles=main_compiles)
    assert output_of(script, tmp_path) == "[0]"


HOOKS = """
import os, sys
register, hooks = os.register_at_fork, []

def noting(**given):
    hooks.append((sys._getframe(1).f_globals["__name__"], "before" in given))
    register(**given)

os.register_at_fork = noting
import tapeless as tl

@tl.function
def f(x: tl.f64) -> tl.f64:
    return x * x

tl.grad(f)(2.0)
print(*(name for name, locks in hooks if locks))
"""


def test_of_what_compiling_imports_only_logging_locks_before_a_fork_waits_for_its_turn(tmp_path: Path) -> None:
    """Hooks run in reverse order of registration; the lock of logging is given back during the wait."""
    hooks = output_of(HOOKS, tmp_path).split()
    assert set(hooks[hooks.index("tapeless.backend.lock") + 1 :]) <= {"logging"}


def test_a_child_is_not_left_with_the_deep_calls_of_other_threads() -> None:
    limit, inside, leave = sys.getrecursionlimit(), threading.Event(), threading.Event()

    def stay_inside() -> None:
        with deep_calls():
            inside.set()
            leave.wait()

    thread = threading.Thread(target=stay_inside)
    thread.start()
    inside.wait()
    child = os.fork()
    if child == 0:
        os._exit(0 if sys.getrecursionlimit() == limit else 1)
    leave.set()
    thread.join()
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
    assert sys.getrecursionlimit() == limit
