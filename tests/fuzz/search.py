"""From a seed to an outcome: the first of its attempts that is fit to be compared, checked."""

from __future__ import annotations

import signal
import time
from dataclasses import dataclass
from types import FrameType

from fuzz.checks import first_fault
from fuzz.expected import Unfit
from fuzz.fault import Fault, from_exception
from fuzz.make import draft_program
from fuzz.program import Program

ATTEMPTS = 12
CPU_SECONDS = 40.0


@dataclass(frozen=True)
class Outcome:
    """What became of a seed; without a fault the program is right."""

    seed: int
    fault: Fault | None
    program: Program | None
    seconds: float


class TookTooLong(Exception):
    """A program that is not through after its share of processor time."""


def check_in_time(program: Program) -> Fault | None:
    """The first fault; taking too long is one."""

    def stop(signal_number: int, frame: FrameType | None) -> None:
        raise TookTooLong

    signal.signal(signal.SIGPROF, stop)
    signal.setitimer(signal.ITIMER_PROF, CPU_SECONDS)
    try:
        return first_fault(program)
    except TookTooLong:
        return Fault("time", f"more than {CPU_SECONDS:.0f} s")
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)


def fit_program(seed: int) -> Program | None:
    """The first attempt of a seed whose reference is moderate and stable."""
    for attempt in range(ATTEMPTS):
        program = draft_program(seed, attempt)
        if is_fit(program):
            return program
    return None


def is_fit(program: Program) -> bool:
    try:
        first_fault(program.checked())
    except Unfit:
        return False
    return True


def search(seed: int) -> Outcome:
    started = time.process_time()
    try:
        program = fit_program(seed)
    except Exception as error:
        return Outcome(seed, from_exception("reference", error), draft_program(seed, 0), time.process_time() - started)
    fault = check_in_time(program) if program else None
    return Outcome(seed, fault, program, time.process_time() - started)
