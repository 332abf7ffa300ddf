"""Derivatives known by hand in both modes, and for every program of the collection what any derivative must fulfil."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from importlib import import_module
from itertools import product as product_of
from typing import Any

import numpy as np
import pytest
from directions import (
    Values,
    converted,
    is_float,
    leaves,
    like_structure,
    moved,
    product,
    random_like,
    shaped,
    zero_like,
)

import tapeless as tl
from programs import PROGRAMS
from programs.axes import METHODS, methods_in_turn
from programs.derivatives import DERIVATIVES
from programs.derivatives_row import Derivative
from programs.program import Program
from tapeless.methods import DEFAULT, IMPLEMENTED

STEP = 1e-6
TOLERANCES = {np.float64: 1e-12, np.float32: 1e-4}


def units(like: Any) -> Iterable[Any]:
    """All directions with a single 1, in the precision of `like`."""
    for row in np.eye(np.size(like)):
        yield converted(shaped(row.reshape(np.shape(like))), np.asarray(like).dtype.type)


def columns(function: Callable[..., Any], arguments: Values, position: int, method: str) -> np.ndarray:
    """The Jacobian by one argument, a forward sweep for each of the argument's elements."""
    tangents = [
        tl.jvp(
            function,
            arguments,
            (*map(zero_like, arguments[:position]), unit, *map(zero_like, arguments[position + 1 :])),
            method=method,
        )[1]
        for unit in units(arguments[position])
    ]
    return np.moveaxis(np.array(tangents), 0, -1).reshape(np.shape(tangents[0]) + np.shape(arguments[position]))


def rows(function: Callable[..., Any], arguments: Values, position: int, method: str) -> np.ndarray:
    """The Jacobian by one argument, a return sweep for each of the result's elements."""
    result, pullback = tl.vjp(function, *arguments, method=method)
    adjoints = [pullback(unit)[position] for unit in units(result)]
    return np.array(adjoints).reshape(np.shape(result) + np.shape(arguments[position]))


MODES = {"jvp": columns, "vjp": rows}
ALL_SEEDS = {"jvp": tl.jacfwd, "vjp": tl.jacrev}
JVPS = {name: import_module(IMPLEMENTED[name]).METHOD.jvp for name in METHODS}
# The first method with the forward mode of each.
FORWARD = {method: next(name for name in METHODS if JVPS[name] is JVPS[method]) for method in METHODS}


def is_thorough(mode: str, dtype: type, method: str) -> bool:
    """A forward mode that is that of another method, or single precision of another method than the default."""
    return (mode == "jvp" and FORWARD[method] != method) or (dtype != np.float64 and method != DEFAULT)


def rows_modes_and_methods() -> list[Any]:
    return [
        pytest.param(
            row,
            mode,
            dtype,
            method,
            id=f"{name}-{mode}-{dtype.__name__}-{method}",
            marks=[pytest.mark.thorough] if is_thorough(mode, dtype, method) else [],
        )
        for name, row in DERIVATIVES.items()
        for mode, dtype, method in product_of(row.modes, TOLERANCES, METHODS)
    ]


def as_expected(row: Derivative, jacobian: np.ndarray) -> np.ndarray:
    """What the row states: the Jacobian, or its product with the seed or the tangent."""
    if row.seed is not None:
        return np.tensordot(row.seed, jacobian, axes=np.ndim(row.seed))
    if row.tangent is not None:
        return np.tensordot(jacobian, row.tangent, axes=np.ndim(row.tangent))
    return jacobian


@pytest.mark.one_in(47)
@pytest.mark.parametrize(("row", "mode", "dtype", "method"), rows_modes_and_methods())
def test_derivative(row: Derivative, mode: str, dtype: type, method: str) -> None:
    function = tl.function(row.function)
    arguments = tuple(converted(value, dtype) for value in row.arguments)
    for position, expected in zip(row.wrt, row.expected, strict=True):
        jacobian = MODES[mode](function, arguments, position, method)
        assert mode == "jvp" or jacobian.dtype == dtype
        found = as_expected(row, jacobian)
        tolerance = TOLERANCES[dtype]
        np.testing.assert_allclose(found, expected, rtol=tolerance, atol=tolerance)


