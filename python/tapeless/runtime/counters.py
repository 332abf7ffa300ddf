"""Memory counters, limits and threads of the C runtime, for the whole process."""

from __future__ import annotations

import ctypes
from collections.abc import Iterator
from contextlib import contextmanager
from typing import NamedTuple

from tapeless.errors import ArgumentError
from tapeless.runtime.library import load_library


class _Counters(ctypes.Structure):
    """`tl_counters` of runtime/tapeless_runtime.h."""

    _fields_ = tuple(
        (name, ctypes.c_int64) for name in ("live_bytes", "peak_bytes", "cached_bytes", "allocations", "recycled")
    )


class MemoryCounters(NamedTuple):
    """Memory that kernels hold now, the most they held since the last reset, and how often they allocated."""

    live_bytes: int
    peak_bytes: int
    cached_bytes: int
    allocations: int
    recycled: int


def memory_counters() -> MemoryCounters:
    """The counters as they are now."""
    raw = _Counters()
    load_library().tl_read_counters(ctypes.addressof(raw))
    return MemoryCounters(*(getattr(raw, name) for name in MemoryCounters._fields))


def peak_bytes() -> int:
    """The most bytes that kernels held at once since the last `reset_peak`."""
    return int(load_library().tl_peak_bytes())


def reset_peak() -> None:
    """Starts a new peak measurement."""
    load_library().tl_reset_peak()


def release_cached_memory() -> None:
    """Gives the buffers kept for reuse back to the system."""
    load_library().tl_trim()


@contextmanager
def memory_limit(limit: int) -> Iterator[None]:
    """Kernels that would hold more than `limit` bytes at once raise MemoryError inside this block."""
    if limit <= 0:
        raise ArgumentError(f"the memory limit is {limit} bytes; give a positive number")
    library = load_library()
    before = library.tl_memory_limit()
    library.tl_set_memory_limit(limit)
    try:
        yield
    finally:
        library.tl_set_memory_limit(before)


def default_threads() -> int:
    """How many threads a kernel compiled without a thread count uses."""
    return int(load_library().tl_default_threads())


def set_default_threads(threads: int) -> None:
    """Sets `default_threads`; results do not depend on it."""
    if threads < 1:
        raise ArgumentError(f"the number of threads is {threads}; give at least 1")
    load_library().tl_set_default_threads(threads)
