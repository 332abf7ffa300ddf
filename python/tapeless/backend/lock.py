"""The locks that let one thread compile at a time, and let no process be copied in the middle of a compilation.

MLIR, LLVM and Python's imports have locks of their own. If the process were copied while another thread holds some of
them, they would stay locked in the child, where that thread does not exist. So a fork waits for its turn.
"""

from __future__ import annotations

import os
import sys
import threading
from _thread import RLock
from typing import TYPE_CHECKING


class ForkSafeLock(RLock):  # type: ignore[misc]
    """A reentrant lock that a fork waits for: the child starts between two turns, never inside one of another thread.

    Whoever waits longest is next: a thread that compiles one program after the other does not keep a fork waiting.

    `__exit__` is that of the base class, which no signal handler can interrupt: a turn that began always ends.
    """

    if TYPE_CHECKING:  # what typeshed does not know of the base class

        def _is_owned(self) -> bool: ...
        def _at_fork_reinit(self) -> None: ...

    def __init__(self) -> None:
        self._queue = threading.Lock()

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

    def renew(self, *, stays_taken: bool) -> None:
        """Makes the lock usable in a child: free, unless the thread that forked is in a turn of its own."""
        self._queue = threading.Lock()
        if not stays_taken:
            self._at_fork_reinit()


# MLIR dialects written in Python belong to the context that loaded them last, so compilations take turns.
COMPILING = ForkSafeLock()
# Held by whoever is inside LLVM, also when nobody waits for it any more.
INSIDE_LLVM = ForkSafeLock()
# Held while a thread with a stack of another size than usual is started.
STARTING = ForkSafeLock()

# The order in which a compilation takes them, and so does a fork.
IN_ORDER = (COMPILING, INSIDE_LLVM, STARTING)
_taken_by_fork: list[ForkSafeLock] = []


def _before() -> None:
    for lock in IN_ORDER:
        if lock._is_owned():  # a fork from inside a turn
            continue
        try:
            _enter(lock)
        finally:
            if lock._is_owned():
                _taken_by_fork.append(lock)


def _enter(lock: ForkSafeLock) -> None:
    """Waits for a turn, without the lock of logging.

    The hooks that run before a fork run in reverse order of registration. MLIR imports logging, so the hook of logging
    comes first, and takes a lock that the compilation which the fork waits for may want.
    """
    held = getattr(sys.modules.get("logging"), "_lock", None)
    if held is None or not held._is_owned():
        lock.__enter__()
        return
    state = held._release_save()
    try:
        lock.__enter__()
    finally:
        held._acquire_restore(state)


def _in_parent() -> None:
    while _taken_by_fork:
        _taken_by_fork.pop().release()


def _in_child() -> None:
    for lock in IN_ORDER:
        lock.renew(stays_taken=lock._is_owned() and lock not in _taken_by_fork)
    _taken_by_fork.clear()


os.register_at_fork(before=_before, after_in_parent=_in_parent, after_in_child=_in_child)
