"""How much memory a call takes, whatever else is held at the time: results of other tests may still live."""

from __future__ import annotations

import gc
from collections.abc import Callable
from typing import Any

from tapeless.runtime.counters import memory_counters, peak_bytes, reset_peak


def held_by(function: Callable[..., Any], *arguments: Any) -> int:
    """The most bytes that a call held at once, with its results."""
    gc.collect()
    before = memory_counters().live_bytes
    reset_peak()
    function(*arguments)
    return peak_bytes() - before
