"""Processes that check programs: one that crashes or hangs is a fault of its program, not the end of the run."""

from __future__ import annotations

import multiprocessing as mp
import os
import resource
import signal
import tempfile
import time
from collections.abc import Callable
from multiprocessing.connection import Connection
from typing import Any

MEMORY_BYTES = 4 * 2**30
CACHE_BYTES = 32 * 2**20
TASKS_PER_PROCESS = 200
Task = tuple[str, Any]


def serve(connection: Connection) -> None:
    """Answers tasks until the other side hangs up."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent ends its workers itself
    resource.setrlimit(resource.RLIMIT_DATA, (MEMORY_BYTES, MEMORY_BYTES))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    with tempfile.TemporaryDirectory(prefix="fuzz") as folder:
        os.environ.update(TAPELESS_CACHE_DIR=folder, TAPELESS_CACHE_BYTES=str(CACHE_BYTES))
        from fuzz.tasks import TASKS

        while (task := _received(connection)) is not None:
            name, argument = task
            connection.send(TASKS[name](argument))


def _received(connection: Connection) -> Task | None:
    try:
        task: Task | None = connection.recv()
    except EOFError:
        return None
    return task


class Worker:
    """One process at a time; a new one after a crash, and now and then."""

    def __init__(self) -> None:
        self.task: Task | None = None
        self.on_end: Callable[[Any], None] = lambda answer: None
        self.process: Any = None

    def start(self, task: Task) -> None:
        """Hands a task to the process, which is made if there is none."""
        if self.process is None or self.served >= TASKS_PER_PROCESS:
            self.stop()
            self._make()
        self.task, self.since = task, time.monotonic()
        self.served += 1
        self.connection.send(task)

    def _make(self) -> None:
        context = mp.get_context("spawn")
        self.connection, other = context.Pipe()
        self.process = context.Process(target=serve, args=(other,), daemon=False)
        self.process.start()
        other.close()
        self.served = 0

    def answer(self) -> Any:
        """What the process says; raises EOFError if it died."""
        self.task = None
        return self.connection.recv()

    def how_it_died(self) -> str:
        self.process.join(5)
        code = self.process.exitcode
        self.process = None
        return f"process ended by signal {-code}" if code is not None and code < 0 else f"process ended with {code}"

    def stop(self) -> None:
        if self.process is not None:
            self.connection.close()
            self.process.kill()
            self.process.join()
            self.process = None
