"""Signals while MLIR runs: its callbacks into Python hide the class of an exception, or the exception as a whole."""

from __future__ import annotations

import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Any

SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGALRM)
Handler = Callable[[int, FrameType | None], Any]


@contextmanager
def interrupts_kept() -> Iterator[None]:
    """The exception of a signal handler leaves the block as it is, whatever was made of it on the way.

    Handlers are wrapped meanwhile; those that the program sets inside stay.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    raised: list[BaseException] = []
    wrapped = {number: handler for number in SIGNALS if callable(handler := signal.getsignal(number))}
    ours = {number: _noting(handler, raised) for number, handler in wrapped.items()}
    try:
        for number, handler in ours.items():
            signal.signal(number, handler)
        yield
    except BaseException:
        if not raised:
            raise
    finally:
        for number, handler in ours.items():
            if signal.getsignal(number) is handler:
                signal.signal(number, wrapped[number])
    if raised:
        raise raised[0]


def _noting(handler: Handler, raised: list[BaseException]) -> Handler:
    def run(number: int, frame: FrameType | None) -> Any:
        try:
            return handler(number, frame)
        except BaseException as error:
            raised.append(error)
            raise

    return run
