"""Random programs under construction: the text, the SSA names of the state, and the numpy state it must agree with.

The state is four vectors of size n, an n x n matrix and a scalar.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np

SIZE = 5
VECTORS = ("v0", "v1", "v2", "v3")
NAMES = (*VECTORS, "m", "s")
VECTOR, MATRIX = "tensor<?xf64>", "tensor<?x?xf64>"
TYPES = {**{name: VECTOR for name in VECTORS}, "m": MATRIX, "s": "f64"}

State = dict[str, np.ndarray | float]
Step = Callable[[State, int], None]


@dataclass
class Program:
    """Text under construction: lines, SSA names of the state, and a counter for new names."""

    rng: random.Random
    lines: list[str] = field(default_factory=list)
    names: dict[str, str] = field(default_factory=dict)
    counter: int = 0
    loop_variable: str | None = None

    def new(self) -> str:
        self.counter += 1
        return f"%t{self.counter}"

    def emit(self, text: str) -> None:
        self.lines.append("  " + text)

    def vector(self) -> str:
        return self.rng.choice(VECTORS)

    def index(self) -> tuple[str, Callable[[int], int]]:
        """An index as SSA name and as a function of the loop variable."""
        if self.loop_variable and self.rng.random() < 0.6:
            return self.loop_variable, lambda i: i
        k = self.rng.randrange(SIZE)
        return f"%k{k}", lambda i: k
