"""Two threads give the bits of one."""

from __future__ import annotations

from fuzz import compare, compiled
from fuzz.checks.derivatives import disagreement
from fuzz.checks.subject import Subject
from fuzz.reference.run import as_tuple


def threads(subject: Subject) -> str:
    two = as_tuple(compiled.with_threads(subject.function, 2)(*subject.arguments))
    return compare.different_bits(two, subject.found)


def threads_of_vjp(subject: Subject) -> str:
    function = subject.extended(compiled.pullback_text(subject.program, subject.found), "pulled")
    given = (*subject.arguments, *subject.weights)
    one, two = (as_tuple(compiled.with_threads(function, count)(*given)) for count in (1, 2))
    return compare.different_bits(two, one) or disagreement(subject, subject.weights, one)
