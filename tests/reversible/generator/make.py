"""From a seed to a program: procedures, pure functions, parameters."""

from __future__ import annotations

import random
from dataclasses import replace

from fuzz.writing import Stuck
from reversible.generator.cells import Cell, Parameter, Procedure, Shape
from reversible.generator.draft import Draft
from reversible.generator.statements import statements
from reversible.program import Program

HEAD = "import tapeless as tl\n"
PURE = "@tl.function\ndef {}(a, b):\n    return {}\n"
PURE_BODIES = (
    "a * b + 0.5 * a",
    "tl.sin(a) * b",
    "a / (1.5 + b * b)",
    "a if a > b else 0.5 * b",
    "tl.sqrt(1.0 + a * a) - b",
)
SHAPES: tuple[Shape, ...] = ((), (), (), ("n",), ("n",), ("m",), ("n", "m"), ("m", "n"))
FAILING = {0.0: 75, 0.4: 25}
CHANCES = {
    "value": 1.0,
    "inverse": 1.0,
    "inplace": 0.1,
    "letter": 0.25,
    "gradient": 0.35,
    "adjoint": 0.15,
    "second": 0.08,
    "threads": 0.08,
    "unchecked": 0.12,
}
"""Per check, how many of the programs have it."""


def parameters(rng: random.Random, is_main: bool) -> list[Cell]:
    """Floats of all ranks, integers, bools, some that are only read; one scalar and one vector for sure."""
    shapes = [(), ("n",), *rng.sample(SHAPES, rng.randint(1, 4) if is_main else rng.randint(0, 1))]
    cells = [Cell(f"{'xvw'[len(shape)]}{k}", "f64", shape) for k, shape in enumerate(shapes)]
    cells = [replace(each, is_read_only=k > 1 and rng.random() < 0.25) for k, each in enumerate(cells)]
    if rng.random() < 0.6:
        cells.append(Cell("k0", "i64", rng.choice(((), (), ("n",))), False))
    if rng.random() < 0.4:
        cells.append(Cell("b0", "bool_", rng.choice(((), (), ("m",)))))
    if rng.random() < 0.4:
        cells.append(Cell("p0", "i64", (), True, 3))
    if is_main and rng.random() < 0.3:
        cells.append(Cell("q0", "i64", ("n",), True, 3))
    if rng.random() < 0.15:
        cells.append(Cell("step0", "i64", (), True))
    rng.shuffle(cells)
    return cells


def annotated(rng: random.Random, cell: Cell, sizes: dict[str, int], is_open: bool) -> Parameter:
    """With its type; sizes are free or fixed, and what the call decides may be left out."""
    if not cell.is_read_only and is_open and rng.random() < 0.3:
        return Parameter(cell, "")
    axes = [str(sizes[axis]) if rng.random() < 0.2 else ":" for axis in cell.shape]
    text = f"tl.{cell.dtype}[{', '.join(axes)}]" if axes else f"tl.{cell.dtype}"
    return Parameter(cell, f"tl.In[{text}]" if cell.is_read_only else text)


def procedure(d: Draft, name: str, cells: list[Cell], is_main: bool) -> str:
    """The text of a procedure, which those after it may call."""
    head = tuple(annotated(d.rng, each, d.sizes, is_main or d.chance(0.3)) for each in cells)
    inner = replace(d, cells=list(cells), counters=[], temporaries=[], reads=[], changes=[], lines=[])
    for _ in range(4):
        statements(inner)
        if inner.lines:
            break
    d.counter = inner.counter
    d.procedures.append(Procedure(name, head))
    lines = inner.lines or ["    pass"]
    return "\n".join([f"@tl.reversible\ndef {name}({', '.join(each.text for each in head)}):", *lines]) + "\n"


def draft_program(seed: int, attempt: int) -> Program:
    """The program of a seed; further attempts replace programs that the interpreter shows to be unfit."""
    rng = random.Random(f"reversible {seed} {attempt}")
    sizes = {"n": rng.randint(3, 6), "m": rng.randint(3, 4)}
    failing = rng.choices(list(FAILING), list(FAILING.values()))[0]
    d = Draft(rng, sizes, failing=failing)
    parts = [HEAD]
    for k in range(rng.choice((0, 0, 1))):
        parts.append(PURE.format(f"pure{k}", rng.choice(PURE_BODIES)))
        d.functions.append(f"pure{k}")
    for k in range(rng.choice((0, 0, 1, 1, 2))):
        parts.append(procedure(d, f"helper{k}", parameters(rng, False), False))
    parts.append(procedure(d, "generated", parameters(rng, True), True))
    checks = tuple(name for name, chance in CHANCES.items() if rng.random() < chance)
    return Program(seed, "\n\n".join(parts), d.procedures[-1].parameters, tuple(sizes.items()), checks)


__all__ = ["Stuck", "draft_program"]
