"""Several processes at once: each has processors of its own, and a GPU is called by one of them at a time."""

from __future__ import annotations

import fcntl
import os
import queue
import time
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor, as_completed
from contextlib import contextmanager
from typing import Any

POLL = 0.02
# Seconds after which a process that waits for the GPU tells that it is alive.
SIGN_OF_LIFE = 5.0


def shares(processes: int) -> list[tuple[int, ...]]:
    """The processors of this machine, divided among so many processes."""
    all_ = sorted(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else list(range(os.cpu_count() or 1))
    each = max(1, len(all_) // processes)
    return [tuple(all_[place * each : (place + 1) * each]) for place in range(min(processes, len(all_) // each))]


def in_parallel(work: Callable[[Any, tuple[int, ...]], Any], items: Iterable[Any], processes: int) -> Iterator[Any]:
    """Pairs of an item and `work(item, processors)`, as they end."""
    free: queue.Queue[tuple[int, ...]] = queue.Queue()
    for share in shares(processes):
        free.put(share)

    def one(item: Any) -> tuple[Any, Any]:
        share = free.get()
        try:
            return item, work(item, share)
        finally:
            free.put(share)

    with ThreadPoolExecutor(free.qsize()) as pool:
        for done in as_completed([pool.submit(one, item) for item in items]):
            yield done.result()


@contextmanager
def turn(file: str | None, alive: Callable[[], None]) -> Iterator[None]:
    """Holds the GPU, which a locked file stands for; with no file there is nobody else."""
    if file is None:
        yield
        return
    with open(file, "w") as lock:
        told = time.monotonic()
        while not _locked(lock.fileno()):
            time.sleep(POLL)
            if time.monotonic() - told > SIGN_OF_LIFE:
                told = time.monotonic()
                alive()
        yield


def _locked(descriptor: int) -> bool:
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True
