"""Functions of JAX that have rules, and that the importer of StableHLO knows by names.

JAX differentiates `jnp.logaddexp`, of which `softplus` and `log_sigmoid` are made, by a formula that computes the
function once more. Known by its name, it has the derivatives of the language: logistic functions.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

import jax
import jax.numpy as jnp
from jax.extend import core

from tapeless.api.imports.jax_programs.rules import digest_of, specification, traced_rules

FUNCTIONS: dict[str, Callable[..., Any]] = {"tapeless.logaddexp": jnp.logaddexp}
"""Functions of numbers that are one call with a rule, by the names that composites have."""


def name_of(equation: core.JaxprEqn) -> str | None:
    """The name of the function that an equation calls: one with the same operations, whose rule has the same ones."""
    if equation.primitive.name != "custom_jvp_call":
        return None
    specifications = tuple(specification(each.aval) for each in equation.invars)
    for name, function in FUNCTIONS.items():
        known = _call_of(function, specifications)
        if known is not None and _body(known) == _body(equation) and _rule(known) == _rule(equation):
            return name
    return None


@cache
def _call_of(function: Callable[..., Any], specifications: tuple[jax.ShapeDtypeStruct, ...]) -> core.JaxprEqn | None:
    """What a function is for such arguments, if it takes them."""
    try:
        (equation,) = jax.make_jaxpr(function)(*specifications).eqns
    except (TypeError, ValueError):
        return None
    return equation


def _body(equation: core.JaxprEqn) -> str:
    return str(equation.params["call_jaxpr"])


def _rule(equation: core.JaxprEqn) -> list[str]:
    return [digest_of(rule.jaxpr) for rule in traced_rules(equation)]
