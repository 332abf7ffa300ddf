"""What a call costs: for whoever compares two versions."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from shared_gpu.checks import Check, kernel, library

CALLED = 2000


def _microseconds(work: Callable[[], Any]) -> float:
    for _ in range(20):
        work()
    times = []
    for _ in range(CALLED):
        start = time.perf_counter()
        work()
        times.append(time.perf_counter() - start)
    return 1e6 * sorted(times)[CALLED // 2]


def recorded_calls(folder: Path) -> str:
    """The median of recorded calls with 1000 numbers."""
    call, x = kernel(folder, "scaled"), np.ones(1000)
    found = [f"numpy {_microseconds(lambda: call(x)):.1f} us"]
    torch = library("torch")
    tensor = torch.ones(1000, dtype=torch.float64, device="cuda")
    found.append(f"torch {_microseconds(lambda: call(tensor)):.1f} us")
    try:
        array = library("cupy").ones(1000)
        found.append(f"CuPy {_microseconds(lambda: call(array)):.1f} us")
    except Exception as error:
        found.append(f"CuPy: {error}")
    return ", ".join(found)


CALLS: dict[str, Check] = {"time of calls": recorded_calls}
