"""Values forwards and backwards, and the checks at run time."""

from __future__ import annotations

import copy
from typing import Any

import numpy as np

import tapeless as tl
from fuzz import compare
from fuzz.expected import Unfit
from reversible.checks.subject import Subject, Values


def outcome(procedure: Any, arguments: Values) -> Values | None:
    """The final cells, or nothing if a check fails."""
    try:
        return tuple(procedure(*arguments))
    except tl.InvertibilityError:
        return None


def same_outcome(subject: Subject, procedure: Any, arguments: Values, backwards: bool) -> str:
    """The compiled procedure does what the interpreter does, or fails where it does; arguments stay as they were."""
    wanted = subject.expected.run(arguments, backwards)
    given = copy.deepcopy(arguments)
    found = outcome(procedure, given)
    if changed := compare.different_bits(given, arguments):
        return f"arguments changed; {changed}"
    if wanted is None or found is None:
        failed = "check fails where none should" if found is None else "no check fails where one should"
        return "" if wanted is found is None else f"{failed};"
    return subject.difference(found, wanted, subject.expected.tolerance(arguments, backwards))


def value(subject: Subject) -> str:
    return same_outcome(subject, subject.procedure, subject.arguments, backwards=False)


def inverse(subject: Subject) -> str:
    """There and back, and the inverse on cells that no run has made."""
    procedure = subject.procedure
    if ~~procedure is not procedure:
        return "the inverse of the inverse is another procedure;"
    try:
        wrong = same_outcome(subject, ~procedure, subject.arguments, backwards=True)
    except Unfit:
        wrong = ""
    if wrong:
        return f"inverse of the arguments: {wrong}"
    if subject.expected.results is None:
        return ""
    return _back(subject)


def _back(subject: Subject) -> str:
    if wrong := same_outcome(subject, ~subject.procedure, subject.found, backwards=True):
        return f"there and back: {wrong}"
    back = tuple((~subject.procedure)(*subject.found))
    return compare.difference(back, subject.arguments, 1e-7)


def in_place(subject: Subject) -> str:
    """With `inplace=True` the caller's arrays hold the final cells."""
    if subject.expected.results is None:
        return ""
    given = copy.deepcopy(subject.arguments)
    returned = subject.procedure(*given, inplace=True)
    wrong = compare.different_bits(tuple(returned), subject.found)
    arrays = [(a, b) for a, b in zip(given, subject.found, strict=True) if np.ndim(a)]
    return wrong or compare.different_bits(tuple(a for a, _ in arrays), tuple(b for _, b in arrays))


def unchecked(subject: Subject) -> str:
    """Without checks nothing fails, and what did not fail gives the same bits."""
    found = tuple(tl.jit(subject.procedure, checks="off")(*subject.arguments))
    return "" if subject.expected.results is None else compare.different_bits(found, subject.found)


def threads(subject: Subject) -> str:
    if subject.expected.results is None:
        return ""
    found = tuple(tl.jit(subject.procedure, threads=2)(*subject.arguments))
    return compare.different_bits(found, subject.found)
