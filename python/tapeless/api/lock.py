"""The lock that lets one thread compile at a time."""

from __future__ import annotations

import os
import threading


class ForkSafeLock:
    """A reentrant lock that is free in a forked child, where the thread that held it does not exist."""

    def __init__(self) -> None:
        self._renew()
        os.register_at_fork(after_in_child=self._renew)

    def _renew(self) -> None:
        self._lock = threading.RLock()

    def __enter__(self) -> None:
        self._lock.acquire()

    def __exit__(self, *exception: object) -> None:
        self._lock.release()


# MLIR dialects written in Python belong to the context that loaded them last, so compilations take turns.
COMPILING = ForkSafeLock()
