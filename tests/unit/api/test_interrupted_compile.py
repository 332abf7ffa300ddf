"""Ctrl-C during a compilation: it is raised as it is, soon, and the next compilation works."""

from __future__ import annotations

import itertools
import os
import signal
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import tapeless as tl
from tapeless._mlir import ir
from tapeless.backend.codegen import native
from tapeless.backend.codegen.interruptible import interruptible
from tapeless.passes.soac.simplify.simplify import Simplify
from waiting import HANG_SECONDS

from .test_fork import exit_code_of_child
from .test_interrupts import signal_when


def ctrl_c(*_: Any) -> None:
    signal.raise_signal(signal.SIGINT)


def in_a_walk(module: ir.Module) -> None:
    """MLIR makes a RuntimeError of whatever a callback raises."""
    module.operation.walk(ctrl_c)


def in_a_diagnostic(module: ir.Module) -> None:
    """MLIR prints whatever a handler of diagnostics raises, and goes on."""
    handler = module.context.attach_diagnostic_handler(ctrl_c)
    module.operation.location.emit_error("heard by nobody")
    handler.detach()


def in_a_pass(module: ir.Module) -> None:
    ctrl_c()


_numbers = itertools.count(1)


def fresh() -> tl.TapelessFunction:
    """A function that was not compiled before; of three ones, it gives 3."""
    number = next(_numbers) * 1.0

    @tl.function
    def f(x: tl.f64[:]) -> tl.f64:
        return tl.sum(number * x / number)

    return f


@pytest.mark.parametrize("where", [in_a_walk, in_a_diagnostic, in_a_pass])
def test_ctrl_c_arrives_from_anywhere_inside_mlir(
    where: Callable[[ir.Module], None], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("TAPELESS_CACHE_DIR", str(tmp_path))
    handler = signal.getsignal(signal.SIGINT)
    with monkeypatch.context() as patch:
        patch.setattr(Simplify, "run", lambda self, module: where(module))
        with pytest.raises(KeyboardInterrupt):
            fresh()(np.ones(3))
    assert signal.getsignal(signal.SIGINT) is handler
    assert [path for path in tmp_path.rglob("*") if path.is_file()] == []
    assert_other_threads_can_compile()


def assert_other_threads_can_compile() -> None:
    results: list[float] = []
    thread = threading.Thread(target=lambda: results.append(fresh()(np.ones(3))))
    thread.start()
    thread.join(HANG_SECONDS)
    assert results == [3.0]


def test_a_handler_that_returns_lets_the_compilation_go_on(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("TAPELESS_CACHE_DIR", str(tmp_path))
    seen: list[int] = []
    run = Simplify.run
    monkeypatch.setattr(Simplify, "run", lambda self, module: (ctrl_c(), run(self, module)))
    before = signal.signal(signal.SIGINT, lambda number, frame: seen.append(number))
    try:
        assert fresh()(np.ones(3)) == 3.0
    finally:
        signal.signal(signal.SIGINT, before)
    assert set(seen) == {signal.SIGINT}


def test_llvm_is_not_waited_for(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """The work goes on: what comes next, a fork included, waits for it."""
    monkeypatch.setenv("TAPELESS_CACHE_DIR", str(tmp_path))
    optimise, inside, released = native.optimise, threading.Event(), threading.Event()

    def wait_then_optimise(*given: Any) -> Any:
        inside.set()
        released.wait(HANG_SECONDS)
        return optimise(*given)

    with monkeypatch.context() as patch:
        patch.setattr(native, "optimise", wait_then_optimise)
        with pytest.raises(KeyboardInterrupt), signal_when(inside):
            fresh()(np.ones(3))
    threading.Timer(0.2, released.set).start()
    assert exit_code_of_child(0.375) == 0
    assert released.is_set()
    assert fresh()(np.ones(3)) == 3.0


def test_python_waits_for_what_goes_on_before_it_exits() -> None:
    """What runs in LLVM while the process ends would crash: its thread is one that Python still knows."""
    inside, released = threading.Event(), threading.Event()

    def work() -> None:
        inside.set()
        released.wait(HANG_SECONDS)

    with pytest.raises(KeyboardInterrupt), signal_when(inside):
        interruptible(work)
    working = [thread for thread in threading.enumerate() if thread.name == "tapeless-llvm"]
    released.set()
    assert [thread.daemon for thread in working] == [False]
    working[0].join(HANG_SECONDS)
    assert not working[0].is_alive()


def test_errors_of_interruptible_work_are_raised() -> None:
    with pytest.raises(ZeroDivisionError):
        interruptible(lambda: 1 // 0)
    assert interruptible(os.getpid) == os.getpid()
