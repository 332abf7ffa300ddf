"""Equations of jaxprs with derivatives of their own, and these derivatives as functions of JAX.

JAX itself runs the rules: the derivative of a function that is nothing but the equation is what its rule says.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np
from jax._src.interpreters.ad import CustomVJPException
from jax.extend import core

from tapeless.api.imports.jax_programs.placed_extremes import bind_inside

RULED: dict[str, tuple[str, ...]] = {
    "custom_jvp_call": ("jvp",),
    "custom_vjp_call": ("vjp",),
    "custom_linear_solve": ("jvp", "vjp"),
    "bessel_i0e": ("jvp",),
    "bessel_i1e": ("jvp",),
    "cumlogsumexp": ("jvp",),
    "reduce_max": ("jvp",),
    "reduce_min": ("jvp",),
    "cummax": ("jvp",),
    "cummin": ("jvp",),
    "scatter-max": ("jvp",),
    "scatter-min": ("jvp",),
}
"""Primitives with rules, and the kinds of these; solving by a loop is differentiated by solving once more.

Functions that are smooth, and are made of pieces when they are lowered, have JAX's rules, too: between the pieces, as
at 0 or at equal elements, the derivatives of what they are made of are others, or NaN. So do extremes
of axes, running ones and those at places, of which equal elements share the derivative.
"""

PARTS = {"jvp": ("jvp",), "vjp": ("forward", "backward")}
"""The functions that each kind of rule has."""

DEPTH = 2
"""How deep rules within rules are compared: those of a function that calls itself in its rule would have no end."""


class Traced(NamedTuple):
    """A function of JAX as a jaxpr, under the name of its purpose."""

    part: str
    jaxpr: core.ClosedJaxpr


def traced_rules(equation: core.JaxprEqn) -> list[Traced]:
    """The functions of the rules of an equation: `jvp`; `forward` and `backward`.

    A rule that JAX cannot differentiate once more, as it may read numbers from outside, has no rules itself.
    """
    kinds = RULED[equation.primitive.name]
    try:
        return [each for kind in kinds for each in TRACERS[kind](equation)]
    except CustomVJPException:
        return []


def digest_of(jaxpr: core.ClosedJaxpr, depth: int = DEPTH) -> str:
    """A digest that tells jaxprs apart, and the rules in them."""
    digest = hashlib.sha256(str(jaxpr).encode())
    for constant in jaxpr.consts:
        array = np.asarray(constant)
        digest.update(f"{array.dtype}{array.shape}".encode() + array.tobytes())
    for equation in ruled_equations(jaxpr.jaxpr) if depth else ():
        for rule in traced_rules(equation):
            digest.update(f"{rule.part} {digest_of(rule.jaxpr, depth - 1)}".encode())
    return digest.hexdigest()


def ruled_equations(jaxpr: core.Jaxpr) -> Iterator[core.JaxprEqn]:
    """The equations with rules of a jaxpr, also in loops, branches and calls, and in the functions that have rules.

    Extremes that only values without derivatives are computed of, as those of a softmax, need no rules.
    """
    stopped = _stopped(jaxpr)
    for equation in jaxpr.eqns:
        if equation.primitive.name in RULED and id(equation) not in stopped:
            yield equation
        for inner in inner_jaxprs(equation):
            yield from ruled_equations(inner)


def _stopped(jaxpr: core.Jaxpr) -> set[int]:
    """The equations of which nothing outside of `stop_gradient` is computed."""
    needed, found = set(map(id, jaxpr.outvars)), set()
    for equation in reversed(jaxpr.eqns):
        is_needed = any(id(each) in needed for each in equation.outvars)
        if not is_needed:
            found.add(id(equation))
        elif equation.primitive.name != "stop_gradient":
            needed.update(map(id, equation.invars))
    return found


def inner_jaxprs(equation: core.JaxprEqn) -> Iterator[core.Jaxpr]:
    """The jaxprs among the parameters of an equation."""
    for value in equation.params.values():
        for each in value if isinstance(value, (tuple, list)) else (value,):
            if isinstance(each, core.ClosedJaxpr):
                yield each.jaxpr
            elif isinstance(each, core.Jaxpr):
                yield each


def constants_of(equation: core.JaxprEqn) -> int:
    """How many operands, the first ones, are constants of a function, of which its rule knows nothing."""
    return int(equation.params.get("num_consts", 0)) if equation.primitive.name == "custom_vjp_call" else 0


def bind(equation: core.JaxprEqn, operands: Sequence[Any]) -> list[Any]:
    """The results of an equation for other operands."""
    results = equation.primitive.bind(*operands, **equation.primitive.get_bind_params(equation.params))
    return list(results) if equation.primitive.multiple_results else [results]


INSIDE = ("scatter-max", "scatter-min")
"""Primitives whose rules suppose that all places are inside of the array."""


def specification(aval: Any) -> jax.ShapeDtypeStruct:
    """The abstract argument with which a function is traced."""
    return jax.ShapeDtypeStruct(aval.shape, aval.dtype)


def _jvp(equation: core.JaxprEqn) -> list[Traced]:
    """Results and their tangents, from arguments and their tangents; those of integers are zeros."""
    specs = _specifications(equation)
    count = len(specs)
    run = bind_inside if equation.primitive.name in INSIDE else bind

    def rule(*values: Any) -> list[Any]:
        primals, tangents = values[:count], values[count:]
        moving = tuple(_tangent(*pair) for pair in zip(primals, tangents, strict=True))
        out, moved = jax.jvp(lambda *given: run(equation, given), primals, moving)
        return [*out, *map(_derivative, out, moved)]

    return [Traced("jvp", jax.make_jaxpr(rule)(*specs, *specs))]


def _vjp(equation: core.JaxprEqn) -> list[Traced]:
    """Results and residuals from arguments; adjoints from residuals and cotangents; those of integers and of constants
    are zeros.
    """
    specs = _specifications(equation)
    count = constants_of(equation)
    pullbacks: list[Any] = []

    def forward(*primals: Any) -> list[Any]:
        constants, moving = primals[:count], primals[count:]
        out, pullback = jax.vjp(lambda *given: bind(equation, (*constants, *given)), *moving)
        residuals, tree = jax.tree.flatten(pullback)
        pullbacks.append(tree)
        return [*out, *residuals]

    first = jax.make_jaxpr(forward)(*specs)
    outs = [specification(each.aval) for each in equation.outvars]
    residuals = [specification(each) for each in first.out_avals[len(outs) :]]

    def backward(*values: Any) -> list[Any]:
        pullback = jax.tree.unflatten(pullbacks[0], values[: len(residuals)])
        given = values[len(residuals) :]
        adjoints = pullback([_tangent(*pair) for pair in zip(outs, given, strict=True)])
        zeros = [jnp.zeros(each.shape, each.dtype) for each in specs[:count]]
        return [*zeros, *(_derivative(*pair) for pair in zip(specs[count:], adjoints, strict=True))]

    return [Traced("forward", first), Traced("backward", jax.make_jaxpr(backward)(*residuals, *outs))]


TRACERS: dict[str, Callable[[core.JaxprEqn], list[Traced]]] = {"jvp": _jvp, "vjp": _vjp}


def _specifications(equation: core.JaxprEqn) -> list[jax.ShapeDtypeStruct]:
    return [specification(each.aval) for each in equation.invars]


def _tangent(primal: Any, given: Any) -> Any:
    """The tangent or cotangent as JAX wants it: values without derivatives have those of a type of their own."""
    if jnp.issubdtype(primal.dtype, jnp.floating):
        return given
    return np.zeros(primal.shape, jax.dtypes.float0)


def _derivative(primal: Any, found: Any) -> Any:
    """The derivative with the type of the value."""
    return found if jnp.issubdtype(primal.dtype, jnp.floating) else jnp.zeros(primal.shape, primal.dtype)
