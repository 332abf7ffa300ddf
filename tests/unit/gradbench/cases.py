"""Small inputs for every problem, each with what the tool must answer."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from . import reference
from .reference import complex_step

RANDOM = np.random.default_rng(7)


@dataclass(frozen=True)
class Case:
    """A function of a problem, an input, and its result."""

    module: str
    function: str
    label: str
    given: Any
    expected: Any

    def message(self, number: int = 0, runs: int = 1) -> dict[str, Any]:
        given = {**self.given, "min_runs": runs, "min_seconds": 0} if isinstance(self.given, dict) else self.given
        names = {"id": number, "kind": "evaluate", "module": self.module, "function": self.function}
        return names | {"input": given, "description": self.label}

    def __str__(self) -> str:
        return f"{self.module}-{self.function}-{self.label}"


def hello() -> list[Case]:
    return [Case("hello", "square", "3", 3.0, 9.0), Case("hello", "double", "3", 3.0, 6.0)]


def llsq() -> list[Case]:
    cases = []
    for m, n in ((3, 5), (7, 16), (1, 2)):
        x = RANDOM.normal(size=m)
        given = {"x": x.tolist(), "n": n}
        slope = complex_step(lambda x, n=n: reference.least_squares(x, n), x)
        cases.append(Case("llsq", "primal", f"{m}_{n}", given, reference.least_squares(x, n)))
        cases.append(Case("llsq", "gradient", f"{m}_{n}", given, slope.tolist()))
    return cases


def lse() -> list[Case]:
    inputs = {"scattered": RANDOM.normal(size=9), "large": np.array([1000.0, 1001.0, 998.0]), "one": np.array([2.5])}
    cases = []
    for label, x in inputs.items():
        cases.append(Case("lse", "primal", label, {"x": x.tolist()}, reference.log_sum_exp(x)))
        slope = np.exp(x - reference.log_sum_exp(x))
        cases.append(Case("lse", "gradient", label, {"x": x.tolist()}, slope.tolist()))
    return cases


CASES: list[Case] = [*hello(), *llsq(), *lse()]
