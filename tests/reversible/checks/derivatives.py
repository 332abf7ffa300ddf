"""Derivatives of procedures: adjoints by running backwards, and second derivatives."""

from __future__ import annotations

from typing import Any

import numpy as np

import tapeless as tl
from fuzz import compare
from fuzz.expected import Unfit
from reversible.arguments import direction
from reversible.checks.subject import Subject, Values
from tapeless.methods import IMPLEMENTED

METHODS = (None, *IMPLEMENTED)
"""The default, and every method by name."""


def pulled(procedure: Any, arguments: Values, weights: Values, method: str | None = None) -> Values:
    """The adjoints of the cells."""
    chosen = {} if method is None else {"method": method}
    return tuple(tl.vjp(procedure, *arguments, **chosen)[1](weights))


def gradient(subject: Subject) -> str:
    """<w, J v> of the interpreter is <J'w, v>, by every method, forwards too."""
    if subject.expected.results is None:
        return ""
    tolerance = subject.expected.tangent_tolerance
    for method in METHODS:
        if wrong := disagreement(subject, pulled(subject.procedure, subject.arguments, subject.weights, method)):
            return f"{method or 'default'} {wrong}"
    found, tangents = tl.jvp(subject.procedure, subject.arguments, subject.expected.directions)
    if wrong := compare.difference(_floats(subject, tangents), _floats(subject, subject.expected.tangents), tolerance):
        return f"tangents {wrong}"
    return compare.difference(tuple(found), subject.found, 1e-12)


def _floats(subject: Subject, values: Values) -> Values:
    return tuple(v for v, each in zip(values, subject.program.parameters, strict=True) if each.cell.is_float)


def disagreement(subject: Subject, adjoints: Values) -> str:
    expected, weights = subject.expected, subject.weights
    forward, backward = (
        compare.inner_product(weights, expected.tangents),
        compare.inner_product(adjoints, expected.directions),
    )
    scale = compare.weight_product(weights, expected.tangents) + compare.weight_product(adjoints, expected.directions)
    if abs(forward - backward) <= expected.tangent_tolerance * scale:
        return ""
    return f"adjoints differ; <w, Jv> = {forward:.9g}, <J'w, v> = {backward:.9g}"


def adjoint(subject: Subject) -> str:
    """The adjoint of the inverse undoes the adjoint."""
    if subject.expected.results is None:
        return ""
    adjoints = pulled(subject.procedure, subject.arguments, subject.weights)
    back = pulled(~subject.procedure, subject.found, adjoints)
    scale = max(compare.scale(each) for each in _floats(subject, adjoints))
    off = compare.largest(_floats(subject, back), _floats(subject, subject.weights))
    return "" if off <= 1e-7 * scale else f"adjoint of the inverse differs; off by {off:.2g}"


def second(subject: Subject) -> str:
    """Second derivatives along one direction, against differences; the Hessian is symmetric."""
    if subject.expected.results is None:
        return ""
    try:
        curvature = subject.expected.curvature
    except Unfit:
        return ""
    function = subject.extended(pullback_text(subject), "pulled")
    v, u = subject.expected.directions, direction(subject.program, "other", subject.arguments)
    along_v, along_u = (_along(subject, function, each) for each in (v, u))
    found, wanted = compare.inner_product(along_v, v), compare.inner_product(subject.weights, curvature)
    scale = compare.weight_product(along_v, v) + compare.weight_product(subject.weights, curvature)
    if not abs(wanted - found) <= 1e-4 * scale:
        return f"second derivative differs; v'Hv is {found:.6g} instead of {wanted:.6g}"
    left, right = compare.inner_product(along_v, u), compare.inner_product(along_u, v)
    off = abs(left - right) / (compare.weight_product(along_v, u) + compare.weight_product(along_u, v))
    return "" if off <= 1e-7 else f"Hessian is not symmetric; off by {off:.2g}"


def _along(subject: Subject, function: Any, tangents: Values) -> Values:
    """The derivatives of the adjoints along a direction."""
    zeros = tuple(np.zeros_like(each) if np.ndim(each) else type(each)(0) for each in subject.weights)
    _, found = tl.jvp(function, (*subject.arguments, *subject.weights), (*tangents, *zeros))
    return tuple(found)


def pullback_text(subject: Subject) -> str:
    """A function of the cells and of cotangents that gives the adjoints."""
    names = ", ".join(each.name for each in subject.program.parameters)
    cotangents = [f"u{place}" for place in range(len(subject.program.parameters))]
    return f"""

@tl.function
def pulled({names}, {", ".join(cotangents)}):
    return tl.vjp(generated, {names})[1](({", ".join(cotangents)},))
"""
