"""Cells of a program: the same for the same seed, whichever parameters are left."""

from __future__ import annotations

import zlib
from typing import Any

import numpy as np

from reversible.generator.cells import Cell
from reversible.program import Program

Values = tuple[Any, ...]


def generator(program: Program, word: str) -> np.random.Generator:
    return np.random.default_rng([program.seed, zlib.crc32(word.encode())])


def arguments(program: Program) -> Values:
    sizes = dict(program.sizes)
    return tuple(_values(generator(program, each.name), each.cell, sizes) for each in program.parameters)


def _values(rng: np.random.Generator, cell: Cell, sizes: dict[str, int]) -> Any:
    shape = tuple(sizes[axis] for axis in cell.shape)
    if cell.is_float:
        found = np.asarray(rng.uniform(-1.4, 1.4, shape))
    elif cell.dtype == "bool_":
        found = np.asarray(rng.random(shape) < 0.5)
    elif cell.name.startswith("step"):
        found = np.asarray(rng.choice([-2, -1, 1, 2]))
    else:
        found = np.asarray(rng.integers(0, cell.bound or 4, shape))
    return found if found.ndim else found.item()


def direction(program: Program, word: str, values: Values) -> Values:
    """A random direction: as the values are for floats, zero of their type for everything else."""
    return tuple(_along(generator(program, f"{word} {k}"), value) for k, value in enumerate(values))


def _along(rng: np.random.Generator, value: Any) -> Any:
    array = np.asarray(value)
    if array.dtype.kind == "f":
        found = rng.uniform(-1.0, 1.0, array.shape)
        return found if array.ndim else float(found)
    return np.zeros_like(array) if array.ndim else array.dtype.type(0).item()