@pytest.mark.one_in(24)
@pytest.mark.parametrize(("name", "method"), methods_in_turn(DERIVATIVES))
def test_all_seeds_at_once(name: str, method: str) -> None:
    row = DERIVATIVES[name]
    for mode in row.modes:
        jacobians = ALL_SEEDS[mode](tl.function(row.function), argnums=row.wrt, method=method)(*row.arguments)
        for jacobian, expected in zip(jacobians, row.expected, strict=True):
            np.testing.assert_allclose(as_expected(row, jacobian), expected, rtol=1e-12, atol=1e-12)


def is_differentiable(program: Program) -> bool:
    """Whether the program takes and gives floats."""
    arguments = program.arguments(np.random.default_rng(7))
    return any(map(is_float, arguments)) and any(map(is_float, leaves(program.reference(*arguments))))


WITHOUT_DIFFERENCES = {
    "conditional_expression": "at a kink",
    "copied_and_cast": "single precision inside",
    "markers": "stop_gradient hides a dependence",
    "nearest_arrivals": "single precision",
    "rounding": "at a jump",
    "scalar_conversions": "at a jump",
    "shortest_paths": "ties everywhere",
    "special_values": "infinite results",
}
REFUSED = {"hinted_loops": "unroll=True, but its bounds are no constants"}
DIFFERENTIABLE = {
    name: program for name, program in PROGRAMS.items() if is_differentiable(program) and name not in REFUSED
}


@pytest.mark.one_in(112)
@pytest.mark.parametrize(("name", "method"), methods_in_turn(DIFFERENTIABLE, always=(DEFAULT,)))
def test_both_modes_agree(name: str, method: str) -> None:
    """<w, J v> = <J' w, v> for random directions."""
    rng = np.random.default_rng(11)
    program = DIFFERENTIABLE[name]
    function = tl.function(program.function)
    arguments = tuple(program.arguments(np.random.default_rng(7)))
    v = tuple(random_like(value, rng) for value in arguments)
    result, tangent = tl.jvp(function, arguments, v, method=FORWARD[method])
    w = like_structure(result, lambda part: random_like(part, rng))
    _, pullback = tl.vjp(function, *arguments, method=method)
    adjoints = pullback(w)
    assert_same_shapes(adjoints, arguments)
    tolerance = 1e-5 if any(np.asarray(part).dtype == np.float32 for part in leaves(result)) else 1e-8
    forward, backward = product(w, tangent), product(adjoints, v)
    assert np.isfinite(forward)
    np.testing.assert_allclose(forward, backward, rtol=tolerance, atol=tolerance)


def assert_same_shapes(adjoints: Values, arguments: Values) -> None:
    """There is an adjoint for every argument, of its shape and type."""
    for adjoint, argument in zip(adjoints, arguments, strict=True):
        assert np.shape(adjoint) == np.shape(argument)
        assert np.asarray(adjoint).dtype == np.asarray(argument).dtype


@pytest.mark.parametrize(("name", "message"), REFUSED.items())
def test_refused(name: str, message: str) -> None:
    program = PROGRAMS[name]
    with pytest.raises(tl.FrontendError, match=message):
        result, pullback = tl.vjp(tl.function(program.function), *program.arguments(np.random.default_rng(7)))
        pullback(like_structure(result, zero_like))


@pytest.mark.one_in(55)
@pytest.mark.parametrize("name", [name for name in DIFFERENTIABLE if name not in WITHOUT_DIFFERENCES])
def test_central_differences(name: str) -> None:
    rng = np.random.default_rng(13)
    program = PROGRAMS[name]
    function = tl.function(program.function)
    arguments = tuple(program.arguments(np.random.default_rng(7)))
    v = tuple(random_like(value, rng) for value in arguments)
    ahead, behind = (leaves(function(*moved(arguments, v, step))) for step in (STEP, -STEP))
    _, tangent = tl.jvp(function, arguments, v)
    for after, before, found in zip(ahead, behind, leaves(tangent), strict=True):
        if is_float(after):
            np.testing.assert_allclose(found, (after - before) / (2 * STEP), rtol=1e-5, atol=1e-6)
