"""Random updates of slices of the rows of an array, by what is computed from other slices of it: as numpy does them.

Slices that nearly fill their rows are built where they end, in a new array or in the old one; each of these choices is
wrong as soon as something still looks at what is overwritten.
"""

from __future__ import annotations

import importlib.util
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import tapeless as tl

SLICES = (":-2", "1:-1", "2:")
STRIDED = ("::2", "1::2")
COLUMNS = 8
HEADER = "def stencil(u: {annotation}, times):\n    c = 1.0\n    for _ in range(times):\n"


class Stencil:
    """The text of a function that is the same in numpy and in the language."""

    def __init__(self, seed: int) -> None:
        self.choose = random.Random(seed)
        self.rows = self.choose.choice((2, 2, 3))
        self.slices = SLICES if self.choose.random() < 0.8 else STRIDED
        self.parts: list[str] = []
        self.lines: list[str] = []
        (self.mix if seed % 2 else self.fill)()

    def mix(self) -> None:
        """Statements of all kinds in any order."""
        kinds = (self.compute, self.compute, self.write, self.write, self.copy, self.add, self.look)
        for _ in range(self.choose.randint(4, 9)):
            self.choose.choice(kinds)()

    def fill(self) -> None:
        """One part for every row, all written one after the other; with luck, something gets in between."""
        for _ in range(self.rows):
            self.compute()
        places = self.choose.sample(range(self.rows), self.rows)
        common = self.choose.choice(self.slices)
        for part, row in enumerate(places):
            if self.choose.random() < 0.3:
                self.choose.choice((self.overwrite, self.write, self.look_at_part))()
            place = common if self.choose.random() < 0.8 else self.choose.choice(self.slices)
            self.lines.append(f"u[{row}, {place}] = p{part}")
        for _ in range(self.choose.randint(0, 3)):
            self.choose.choice((self.overwrite, self.add, self.look_at_part))()

    def overwrite(self) -> None:
        self.lines.append(f"u[{self.choose.randrange(self.rows)}, {self.choose.choice(STRIDED)}] = c")

    def look_at_part(self) -> None:
        self.lines.append(f"c = {self.choose.choice(self.parts)}[{self.choose.randrange(COLUMNS // 2)}] * 0.5")

    def slice(self) -> str:
        return f"u[{self.choose.randrange(self.rows)}, {self.choose.choice(self.slices)}]"

    def compute(self) -> None:
        other = self.choose.choice([*self.parts, "c", self.slice()])
        self.lines.append(f"p{len(self.parts)} = {self.slice()} * {other} + {self.choose.choice((0.25, 0.5))}")
        self.parts.append(f"p{len(self.parts)}")

    def write(self) -> None:
        self.lines.append(f"{self.slice()} = {self.choose.choice([*self.parts, 'c'])}")

    def copy(self) -> None:
        self.lines.append(f"{self.slice()} = {self.slice()}")

    def add(self) -> None:
        self.lines.append(f"{self.slice()} += {self.slice()} * 0.5")

    def look(self) -> None:
        self.lines.append(f"c = u[{self.choose.randrange(self.rows)}, {self.choose.randrange(COLUMNS)}] * 0.5")

    def text(self, annotation: str) -> str:
        body = "".join(f"        {line}\n" for line in self.lines)
        return HEADER.format(annotation=annotation) + body + "    return u, c\n"


def load(text: str, folder: Path) -> Callable[..., Any]:
    """The function of a file, as the frontend needs its source."""
    path = folder / "stencil.py"
    path.write_text(f"import tapeless as tl\n\n\n{text}")
    spec = importlib.util.spec_from_file_location(path.stem, path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module.stencil


@pytest.mark.one_in(24)
@pytest.mark.parametrize("seed", range(80))
def test_random_stencil(seed: int, tmp_path: Path) -> None:
    stencil = Stencil(seed)
    function = load(stencil.text(f"tl.f64[{stencil.rows}, :]"), tmp_path)
    u = np.random.default_rng(seed).uniform(-0.9, 0.9, size=(stencil.rows, COLUMNS))
    for times in (1, 3):
        wanted, last = function(u.copy(), times)
        found, number = tl.jit(function)(u, times)
        np.testing.assert_allclose(found, wanted, rtol=1e-12, atol=1e-14)
        assert number == pytest.approx(last, rel=1e-12)
