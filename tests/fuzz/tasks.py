"""What workers are asked to do."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

from fuzz.fault import Fault
from fuzz.search import check, search
from fuzz.shrink import Program, shrink
from fuzz.worker import Worker

SHRINK_SECONDS = 60.0
CRASHES = ("crash", "time")


def shrunk(argument: tuple[Program, Fault]) -> tuple[Program, Fault]:
    """The smallest program; where the fault ends the process, every candidate has a process that may die."""
    program, fault = argument
    if fault.check not in CRASHES:
        return shrink(program, fault, check, SHRINK_SECONDS)
    worker = Worker()
    try:
        return shrink(program, fault, lambda candidate: check_apart(worker, candidate), SHRINK_SECONDS, time.monotonic)
    finally:
        worker.stop()


def check_apart(worker: Worker, program: Program) -> Fault | None:
    """The fault of a program that is checked in a process of its own."""
    worker.start(("check", program))
    try:
        found: Fault | None = worker.answer()
    except (EOFError, ConnectionError):
        return Fault("crash", worker.how_it_died())
    return found


def checked(program: Program) -> Fault | None:
    """Illegal programs, which shrinking makes, have no fault."""
    try:
        return check(program)
    except Exception:
        return None


TASKS: dict[str, Callable[[Any], Any]] = {"search": search, "shrink": shrunk, "check": checked}
