"""Refusals of functions of JAX that call Python while they run, or whose rules cannot have all derivatives."""

from __future__ import annotations

import jax.numpy as jnp
from jax._src import source_info_util
from jax.extend import core

from tapeless.api.imports.jax_programs.rules import constants_of, inner_jaxprs
from tapeless.errors import ArgumentError

CALLBACKS = ("debug_callback", "debug_print", "io_callback", "pure_callback")


def check(jaxpr: core.Jaxpr) -> None:
    """Refuses callbacks, and computed numbers that rules of derivatives miss, at the user's line."""
    constants = set(jaxpr.constvars)
    for equation in jaxpr.eqns:
        name = equation.primitive.name
        if name in CALLBACKS:
            raise ArgumentError(
                f"{_place(equation)}the function calls Python while it runs ({name}), which compiled functions do not; "
                "leave jax.debug.print and callbacks out of it"
            )
        captured = equation.invars[: constants_of(equation)]
        if any(_is_computed(each) and each not in constants for each in captured):
            raise ArgumentError(
                f"{_place(equation)}the function with jax.custom_vjp reads computed numbers from outside, of which its "
                "rule gives no derivatives; pass them as arguments of it"
            )
        for inner in inner_jaxprs(equation):
            check(inner)


def _is_computed(operand: core.Var | core.Literal) -> bool:
    """Whether an operand is a float that is no literal."""
    return not isinstance(operand, core.Literal) and jnp.issubdtype(operand.aval.dtype, jnp.floating)


def _place(equation: core.JaxprEqn) -> str:
    """The user's line that an equation comes from, as a message begins."""
    frame = source_info_util.user_frame(equation.source_info.traceback)
    return f"{frame.file_name}:{frame.start_line}: " if frame else ""
