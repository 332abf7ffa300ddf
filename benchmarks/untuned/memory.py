"""How much memory one call takes beside what there was before it."""

from __future__ import annotations

import ctypes
import resource
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any


def resident_growth(call: Callable[[], Any]) -> int:
    """Bytes that the process grows by, at most, during a call.

    Memory that was freed goes back to the system before, so that it is not taken again unnoticed; Linux forgets the
    peak so far. Elsewhere, what the peak of the whole process grows by.
    """
    _trim()
    is_reset = _forget_peak()
    before = _status("VmRSS") if is_reset else _peak()
    result = call()
    after = _status("VmHWM") if is_reset else _peak()
    del result
    return max(0, after - before)


def _trim() -> None:
    if sys.platform == "linux" and hasattr(library := ctypes.CDLL(None), "malloc_trim"):
        library.malloc_trim(0)


def _forget_peak() -> bool:
    try:
        Path("/proc/self/clear_refs").write_text("5")
    except OSError:
        return False
    return True


def _status(name: str) -> int:
    """A size in bytes from what the system says of this process."""
    for line in Path("/proc/self/status").read_text().splitlines():
        if line.startswith(f"{name}:"):
            return 1024 * int(line.split()[1])
    return 0


def _peak() -> int:
    unit = 1 if sys.platform == "darwin" else 1024
    return unit * resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
