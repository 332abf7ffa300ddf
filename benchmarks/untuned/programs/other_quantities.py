"""Programs of other files whose values alone, or whose Hessians times vectors, are wanted."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from untuned.program import Program
from untuned.programs import chemistry, finance, physics_particles, physics_waves, statistics_regression

KNOWN = {
    program.name: program
    for module in (chemistry, finance, physics_particles, physics_waves, statistics_regression)
    for program in module.PROGRAMS
}


def value(name: str, numpy: Callable[..., Any] | None = None) -> Program:
    """The value of a program; functions over names of numpy alone are numpy's own programs, too."""
    return replace(KNOWN[name], name=f"{name}, value", quantity="value", numpy=numpy)


def product(name: str, torch: Callable[..., Any] | None = None) -> Program:
    """The Hessian by the first argument times a direction."""
    program = KNOWN[name]

    def data(size, dtype, rng):
        given = program.data(size, dtype, rng)
        return (*given, rng.normal(size=given[0].shape).astype(dtype))

    title = f"{name}, Hessian times vector"
    return replace(program, name=title, data=data, quantity="hvp", wrt=(0,), torch=torch, numpy=None)


PROGRAMS = (
    value("Black-Scholes book"),
    value("n-body energy", numpy=physics_particles.gravity_axes),
    value("Lennard-Jones box", numpy=physics_particles.lennard_jones_axes),
    value("wave equation", numpy=physics_waves.wave_slices),
    product("logistic regression", torch=statistics_regression.logistic_torch),
    product("force field"),
    product("n-body energy", torch=physics_particles.gravity_torch),
    product("spring chain in time"),
)
