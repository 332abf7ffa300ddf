"""Room for deep calls: translating an expression takes several Python calls per level of its nesting."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Lock

MOST_CALLS = 50_000  # Python's calls of Python functions do not use the stack of the process
_lock = Lock()
_before: list[int] = []


@contextmanager
def deep_calls() -> Iterator[None]:
    """Python's limit on the depth of calls is higher meanwhile, and as before when the last of all threads is done."""
    with _lock:
        _before.append(sys.getrecursionlimit())
        sys.setrecursionlimit(max(_before[0], MOST_CALLS))
    try:
        yield
    finally:
        with _lock:
            limit = _before.pop() if len(_before) == 1 else None
            if limit is None:
                del _before[-1]
            else:
                sys.setrecursionlimit(limit)
