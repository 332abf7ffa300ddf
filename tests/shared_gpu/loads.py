"""What loading leaves behind, and who gets the memory of the GPU."""

from __future__ import annotations

import gc
import threading
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

import tapeless as tl
from shared_gpu.bundles import EXPECTED
from shared_gpu.checks import Check, agree, kernel, library, refused

LOADS, LARGE_LOADS = 500, 60
# Elements whose argument and result are 1.6 GB.
LARGE = 100_000_000
# What 450 loads may leave on the GPU and in the process, in bytes.
MOST_ON_GPU, MOST_IN_PROCESS = 4 << 20, 24 << 20


def resident() -> int:
    """Bytes of this process in memory."""
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * 4096


def _growth(folder: Path, name: str, arguments: tuple[np.ndarray, ...], loads: int) -> str:
    start, before = time.perf_counter(), (0, 0)
    for number in range(loads):
        call = kernel(folder, name)
        for _ in range(3):
            call(*arguments)
        if number % 2:  # half of them go in another thread
            gone = [call]
            other = threading.Thread(target=gone.clear)
            del call
            other.start()
            other.join()
        if number == loads // 10:
            gc.collect()
            before = tl.cuda.memory().free, resident()
    call = None
    gc.collect()
    tl.cuda.trim()
    lost, grown = before[0] - tl.cuda.memory().free, resident() - before[1]
    text = (
        f"{loads} {name}: GPU {lost / 1e6:+.1f} MB, process {grown / 1e6:+.1f} MB, {time.perf_counter() - start:.0f} s"
    )
    if lost > MOST_ON_GPU or grown > MOST_IN_PROCESS:
        raise AssertionError(text)
    return text


def many_loads(folder: Path) -> str:
    rng = np.random.default_rng(0)
    return _growth(folder, "scaled", (rng.standard_normal(1000),), LOADS)


def many_large_loads(folder: Path) -> str:
    rng = np.random.default_rng(0)
    arguments = rng.standard_normal(7), rng.standard_normal((7, 5)), rng.standard_normal((300, 5))
    return _growth(folder, "mixture", arguments, LARGE_LOADS)


def _fill_pool(call: Callable[..., Any]) -> None:
    """Has the pool keep the memory of an argument and of a result, which numpy's arrays are copied to and from."""
    call(np.zeros(LARGE))
    gc.collect()


def trimmed_for_torch(folder: Path) -> str:
    """Memory that calls used goes back when asked for, and torch gets it."""
    torch = library("torch")
    call = kernel(folder, "scaled")
    _fill_pool(call)
    before = tl.cuda.memory()
    given = tl.cuda.trim()
    after = tl.cuda.memory()
    assert before.cached >= 1_500_000_000, before
    assert given >= before.cached, (given, before)
    assert after.cached == 0, after
    large = torch.empty(after.free - (512 << 20), dtype=torch.uint8, device="cuda")
    size = large.numel()
    del large
    torch.cuda.empty_cache()
    return f"{given / 1e9:.1f} GB given back, then torch got {size / 1e9:.0f} GB"


def gives_up_for_itself(folder: Path) -> str:
    """A call gets what other calls left, though the GPU has no more; and says so when there is too little."""
    torch = library("torch")
    call = kernel(folder, "scaled")
    _fill_pool(call)
    torch.cuda.empty_cache()
    filler = torch.empty(tl.cuda.memory().free - (600 << 20), dtype=torch.uint8, device="cuda")
    larger = torch.zeros(30_000_000, dtype=torch.float64, device="cuda")
    results = [call(larger) for _ in range(3)]
    agree(float(results[2].sum()), float(len(larger)), "the call that needed it")
    blocker = torch.empty(max(tl.cuda.memory().free - (300 << 20), 1), dtype=torch.uint8, device="cuda")
    refused(MemoryError, partial(call, np.zeros(LARGE)), "torch.cuda.empty_cache()")
    agree(float(call(larger)[0].cpu()), EXPECTED["scaled"](0.0), "the call after that")
    del filler, blocker, results, larger
    torch.cuda.empty_cache()
    tl.cuda.trim()
    return "got memory, and a MemoryError where there was none"


LOADED: dict[str, Check] = {
    "500 loads": many_loads,
    "loads of a large one": many_large_loads,
    "trim for torch": trimmed_for_torch,
    "memory for itself": gives_up_for_itself,
}
