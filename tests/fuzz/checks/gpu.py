"""Values and adjoints from saved kernels for GPUs, on a real GPU or on the emulated one."""

from __future__ import annotations

from typing import Any

import numpy as np

import tapeless as tl
from emulated_gpu.kernels import emulated_cuda
from fuzz import compare, compiled
from fuzz.checks.derivatives import LEAST_TOLERANCES, disagreement
from fuzz.checks.subject import Subject, Values
from fuzz.expected import Unfit
from fuzz.reference.run import as_tuple

# A GPU adds in another order than the reference.
SUMMED = 1e-11
MOST_EMULATED = 1000


def emulated(subject: Subject) -> str:
    """On the emulated GPU, everything but PTX and the driver.

    It runs threads one by one, so programs with large arrays are left to a real one.
    """
    if any(np.size(argument) > MOST_EMULATED for argument in subject.arguments):
        return ""
    with emulated_cuda(subject.program.seed) as gpu:
        wrong = real(subject)
        gpu.check_guards()
    return wrong


def real(subject: Subject) -> str:
    """The value for all sets of arguments, then the adjoints by one method, of which each seed has its own."""
    kernel = _from_bundle(subject.function, subject.arguments)
    wrong = ""
    for which in range(subject.program.sets):
        wrong = wrong or _value(subject, kernel, which)
    method = list(LEAST_TOLERANCES)[subject.program.seed % len(LEAST_TOLERANCES)]
    return wrong or _adjoints(subject, method)


def _value(subject: Subject, kernel: Any, which: int) -> str:
    try:
        arguments, wanted = subject.expected.arguments(which), subject.expected.results(which)
        tolerance = subject.expected.tolerance_of(which, wanted)
    except Unfit:
        return ""
    wrong = compare.difference(_called(kernel, arguments), wanted, max(tolerance, SUMMED))
    return wrong and f"value {wrong}"


def _adjoints(subject: Subject, method: str) -> str:
    text = compiled.pullback_text(subject.program, subject.expected.first_results, method)
    given = (*subject.arguments, *subject.weights)
    adjoints = _called(_from_bundle(subject.extended(text, "pulled"), given), given)
    wrong = disagreement(subject, subject.weights, adjoints, at_least=max(LEAST_TOLERANCES[method], SUMMED))
    return wrong and f"{method} {wrong}"


def _called(kernel: Any, arguments: Values) -> Values:
    """The second of two calls, whose launches are recorded."""
    kernel(*arguments)
    return as_tuple(kernel(*arguments))


def _from_bundle(function: Any, arguments: Values) -> Any:
    return tl.load(tl.compile(function, arguments, target="cuda").to_bytes())
