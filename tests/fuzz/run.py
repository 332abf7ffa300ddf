"""The run: workers check programs, faults are shrunk and reported, until the time is over."""

from __future__ import annotations

import time
from collections import Counter
from dataclasses import dataclass, field
from multiprocessing.connection import wait
from pathlib import Path

from fuzz import files
from fuzz.families import family
from fuzz.fault import Fault
from fuzz.report import Report
from fuzz.search import Outcome, find_subject
from fuzz.shrink import Program
from fuzz.worker import Worker

HANG_SECONDS = 400.0
SHRUNK_PER_KIND = 2


@dataclass
class Run:
    """The state of a run: what is left to do, what was found."""

    family: str
    first_seed: int
    count: int | None
    deadline: float
    folder: Path
    report: Report
    started: int = 0
    kinds: Counter[tuple[str, str]] = field(default_factory=Counter)
    to_shrink: list[tuple[Program, Fault]] = field(default_factory=list)

    def next_task(self) -> tuple[str, object] | None:
        if self.to_shrink:
            return "shrink", self.to_shrink.pop()
        if time.monotonic() > self.deadline or (self.count is not None and self.started >= self.count):
            return None
        self.started += 1
        return "search", (self.family, self.first_seed + self.started - 1)

    def take(self, task: tuple[str, object], answer: object) -> None:
        """Books what a worker found."""
        if isinstance(answer, Outcome):
            self.report.checked(answer)
            if answer.fault is not None and answer.program is not None:
                self.found(answer.program, answer.fault)
        else:
            program, fault = answer  # type: ignore[misc]
            self.report.fault(program, fault, files.save(self.folder, program, fault))

    def found(self, program: Program, fault: Fault) -> None:
        """Faults of a new kind are shrunk; those of a known one are only written down."""
        self.kinds[fault.kind] += 1
        if self.kinds[fault.kind] <= SHRUNK_PER_KIND:
            self.to_shrink.append((program, fault))
        else:
            self.report.fault(program, fault, files.save(self.folder, program, fault))

    def died(self, task: tuple[str, object], how: str) -> None:
        """The process ended: a fault of the program that it had."""
        name, argument = task
        if name == "search":
            _, seed = argument  # type: ignore[misc]
            program, fault = self._program(seed), Fault("crash", how)
            self.report.checked(Outcome(seed, fault, program, 0.0))
            self.found(program, fault)
        else:
            program, fault = argument  # type: ignore[misc]
            self.report.fault(program, fault, files.save(self.folder, program, fault))

    def _program(self, seed: int) -> Program:
        subject = find_subject(self.family, seed)
        return subject.program if subject else family(self.family).draft(seed, 0)


def execute(run: Run, processes: int) -> None:
    """Keeps the workers busy; ends when there is nothing left to start."""
    workers = [Worker() for _ in range(processes)]
    try:
        while True:
            for worker in workers:
                if worker.task is None and (task := run.next_task()) is not None:
                    worker.start(task)
            busy = [worker for worker in workers if worker.task is not None]
            if not busy:
                return
            _collect(run, busy)
    except KeyboardInterrupt:
        run.report.interrupted = True
    finally:
        for worker in workers:
            worker.stop()


def _collect(run: Run, busy: list[Worker]) -> None:
    ready = wait([worker.connection for worker in busy], timeout=1.0)
    for worker in busy:
        task = worker.task
        assert task is not None
        if worker.connection in ready:
            try:
                run.take(task, worker.answer())
            except (EOFError, ConnectionError):
                run.died(task, worker.how_it_died())
        elif time.monotonic() - worker.since > HANG_SECONDS:
            worker.stop()
            worker.task = None
            run.died(task, f"no answer after {HANG_SECONDS:.0f} s")
    run.report.progress()
