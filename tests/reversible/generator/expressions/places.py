"""Cells and parts of cells by name: elements, rows, columns and slices."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from fuzz.writing import Stuck
from reversible.generator.cells import Cell, Shape
from reversible.generator.draft import Draft

FORWARD_SLICES = ("1:", ":-1", "::2", "1::2", "-2:", ":2")
SLICES = (*FORWARD_SLICES, "::-1")
SAMPLES = 12


@dataclass(frozen=True)
class Place:
    """A cell, or a part of one; `length` is that of a slice, whose axis has no name."""

    cell: Cell
    text: str
    shape: Shape
    length: int | None = None


def index(d: Draft, axis: str) -> str:
    """A position of an axis."""
    size = d.sizes[axis]
    fitting = [each.name for each in d.counters if each.smallest >= 0 and each.largest < size]
    bounded = [each for each in d.readable("i64", ()) if each.bound is not None and each.bound <= size]
    if fitting and d.chance(0.75):
        name = d.pick(fitting)
        return d.rng.choice((name, name, name, f"{size - 1} - {name}", f"({name} + 1) % {size}", f"-{name} - 1"))
    if bounded and d.chance(0.4):
        chosen = d.pick(bounded)
        d.read(chosen.name)
        return chosen.name
    if d.chance(0.25) and (text := gathered(d, size)):
        return text
    return str(d.rng.randrange(-size, size))


def gathered(d: Draft, size: int) -> str:
    """A position that stands in an array of positions."""
    found = [
        each for each in d.readable("i64") if each.bound is not None and each.bound <= size and len(each.shape) == 1
    ]
    if not found:
        return ""
    chosen = d.pick(found)
    d.read(chosen.name)
    return f"{chosen.name}[{index(d, chosen.shape[0])}]"


def element(d: Draft, cell: Cell) -> Place:
    """An element of an array, or the scalar."""
    if not cell.shape:
        return Place(cell, cell.name, ())
    return Place(cell, f"{cell.name}[{', '.join(index(d, axis) for axis in cell.shape)}]", ())


def line(d: Draft, cell: Cell, axis: str) -> Place:
    """A row or a column of a matrix, along an axis."""
    choices = []
    if len(cell.shape) == 2 and cell.shape[1] == axis:
        choices.append(f"{cell.name}[{index(d, cell.shape[0])}]")
    if len(cell.shape) == 2 and cell.shape[0] == axis:
        choices.append(f"{cell.name}[:, {index(d, cell.shape[1])}]")
    return Place(cell, d.pick(choices), (axis,))


def sliced(d: Draft, cell: Cell, slices: Sequence[str] = tuple(SLICES)) -> Place:
    """A part of a vector, or of a row."""
    text = d.pick(slices)
    if len(cell.shape) == 1:
        return Place(cell, f"{cell.name}[{text}]", (), _length(d.sizes[cell.shape[0]], text))
    if len(cell.shape) == 2:
        return Place(cell, f"{cell.name}[{index(d, cell.shape[0])}, {text}]", (), _length(d.sizes[cell.shape[1]], text))
    raise Stuck


def _length(size: int, text: str) -> int:
    return len(eval(f"range({size})[{text}]"))


def always_meet(d: Draft, a: Place, b: Place) -> bool:
    """Whether two places of one cell have an element in common whatever the indices are."""
    return a.cell == b.cell and all(_meet(d, a, b) for _ in range(SAMPLES))


def _meet(d: Draft, a: Place, b: Place) -> bool:
    """For some values of what stands in the indices."""
    shape = [d.sizes[axis] for axis in a.cell.shape]
    numbered = np.arange(np.prod(shape, dtype=int)).reshape(shape)
    names: dict[str, Any] = {each.name: d.rng.randint(each.smallest, each.largest) for each in d.counters}
    for each in d.cells:
        if each.bound is not None:
            drawn = [d.rng.randrange(each.bound) for _ in range(d.sizes[each.shape[0]] if each.shape else 1)]
            names[each.name] = drawn if each.shape else drawn[0]
    first, second = (np.ravel(eval(place.text, {**names, a.cell.name: numbered})) for place in (a, b))
    return bool(set(first.tolist()) & set(second.tolist()))
