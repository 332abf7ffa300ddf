"""What is compared for a program: a table of checks, each of which gives the reason of a failure or nothing."""

from __future__ import annotations

from collections.abc import Callable

import tapeless as tl
from fuzz.fault import Fault, first_of
from reversible.checks import derivatives, letters, values
from reversible.checks.subject import Subject
from reversible.program import Program

CHECKS: dict[str, Callable[[Subject], str]] = {
    "value": values.value,
    "inverse": values.inverse,
    "inplace": values.in_place,
    "letter": letters.same_letters,
    "gradient": derivatives.gradient,
    "adjoint": derivatives.adjoint,
    "second": derivatives.second,
    "threads": values.threads,
    "unchecked": values.unchecked,
}
# Arrays of a free and of a fixed size are not exchanged or rotated as a whole: the language asks for one type.
REFUSALS = ("make their shapes and element types equal",)
NEED_TANGENTS = {"gradient", "adjoint", "second"}


def fit_subject(program: Program) -> Subject:
    """The program with its references; raises Unfit for programs that cannot be compared."""
    subject = Subject(program)
    results = subject.expected.results
    if results is not None:
        assert subject.expected.tolerance(subject.arguments) < 1.0
        assert subject.expected.tolerance(results, backwards=True) < 1.0
        if NEED_TANGENTS & set(program.checks):
            assert subject.expected.tangent_tolerance < 1.0
    return subject


def first_fault(subject: Subject) -> Fault | None:
    """Runs the program's checks until one fails."""
    return first_of(CHECKS, subject, _is_refusal)


def _is_refusal(error: Exception) -> bool:
    return isinstance(error, tl.NotReversible) and any(each in str(error) for each in REFUSALS)
