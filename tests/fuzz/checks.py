"""What is compared for a program: a table of checks, each of which gives the reason of a failure or nothing."""

from __future__ import annotations

import copy
from collections.abc import Callable
from functools import cached_property
from typing import Any

import numpy as np

import tapeless as tl
from fuzz import compare, compiled
from fuzz.arguments import direction
from fuzz.expected import Expected, Unfit
from fuzz.fault import Fault, from_exception
from fuzz.program import Program
from fuzz.reference.run import as_tuple

Values = tuple[Any, ...]


class Subject:
    """A program on its way through the checks: compiled once, with its references."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self.expected = Expected(program)
        self.arguments = self.expected.arguments(0)

    @cached_property
    def function(self) -> Any:
        return compiled.defined(self.program.text)["generated"]

    @cached_property
    def weights(self) -> Values:
        """Cotangents for the results, in their types."""
        return direction(self.program, "cotangent", self.found)

    @cached_property
    def found(self) -> Values:
        return as_tuple(self.function(*self.arguments))

    def extended(self, text: str, name: str) -> Any:
        """A function that is defined after the program."""
        return compiled.defined(self.program.text + text)[name]


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


def jvp(subject: Subject) -> str:
    """Forward mode against the derivatives of the reference."""
    found, tangents = tl.jvp(subject.function, subject.arguments, subject.expected.directions)
    wrong = compare.difference(as_tuple(found), subject.expected.first_results, subject.expected.tolerance)
    floats = _floats(as_tuple(tangents), as_tuple(found)), _floats(subject.expected.tangents, as_tuple(found))
    if wrong:
        return f"value beside the tangent {wrong}"
    return compare.difference(*floats, subject.expected.tangent_tolerance)


def _floats(values: Values, kinds: Values) -> Values:
    return tuple(v for v, kind in zip(values, kinds, strict=True) if np.asarray(kind).dtype.kind == "f")


def vjp(subject: Subject) -> str:
    """Reverse mode: <w, J v> of the reference is <J'w, v>."""
    weights = subject.weights
    adjoints = tl.vjp(subject.function, *subject.arguments)[1](weights if len(weights) > 1 else weights[0])
    return _disagreement(subject, weights, as_tuple(adjoints))


def _disagreement(subject: Subject, weights: Values, adjoints: Values) -> str:
    expected = subject.expected
    forward = compare.inner_product(weights, expected.tangents)
    backward = compare.inner_product(adjoints, expected.directions)
    magnitude = compare.weight_product(weights, expected.tangents) + compare.weight_product(
        adjoints, expected.directions
    )
    off = abs(forward - backward) / magnitude
    if off <= expected.tangent_tolerance:
        return ""
    return f"adjoints differ; <w, Jv> = {forward:.6g}, <J'w, v> = {backward:.6g}, off by {off:.2g}"


def second(subject: Subject) -> str:
    """Second derivatives along one direction, against differences; the Hessian is symmetric."""
    program, expected = subject.program, subject.expected
    if program.by_differences or program.has_stop or program.is_single:
        return ""
    try:
        curvature = expected.curvature
    except Unfit:
        return ""
    weights = direction(program, "cotangent", expected.first_results)
    function = subject.extended(compiled.curvature_text(program, expected.first_results), "curvature")
    v, u = (_moving(subject, each) for each in (expected.directions, direction(program, "other", subject.arguments)))
    along_v, along_u = (as_tuple(function(*subject.arguments, *each, *weights)) for each in (v, u))
    found, wanted = compare.inner_product(along_v, v), compare.inner_product(weights, curvature)
    scale = compare.weight_product(along_v, v) + compare.weight_product(weights, curvature)
    if not abs(wanted - found) <= (1e-4 + 100 * expected.tangent_tolerance) * scale:
        return f"second derivative differs; v'Hv is {found:.6g} instead of {wanted:.6g}"
    left, right = compare.inner_product(along_v, u), compare.inner_product(along_u, v)
    off = abs(left - right) / (compare.weight_product(along_v, u) + compare.weight_product(along_u, v))
    return "" if off <= 10 * expected.tangent_tolerance else f"Hessian is not symmetric; off by {off:.2g}"


def _moving(subject: Subject, values: Values) -> Values:
    return tuple(v for v, each in zip(values, subject.program.parameters, strict=True) if each.type.is_float)


def threads(subject: Subject) -> str:
    """Two threads give the bits of one."""
    two = as_tuple(compiled.with_threads(subject.function, 2)(*subject.arguments))
    return compare.different_bits(two, subject.found)


def threads_of_vjp(subject: Subject) -> str:
    function = subject.extended(compiled.pullback_text(subject.program, subject.found), "pulled")
    given = (*subject.arguments, *subject.weights)
    one, two = (as_tuple(compiled.with_threads(function, count)(*given)) for count in (1, 2))
    return compare.different_bits(two, one) or _disagreement(subject, subject.weights, one)


CHECKS: dict[str, Callable[[Subject], str]] = {
    "value": value,
    "oracle": oracle,
    "jvp": jvp,
    "vjp": vjp,
    "second": second,
    "threads": threads,
    "threads of vjp": threads_of_vjp,
}


def first_fault(program: Program) -> Fault | None:
    """Runs the program's checks until one fails; raises Unfit for programs that cannot be compared."""
    subject = Subject(program)
    needs_tangents = set(program.checks) & {"jvp", "vjp", "second", "threads of vjp"}
    assert subject.expected.tolerance < 1.0
    if needs_tangents:
        assert subject.expected.tangent_tolerance < 1.0
    for name in program.checks:
        try:
            wrong = CHECKS[name](subject)
        except Unfit:
            raise
        except Exception as error:
            return from_exception(name, error)
        if wrong:
            return Fault(name, wrong.partition(";")[0], wrong)
    return None
