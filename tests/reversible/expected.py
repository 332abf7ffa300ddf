"""What the interpreter says about a program, and whether the program is fit to be compared at all."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from fuzz.compare import largest
from fuzz.expected import Unfit
from reversible.arguments import arguments, direction
from reversible.interpreter import PLAIN, CheckFailed, Mode, Procedures, Unclear
from reversible.program import Program

Values = tuple[Any, ...]
ROUNDING = re.compile(
    r"tl\.(sin|cos|tanh|atan|sigmoid|softplus|erf|exp|log|sum|dot|mean|rot|hadamard|map)\(|\*\*|@ ",
)
NOISE = 1e-13
STRICTEST = 1e-12
MOST_SPREAD = 1e-8
TANGENT_TOLERANCE = 1e-9
STEP = 1e-30
DIFFERENCE = 1e-4


@dataclass(frozen=True)
class Expected:
    """References of one program, computed when a check asks for them."""

    program: Program

    @cached_property
    def arguments(self) -> Values:
        return arguments(self.program)

    @cached_property
    def results(self) -> Values | None:
        """The final cells; nothing if a check fails."""
        return self.run(self.arguments, backwards=False)

    @cached_property
    def is_exact(self) -> bool:
        """Whether all operations round alike everywhere."""
        return not ROUNDING.search(self.program.text.replace("@tl", ""))

    def run(self, values: Values, backwards: bool, mode: Mode = PLAIN) -> Values | None:
        """The cells after a run, nothing where a check fails; raises Unfit if that hangs on roundings."""
        try:
            return Procedures(self.program.text, mode).run("generated", values, backwards)
        except CheckFailed:
            return None
        except Unclear as reason:
            raise Unfit(str(reason)) from None

    def tolerance(self, values: Values, backwards: bool = False) -> float:
        """How far results may be off, seen from a run with noise."""
        quiet, noisy = (self.run(values, backwards, Mode(noise=noise)) for noise in (0.0, NOISE))
        if quiet is None or noisy is None:
            raise Unfit("noise decides whether a check fails")
        spread = largest(noisy, quiet)
        if not spread < MOST_SPREAD:
            raise Unfit(f"noise moves the results by {spread:.1g}")
        return STRICTEST + 30 * spread

    @cached_property
    def directions(self) -> Values:
        return direction(self.program, "tangent", self.arguments)

    def tangents_at(self, values: Values, noise: float = 0.0) -> Values:
        """The derivatives of the final cells along the direction, by a complex step."""
        moved = tuple(along(a, v, STEP * 1j) for a, v in zip(values, self.directions, strict=True))
        found = self.run(moved, False, Mode(is_complex=True, noise=noise))
        if found is None:
            raise Unfit("a check fails near the arguments")
        return tuple(np.imag(each) / STEP for each in found)

    @cached_property
    def tangents(self) -> Values:
        return self.tangents_at(self.arguments)

    @cached_property
    def tangent_tolerance(self) -> float:
        return TANGENT_TOLERANCE + 100 * largest(self.tangents_at(self.arguments, NOISE), self.tangents)

    @cached_property
    def curvature(self) -> Values:
        """The second derivatives of the final cells along the direction, by differences of exact derivatives."""
        wide, narrow = (self._curvature(step) for step in (DIFFERENCE, DIFFERENCE / 3))
        if largest(wide, narrow) > 1e-5:
            raise Unfit("a kink lies within a step")
        return narrow

    def _curvature(self, step: float) -> Values:
        places = (tuple(along(a, v, sign * step) for a, v in self._moves()) for sign in (1.0, -1.0))
        ahead, behind = (self.tangents_at(each) for each in places)
        return tuple((a - b) / (2 * step) for a, b in zip(ahead, behind, strict=True))

    def _moves(self) -> list[tuple[Any, Any]]:
        return list(zip(self.arguments, self.directions, strict=True))


def along(value: Any, tangent: Any, step: complex) -> Any:
    """A value after a step; what is no float stays."""
    return value + step * np.asarray(tangent) if np.asarray(value).dtype.kind == "f" else value
