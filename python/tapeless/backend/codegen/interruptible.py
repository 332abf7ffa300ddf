"""Long work in native libraries that a signal handler can end the wait for."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import TypeVar

from tapeless.backend.lock import INSIDE_LLVM
from tapeless.backend.own_stack import on_own_thread, with_room

Result = TypeVar("Result")


def interruptible(work: Callable[[], Result]) -> Result:
    """Runs `work` on another thread, because Python runs signal handlers on its main thread between two instructions.

    If a handler raises, the work goes on to its end, and what it gives is dropped.
    """

    def run() -> Result:
        with INSIDE_LLVM:
            return work()

    if threading.current_thread() is not threading.main_thread():
        return with_room(run)()
    return on_own_thread(run, "tapeless-llvm")
