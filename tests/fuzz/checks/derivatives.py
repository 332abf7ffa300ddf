"""First derivatives, forward and reverse."""

from __future__ import annotations

import numpy as np

import tapeless as tl
from fuzz import compare
from fuzz.checks.subject import Subject, Values
from fuzz.reference.run import as_tuple

# Running backwards finds states again to within this; expressions have sums and products in another order.
LEAST_TOLERANCES = {"redundant": 0.0, "reversible": 1e-7, "coarsened": 1e-9}


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
    return _by_method(subject, "redundant")


def reversible_vjp(subject: Subject) -> str:
    return _by_method(subject, "reversible")


def coarsened_vjp(subject: Subject) -> str:
    return _by_method(subject, "coarsened")


def _by_method(subject: Subject, method: str) -> str:
    return disagreement(subject, subject.weights, _adjoints(subject, method), at_least=LEAST_TOLERANCES[method])


def _adjoints(subject: Subject, method: str) -> Values:
    weights = subject.weights
    pullback = tl.vjp(subject.function, *subject.arguments, method=method)[1]
    return as_tuple(pullback(weights if len(weights) > 1 else weights[0]))


def disagreement(subject: Subject, weights: Values, adjoints: Values, at_least: float = 0.0) -> str:
    expected = subject.expected
    forward = compare.inner_product(weights, expected.tangents)
    backward = compare.inner_product(adjoints, expected.directions)
    magnitude = compare.weight_product(weights, expected.tangents) + compare.weight_product(
        adjoints, expected.directions
    )
    off = abs(forward - backward) / magnitude
    if off <= max(expected.tangent_tolerance, at_least):
        return ""
    return f"adjoints differ; <w, Jv> = {forward:.6g}, <J'w, v> = {backward:.6g}, off by {off:.2g}"
