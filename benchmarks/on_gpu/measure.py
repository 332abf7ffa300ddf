"""Times of calls, how long a GPU is busy with them, and how much memory they take."""

from __future__ import annotations

import signal
import statistics
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

LONGEST_SECONDS = 1.0


class TooLong(Exception):
    """A contestant had its time."""


@contextmanager
def limited(seconds: float) -> Iterator[None]:
    """Stops what takes longer, as soon as the call it is in returns."""

    def stop(*_: Any) -> None:
        raise TooLong(f"more than {seconds:.0f} s")

    before = signal.signal(signal.SIGALRM, stop)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def call_milliseconds(work: Callable[[], Any], rounds: int) -> float:
    """The median time of calls that wait for their results; two warm it up."""
    times: list[float] = []
    while len(times) < rounds + 2 and sum(times) < LONGEST_SECONDS:
        start = time.perf_counter()
        work()
        times.append(time.perf_counter() - start)
    return 1e3 * statistics.median(times[2:] or times)


def busy_milliseconds(kernel: Any, arguments: tuple[Any, ...], rounds: int) -> float | None:
    """The median time of what a recorded call has the GPU do, by its own clock; None if it cannot be recorded."""
    from tapeless.runtime.cuda.driver import driver

    graph = kernel.calls.recorded()
    for _ in range(3):
        if graph is None:
            kernel(*arguments)
            graph = kernel.calls.recorded()
    if graph is None:
        return None
    return statistics.median(driver().elapsed(lambda: driver().replay(graph)) for _ in range(rounds))
