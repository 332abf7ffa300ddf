"""Threads take turns at a GPU; unused memory is given back between turns."""

from __future__ import annotations

import os
import threading
from collections import deque
from collections.abc import Callable
from typing import Any

from tapeless.errors import TargetError
from tapeless.runtime.cuda.library import FORKED, DriverError


class Turns:
    """`with turns:` makes the GPU this thread's for as long as that lasts, and does deferred work before.

    The garbage collector may take a kernel or a result at any moment and in any thread, in the middle of a recording
    as well. So whoever goes calls nothing of the driver, but leaves it `for_later`: for now if nobody has a turn, else
    for the start of the next one. When the process ends, and in a forked one, nothing is done any more: what is on the
    GPU goes with the process that it belongs to.
    """

    def __init__(self, enter: Callable[[], Any], leave: Callable[[Any], None]) -> None:
        self._enter, self._leave = enter, leave
        self._lock = threading.RLock()
        self._entered: list[Any] = []
        self._left: deque[Callable[[], None]] = deque()
        self._process: int | None = os.getpid()

    def __enter__(self) -> None:
        self.check_process()
        self._lock.acquire()
        try:
            self._entered.append(self._enter())
        except BaseException:
            self._lock.release()
            raise
        try:
            if self._left and len(self._entered) == 1:
                self._give_back()
        except BaseException:
            self.__exit__()
            raise

    def __exit__(self, *_: object) -> None:
        try:
            self._leave(self._entered.pop())
        finally:
            self._lock.release()

    def check_process(self) -> None:
        """Raises in a process that was forked from the one that uses the GPU."""
        if os.getpid() != self._process and self._process is not None:
            raise TargetError(FORKED)

    @property
    def is_ending(self) -> bool:
        """Whether the process ends, and with it all that is on the GPU."""
        return self._process is None

    def later(self, work: Callable[[], None]) -> None:
        """Has something given back at the start of the next turn."""
        self._left.append(work)

    def soon(self, work: Callable[[], None]) -> None:
        """Has something given back now, unless somebody has a turn."""
        self._left.append(work)
        if os.getpid() == self._process and self._lock.acquire(blocking=False):
            try:
                if not self._entered:
                    with self:
                        pass
            finally:
                self._lock.release()

    def end(self) -> None:
        """The process ends."""
        self._process = None

    def _give_back(self) -> None:
        """An error of the driver is left to the next call, which will see it, too."""
        while self._left and self._process is not None:
            try:
                self._left.popleft()()
            except DriverError:
                continue
