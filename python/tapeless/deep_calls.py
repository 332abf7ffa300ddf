"""Room for deep calls: translating an expression takes several Python calls per level of its nesting."""

from __future__ import annotations

import os
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager

MOST_CALLS = 50_000  # Python's calls of Python functions do not use the stack of the process
_lock = threading.Lock()
_before: list[int] = []


class _Depth(threading.local):
    """How many blocks the thread is in."""

    count = 0


_own = _Depth()


@contextmanager
def deep_calls() -> Iterator[None]:
    """Python's limit on the depth of calls is higher meanwhile, and as before when the last of all threads is done."""
    with _lock:
        _before.append(sys.getrecursionlimit())
        sys.setrecursionlimit(max(_before[0], MOST_CALLS))
        _own.count += 1
    try:
        yield
    finally:
        with _lock:
            _own.count -= 1
            limit = _before.pop() if len(_before) == 1 else None
            if limit is None:
                del _before[-1]
            else:
                sys.setrecursionlimit(limit)


def _in_child() -> None:
    """Of all threads, the one that forked is there, and the blocks it is in."""
    global _lock
    _lock = threading.Lock()
    if _before and not _own.count:
        sys.setrecursionlimit(_before[0])
    del _before[_own.count :]


os.register_at_fork(after_in_child=_in_child)
