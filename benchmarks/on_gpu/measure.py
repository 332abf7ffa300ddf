"""Times of kernels on a GPU: what a call takes, and how long the GPU is busy."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable
from typing import Any

ROUNDS = 10
LONGEST_SECONDS = 2.0


def call_milliseconds(work: Callable[[], Any], finish: Callable[[Any], Any]) -> float:
    """The median time of calls, each waited for; two warm it up."""
    times: list[float] = []
    while len(times) < ROUNDS + 2 and sum(times) < LONGEST_SECONDS:
        start = time.perf_counter()
        finish(work())
        times.append(time.perf_counter() - start)
    return 1e3 * statistics.median(times[2:] or times)


def busy_milliseconds(kernel: Any, arguments: tuple[Any, ...]) -> float | None:
    """The median time of what a recorded call has the GPU do, by its own clock; None if it cannot be recorded."""
    from tapeless.runtime.cuda.driver import driver

    for _ in range(3):
        kernel(*arguments)
    graph = kernel.calls.recorded()
    if graph is None:
        return None
    return statistics.median(driver().elapsed(lambda: driver().replay(graph)) for _ in range(ROUNDS))
