"""Functions that were made for calls outside of functions, ready for the next ones."""

from __future__ import annotations

import os
from threading import Lock
from typing import Any

from tapeless.api.decorated import TapelessFunction

MOST_KEPT = 1024


class Kept:
    """A cache of the latest values by key; the oldest goes where there are too many."""

    def __init__(self) -> None:
        self._made: dict[Any, TapelessFunction] = {}
        self._lock = Lock()
        os.register_at_fork(after_in_child=self._renew)

    def _renew(self) -> None:
        """Another thread of the parent may have held the lock; it is not in the child."""
        self._lock = Lock()

    def get(self, key: Any) -> TapelessFunction | None:
        return self._made.get(key)

    def keep(self, key: Any, made: TapelessFunction) -> TapelessFunction:
        with self._lock:
            if len(self._made) >= MOST_KEPT:
                self._made.pop(next(iter(self._made)))
            return self._made.setdefault(key, made)
