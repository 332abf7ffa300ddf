"""The lock that lets one thread compile at a time, and lets no process be copied in the middle of a compilation."""

from __future__ import annotations

import os
import threading
from _thread import RLock
from typing import TYPE_CHECKING


class ForkSafeLock(RLock):  # type: ignore[misc]
    """A reentrant lock that a fork waits for: the child starts between two turns, never inside one of another thread.

    MLIR, LLVM and Python's imports have locks of their own. If the process were copied while another thread holds
    some of them, they would stay locked in the child, where that thread does not exist. Whoever waits longest is next:
    a thread that compiles one program after the other does not keep a fork waiting.

    `__exit__` is that of the base class, which no signal handler can interrupt: a turn that began always ends.
    """

    if TYPE_CHECKING:  # what typeshed does not know of the base class

        def _is_owned(self) -> bool: ...
        def _at_fork_reinit(self) -> None: ...

    def __init__(self) -> None:
        self._queue = threading.Lock()
        os.register_at_fork(before=self.__enter__, after_in_parent=self.release, after_in_child=self._after_in_child)

    def __enter__(self, blocking: bool = True, timeout: float = -1) -> bool:
        if self._is_owned():
            return self.acquire(blocking, timeout)
        try:
            with self._queue:
                return self.acquire(blocking, timeout)
        except BaseException:  # a signal handler raised
            if self._is_owned():
                self.release()
            raise

    def _after_in_child(self) -> None:
        """Ends the turn of the fork; whoever forked from inside a turn of its own is still in it."""
        self._queue = threading.Lock()
        if self._is_owned():
            self.release()
        else:  # the wait for the turn was interrupted
            self._at_fork_reinit()


# MLIR dialects written in Python belong to the context that loaded them last, so compilations take turns.
COMPILING = ForkSafeLock()
