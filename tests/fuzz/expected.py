"""What the reference says about a program, and whether the program is fit to be compared at all."""

from __future__ import annotations

import signal
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from fuzz.arguments import arguments, direction
from fuzz.compare import largest
from fuzz.program import Program
from fuzz.reference import run
from fuzz.reference.bulk import Undefined
from fuzz.reference.values import TooLarge

Values = tuple[Any, ...]
NOISE = {False: 1e-13, True: 2e-7}
STRICTEST = {False: 1e-9, True: 2e-4}
MOST_SPREAD = {False: 1e-7, True: 3e-3}
LARGEST_VALUE = 1e6
STEP = 1e-5
REFERENCE_SECONDS = 2.0


class Unfit(Exception):
    """The program's results hang on roundings, grow too large, or take the reference too long."""


@dataclass(frozen=True)
class Expected:
    """References of one program, computed when a check asks for them."""

    program: Program

    def arguments(self, which: int) -> Values:
        return arguments(self.program, which)

    @cached_property
    def directions(self) -> Values:
        return direction(self.program, "tangent", self.arguments(0))

    def results(self, which: int = 0) -> Values:
        return _timed(lambda: run.results(self.program.text, self.arguments(which)))

    @cached_property
    def first_results(self) -> Values:
        return self.results(0)

    @cached_property
    def tolerance(self) -> float:
        """How far the first results may be off."""
        return self.tolerance_of(0, self.first_results)

    def tolerance_of(self, which: int, results: Values) -> float:
        """How far results may be off, seen from a run with noise."""
        text, single = self.program.text, self.program.is_single
        noisy = _timed(lambda: run.results(text, self.arguments(which), NOISE[single]))
        return self._allowed(results, noisy, STRICTEST[single])

    def tangents_at(self, values: Values, noise: float = 0.0) -> Values:
        text = self.program.text
        if self.program.by_differences:
            return _timed(lambda: run.differences(text, values, self.directions, STEP * (1.0 + 1e12 * noise)))
        return _timed(lambda: run.tangents(text, values, self.directions, noise))

    @cached_property
    def tangents(self) -> Values:
        """The derivatives of the results along the direction."""
        return self.tangents_at(self.arguments(0))

    @cached_property
    def tangent_tolerance(self) -> float:
        single = self.program.is_single
        noisy = self.tangents_at(self.arguments(0), NOISE[single])
        strictest = 3e-6 if self.program.by_differences else STRICTEST[single]
        return self._allowed(self.tangents, noisy, strictest)

    @cached_property
    def curvature(self) -> Values:
        """The second derivatives of the results along the direction, by differences of exact derivatives."""
        wide, narrow = (self._curvature(step) for step in (STEP, STEP / 3))
        if largest(wide, narrow) > 1e-4:
            raise Unfit("a kink lies within a step")
        return wide

    def _curvature(self, step: float) -> Values:
        ahead, behind = (self.tangents_at(run.moved(self.arguments(0), self.directions, s * step)) for s in (1, -1))
        return tuple((a - b) / (2 * step) for a, b in zip(ahead, behind, strict=True))

    def _allowed(self, values: Values, noisy: Values, strictest: float) -> float:
        _check_moderate(values)
        if any(np.shape(a) != np.shape(b) for a, b in zip(values, noisy, strict=True)):
            raise Unfit("sizes depend on roundings")
        spread = largest(noisy, values)
        if not spread < max(MOST_SPREAD[self.program.is_single], strictest):
            raise Unfit(f"noise moves the results by {spread:.1g}")
        return strictest + 30 * spread


def _check_moderate(values: Values) -> None:
    for value in map(np.asarray, values):
        if value.dtype.kind == "f" and not np.all(np.abs(value) < LARGEST_VALUE):
            raise Unfit("values are too large")


def _timed(compute: Any) -> Values:
    """The outcome, if it comes in time."""

    def stop(*_: Any) -> None:
        raise Unfit("the reference takes too long")

    before = signal.signal(signal.SIGVTALRM, stop)
    signal.setitimer(signal.ITIMER_VIRTUAL, REFERENCE_SECONDS)
    try:
        return compute()
    except (MemoryError, TooLarge, Undefined) as error:
        raise Unfit(f"the reference has no answer: {error!r}") from None
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, before)
