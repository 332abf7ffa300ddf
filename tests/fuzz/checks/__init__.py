"""What is compared for a program: a table of checks, each of which gives the reason of a failure or nothing."""

from __future__ import annotations

from collections.abc import Callable

from fuzz.checks import derivatives, gpu, second, threads, values
from fuzz.checks.subject import Subject
from fuzz.fault import Fault, first_of
from fuzz.program import Program

CHECKS: dict[str, Callable[[Subject], str]] = {
    "value": values.value,
    "oracle": values.oracle,
    "jvp": derivatives.jvp,
    "vjp": derivatives.vjp,
    "reversible": derivatives.reversible_vjp,
    "coarsened": derivatives.coarsened_vjp,
    "second": second.second,
    "threads": threads.threads,
    "threads of vjp": threads.threads_of_vjp,
    "emulated gpu": gpu.emulated,
    "gpu": gpu.real,
}
NEED_TANGENTS = {"jvp", "vjp", "reversible", "coarsened", "second", "threads of vjp", "emulated gpu", "gpu"}


def fit_subject(program: Program) -> Subject:
    """The program with its references; raises Unfit for programs that cannot be compared."""
    subject = Subject(program)
    assert subject.expected.tolerance < 1.0
    if NEED_TANGENTS & set(program.checks):
        assert subject.expected.tangent_tolerance < 1.0
    return subject


def first_fault(subject: Subject) -> Fault | None:
    """Runs the program's checks until one fails."""
    return first_of(CHECKS, subject)
