"""Second derivatives."""

from __future__ import annotations

from fuzz import compare, compiled
from fuzz.arguments import direction
from fuzz.checks.subject import Subject, Values
from fuzz.expected import Unfit
from fuzz.reference.run import as_tuple


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
