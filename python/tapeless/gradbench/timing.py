"""Repeated calls, each of them timed."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import field
from time import perf_counter_ns
from typing import Any

from tapeless.dataclasses_on_use import dataclass


@dataclass
class Stopwatch:
    """Times by name, in the form that the protocol wants."""

    timings: list[dict[str, Any]] = field(default_factory=list)

    def timed(self, name: str, call: Callable[..., Any], *arguments: Any) -> Any:
        """Calls a function, notes its time, and returns its result."""
        start = perf_counter_ns()
        result = call(*arguments)
        self.note(name, perf_counter_ns() - start)
        return result

    def note(self, name: str, nanoseconds: int) -> None:
        self.timings.append({"name": name, "nanoseconds": nanoseconds})


def repeated(call: Callable[..., Any], arguments: tuple[Any, ...], runs: int, seconds: float) -> tuple[Any, list[int]]:
    """Calls at least so often and so long, and at least once: the last result, and the nanoseconds of each call."""
    times: list[int] = []
    total, least = 0, seconds * 1e9
    while not times or len(times) < runs or total < least:
        # Frees the result before the clock runs, so that the next one can have its memory.
        result = None
        start = perf_counter_ns()
        result = call(*arguments)
        elapsed = perf_counter_ns() - start
        times.append(elapsed)
        total += elapsed
    return result, times
