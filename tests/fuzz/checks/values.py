"""Values: of all sets of arguments, and of the sequential pipeline."""

from __future__ import annotations

import copy

from fuzz import compare, compiled
from fuzz.checks.subject import Subject
from fuzz.expected import Unfit
from fuzz.reference.run import as_tuple


def value(subject: Subject) -> str:
    """All sets of arguments, one compiled program."""
    wrong = compare.difference(subject.found, subject.expected.first_results, subject.expected.tolerance)
    for which in range(1, subject.program.sets):
        wrong = wrong or _other_value(subject, which)
    return wrong


def _other_value(subject: Subject, which: int) -> str:
    """Arguments stay as they were; results are compared where they do not hang on roundings."""
    arguments = subject.expected.arguments(which)
    before = copy.deepcopy(arguments)
    found = as_tuple(subject.function(*arguments))
    if changed := compare.different_bits(arguments, before):
        return f"arguments changed; {changed}"
    try:
        wanted = subject.expected.results(which)
        return compare.difference(found, wanted, subject.expected.tolerance_of(which, wanted))
    except Unfit:
        return ""


def oracle(subject: Subject) -> str:
    found = as_tuple(compiled.oracle(subject.function, subject.arguments))
    return compare.difference(found, subject.expected.first_results, subject.expected.tolerance)
