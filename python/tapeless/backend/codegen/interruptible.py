"""Long work in native libraries that a signal handler can end the wait for."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import TypeVar

from tapeless.backend.lock import INSIDE_LLVM

Result = TypeVar("Result")

# A signal that arrives just before a wait begins is seen at its end.
_WAIT_SECONDS = 0.2


def interruptible(work: Callable[[], Result]) -> Result:
    """Runs `work` on another thread, because Python runs signal handlers on its main thread between two instructions.

    If a handler raises, the work goes on to its end, and what it gives is dropped.
    """
    if threading.current_thread() is not threading.main_thread():
        return work()
    results: list[Result] = []
    errors: list[BaseException] = []

    def run() -> None:
        with INSIDE_LLVM:
            try:
                results.append(work())
            except BaseException as error:
                errors.append(error)

    thread = threading.Thread(target=run, name="tapeless-llvm")
    thread.start()
    while thread.is_alive():
        thread.join(_WAIT_SECONDS)
    if errors:
        raise errors[0]
    return results[0]
