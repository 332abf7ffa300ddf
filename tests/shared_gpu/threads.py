"""A thread that calls kernels beside one that uses torch, with recordings of both."""

from __future__ import annotations

import gc
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from shared_gpu.bundles import EXPECTED
from shared_gpu.checks import Check, agree, kernel, library

SECONDS = 8.0


def side_by_side(works: dict[str, Callable[[int], None]], seconds: float = SECONDS) -> str:
    """Has every work go on in a thread of its own; raises what the first of them raised."""
    end, counts, errors = time.monotonic() + seconds, dict.fromkeys(works, 0), dict[str, BaseException]()

    def repeat(name: str) -> None:
        try:
            while time.monotonic() < end and not errors:
                works[name](counts[name])
                counts[name] += 1
        except BaseException as error:
            errors[name] = error

    threads = [threading.Thread(target=repeat, args=(name,)) for name in works]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for name, error in errors.items():
        raise AssertionError(f"{name} after {counts[name]} rounds: {type(error).__name__}: {error}") from error
    return ", ".join(f"{name} {count}" for name, count in counts.items())


def calls(folder: Path) -> Callable[[int], None]:
    """Loads, first calls, recordings, replays, and kernels that go."""
    rng = np.random.default_rng(0)
    names = ("scaled", "total", "positive")
    held = {name: kernel(folder, name) for name in names}
    arguments = rng.standard_normal(7), rng.standard_normal((7, 5)), rng.standard_normal((300, 5))

    def one(count: int) -> None:
        name = names[count % len(names)]
        x = rng.standard_normal(1000 + count % 7)
        for _ in range(3):
            agree(held[name](x), EXPECTED[name](x), name)
        if count % 20 == 0:
            fresh = kernel(folder, "mixture")
            for _ in range(3):
                for found, expected in zip(fresh(*arguments), EXPECTED["mixture"](*arguments), strict=True):
                    agree(found, expected, "mixture")
        if count % 50 == 0:
            gc.collect()

    return one


def tensors(stream: Any = None) -> Callable[[int], None]:
    """Torch on its default stream, or on one of its own."""
    torch = library("torch")

    def one(count: int) -> None:
        with torch.cuda.stream(stream):
            x = torch.full((4096,), float(count), dtype=torch.float64, device="cuda")
            assert float((x * 2.0).sum()) == 8192.0 * count

    return one


def captures(mode: str) -> Callable[[int], None]:
    """Graphs of torch, captured and replayed."""
    torch = library("torch")
    x = torch.zeros(4096, dtype=torch.float64, device="cuda")

    def one(count: int) -> None:
        graph = torch.cuda.CUDAGraph()
        with torch.cuda.graph(graph, capture_error_mode=mode):
            y = x * 2.0 + 1.0
        x.fill_(float(count))
        graph.replay()
        assert float(y.sum()) == 4096 * (2.0 * count + 1.0)

    return one


def beside_torch(folder: Path) -> str:
    torch = library("torch")
    float(torch.zeros(1, device="cuda").sum())
    return side_by_side(
        {"calls": calls(folder), "default stream": tensors(), "side stream": tensors(torch.cuda.Stream())}
    )


def beside_captures(folder: Path) -> str:
    """Captures of torch's own kind, which forbid other threads much, and of one that does not."""
    torch = library("torch")
    float(torch.zeros(1, device="cuda").sum())
    found = [
        side_by_side({"calls": calls(folder), mode: captures(mode)}, SECONDS / 2) for mode in ("global", "thread_local")
    ]
    return "; ".join(found)


def two_threads_of_calls(folder: Path) -> str:
    return side_by_side({"one": calls(folder), "other": calls(folder)}, SECONDS / 2)


THREADS: dict[str, Check] = {
    "thread beside torch": beside_torch,
    "beside torch's captures": beside_captures,
    "two threads of calls": two_threads_of_calls,
}
