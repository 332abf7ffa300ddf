"""From a seed to an outcome: the first of its attempts that is fit to be compared, checked."""

from __future__ import annotations

import signal
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from types import FrameType
from typing import Any
from unittest import mock

from fuzz.expected import Unfit
from fuzz.families import Family, family
from fuzz.fault import Fault, from_exception
from tapeless.backend.codegen import llvm

ATTEMPTS = 12
CPU_SECONDS = 60.0


@dataclass(frozen=True)
class Outcome:
    """What became of a seed; without a fault the program is right, without a program no attempt was fit."""

    seed: int
    fault: Fault | None
    program: Any
    seconds: float


class TookTooLong(BaseException):
    """A program that is not through after its share of processor time."""


@contextmanager
def limited() -> Iterator[None]:
    """Raises TookTooLong inside when the processor time is over."""

    def stop(signal_number: int, frame: FrameType | None) -> None:
        raise TookTooLong

    signal.signal(signal.SIGPROF, stop)
    signal.setitimer(signal.ITIMER_PROF, CPU_SECONDS)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)


def effort(program: Any) -> int:
    """How much LLVM optimises a program: one in four of those that run on one thread, and all others.

    It takes most of the time of a check, and faults are mostly of the passes before it. Where sums may be reordered, it
    decides the order, which must not depend on threads.
    """
    needs_it = any(check.startswith("threads") for check in getattr(program, "checks", ()))
    return llvm.EFFORT if needs_it or getattr(program, "seed", 0) % 4 == 0 else 0


def fault_in_time(kind: Family, subject: Any) -> Fault | None:
    """The first fault; taking too long is one."""
    try:
        with limited(), mock.patch.object(llvm, "EFFORT", effort(subject.program)):
            return kind.first_fault(subject)
    except TookTooLong:
        return Fault("time", f"more than {CPU_SECONDS:.0f} s")


def check(program: Any) -> Fault | None:
    """The first fault of a program; raises Unfit if it cannot be compared."""
    kind = family(program.family)
    return fault_in_time(kind, kind.fit_subject(program))


def find_subject(name: str, seed: int) -> Any:
    """The first attempt of a family's seed whose reference is moderate and stable; nothing if none is."""
    kind = family(name)
    for attempt in range(ATTEMPTS):
        try:
            return kind.fit_subject(kind.draft(seed, attempt))
        except Unfit:
            continue
    return None


def search(name_and_seed: tuple[str, int]) -> Outcome:
    """Checks the program of a seed; a reference that fails is a fault of the generator."""
    name, seed = name_and_seed
    started = time.process_time()
    try:
        subject = find_subject(name, seed)
    except Exception as error:
        return Outcome(seed, from_exception("reference", error), family(name).draft(seed, 0), 0.0)
    fault = fault_in_time(family(name), subject) if subject else None
    return Outcome(seed, fault, subject and subject.program, time.process_time() - started)
