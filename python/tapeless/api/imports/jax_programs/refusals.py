"""Refusals of functions of JAX that call Python while they run."""

from __future__ import annotations

from jax._src import source_info_util
from jax.extend import core

from tapeless.api.imports.jax_programs.rules import inner_jaxprs
from tapeless.errors import ArgumentError

CALLBACKS = ("debug_callback", "debug_print", "io_callback", "pure_callback")


def check(jaxpr: core.Jaxpr) -> None:
    """Refuses callbacks, which compiled functions do not make, at the user's line."""
    for equation in jaxpr.eqns:
        name = equation.primitive.name
        if name in CALLBACKS:
            frame = source_info_util.user_frame(equation.source_info.traceback)
            place = f"{frame.file_name}:{frame.start_line}: " if frame else ""
            raise ArgumentError(
                f"{place}the function calls Python while it runs ({name}), which compiled functions do not; leave "
                "jax.debug.print and callbacks out of it"
            )
        for inner in inner_jaxprs(equation):
            check(inner)
