"""Threads with a stack that is large enough to compile on, for work that would overflow the stack of its caller."""

from __future__ import annotations

import contextvars
import functools
import threading
from collections.abc import Callable
from typing import ParamSpec, TypeVar

from tapeless.backend.lock import COMPILING, STARTING
from tapeless.runtime.library import load_library

Parameters = ParamSpec("Parameters")
Result = TypeVar("Result")

# MLIR and LLVM need a few hundred KiB for ordinary programs and more for nested ones; threads usually have 8 MiB.
ENOUGH_BYTES = 4 << 20
OWN_BYTES = 16 << 20
# A signal that arrives just before a wait begins is seen at its end.
_WAIT_SECONDS = 0.2


def with_room(work: Callable[Parameters, Result]) -> Callable[Parameters, Result]:
    """The same function, on a thread of its own where the stack of the caller is too small.

    Whoever is compiling already has the room.
    """

    @functools.wraps(work)
    def run(*arguments: Parameters.args, **named: Parameters.kwargs) -> Result:
        if COMPILING._is_owned() or load_library().tl_stack_left() >= ENOUGH_BYTES:
            return work(*arguments, **named)
        return on_own_thread(lambda: work(*arguments, **named), "tapeless-compiler")

    return run


def on_own_thread(work: Callable[[], Result], name: str) -> Result:
    """Runs `work` on another thread, with the context variables of this one, and gives its result or exception.

    If a signal handler raises meanwhile, the work goes on to its end, and what it gives is dropped. Python waits for it
    before it exits, unless the handler raises inside of `join`, which takes the thread for ended then (before Python
    3.13): so an event is waited for.
    """
    results: list[Result] = []
    errors: list[BaseException] = []
    context = contextvars.copy_context()
    finished = threading.Event()

    def run() -> None:
        try:
            results.append(context.run(work))
        except BaseException as error:
            errors.append(error)
        finally:
            finished.set()

    thread = threading.Thread(target=run, name=name)
    _start(thread)
    while not finished.wait(_WAIT_SECONDS):
        pass
    thread.join()
    if errors:
        raise errors[0]
    return results[0]


def _start(thread: threading.Thread) -> None:
    """Starts a thread with a large stack; the size that the program set for its own threads stays."""
    with STARTING:
        before = threading.stack_size(OWN_BYTES)
        try:
            thread.start()
        finally:
            threading.stack_size(before)
