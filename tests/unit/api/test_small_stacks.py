"""Compiling and calling on threads with small stacks, and on a main thread with one; nothing else looks different."""

from __future__ import annotations

import resource
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from tapeless.backend.own_stack import on_own_thread, with_room

SMALL = 256 << 10

SCRIPT = """
import contextvars, signal, sys, threading
import numpy as np
import tapeless as tl

x = np.linspace(0.0, 1.0, 8)

@tl.function
def f(v: tl.f64[:]) -> tl.f64:
    y = v
    for i in range(3):
        if tl.sum(y) > 2.0:
            y = tl.sin(y) @ tl.ones((8, 8))
        else:
            y = y * v
    return tl.sum(y)

@tl.function
def wrong(v: tl.f64[:]) -> tl.f64:
    return v @ tl.ones(3, 3, 3)

def stack_size():
    size = threading.stack_size()  # which sets it to 0
    threading.stack_size(size)
    return size

class Alarm(Exception):
    pass

def ring(number, frame):
    raise Alarm

def interrupted():
    try:
        signal.signal(signal.SIGALRM, ring)
        signal.setitimer(signal.ITIMER_REAL, 0.05, 1.0)  # again, since callbacks of other libraries drop exceptions
        tl.compile(f)
        while True:
            f(x)
    except Alarm:
        signal.setitimer(signal.ITIMER_REAL, 0.0)
        return True

def checks():
    if threading.current_thread() is threading.main_thread():
        assert interrupted()
    limits = sys.getrecursionlimit(), stack_size()
    gradient = tl.grad(f)(x)
    near = [(f(x + step) - f(x - step)) / 2e-6 for step in np.eye(8) * 1e-6]
    assert np.allclose(gradient, near, rtol=1e-4)
    assert (sys.getrecursionlimit(), stack_size()) == limits
    try:
        wrong(x)
        raise AssertionError("there is no such call")
    except tl.TapelessError as error:
        assert "script.py:" in str(error), error
    print("fine")

if {in_thread}:
    threading.stack_size({small})
    thread = threading.Thread(target=checks)
    thread.start()
    thread.join()
else:
    checks()
"""


@pytest.mark.one_in(2)
@pytest.mark.parametrize("in_thread", [True, False])
def test_small_stacks(in_thread: bool, tmp_path: Path) -> None:
    path = tmp_path / "script.py"
    path.write_text(SCRIPT.format(in_thread=in_thread, small=SMALL))

    def shrink() -> None:
        if not in_thread:
            resource.setrlimit(resource.RLIMIT_STACK, (SMALL, resource.getrlimit(resource.RLIMIT_STACK)[1]))

    done = subprocess.run([sys.executable, str(path)], capture_output=True, text=True, check=False, preexec_fn=shrink)
    assert (done.returncode, done.stdout) == (0, "fine\n"), done.stderr


def test_with_room_nothing_moves_to_another_thread() -> None:
    assert with_room(threading.current_thread)() is threading.current_thread()


def test_without_room_work_moves_and_raises_as_it_would_here() -> None:
    def fail() -> None:
        raise KeyError("as it is")

    before = threading.stack_size(SMALL)
    try:
        assert on_own_thread(threading.current_thread, "other") is not threading.current_thread()
        with pytest.raises(KeyError, match="as it is"):
            on_own_thread(fail, "other")
    finally:
        after = threading.stack_size(before)
    assert after == SMALL
