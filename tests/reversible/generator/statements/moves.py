"""Statements without an accumulated value: swaps, signs, reciprocals, rotations, stacks."""

from __future__ import annotations

from fuzz.writing import Stuck
from reversible.generator.cells import Cell
from reversible.generator.draft import Draft
from reversible.generator.expressions.places import Place, always_meet, element, line
from reversible.generator.expressions.scalars import scalar


def pair(d: Draft, dtype: str) -> tuple[Place, Place]:
    """Two different cells of one shape, or two places of one array."""
    a, b = (place(d, d.pick(d.writable(dtype))) for _ in range(2))
    if a.shape != b.shape or always_meet(d, a, b):
        raise Stuck
    return a, b


def place(d: Draft, cell: Cell) -> Place:
    """All of a cell, an element, or a line."""
    if len(cell.shape) == 2 and d.chance(0.3):
        return line(d, cell, d.pick(cell.shape))
    return Place(cell, cell.name, cell.shape) if d.chance(0.3) else element(d, cell)


def swap(d: Draft) -> None:
    a, b = pair(d, d.rng.choice(("f64", "f64", "f64", "i64", "bool_")))
    d.add(f"{a.text}, {b.text} = {b.text}, {a.text}")
    d.written(a.cell.name, b.cell.name)


def negate(d: Draft) -> None:
    target = place(d, d.pick(d.writable(d.rng.choice(("f64", "f64", "i64")))))
    d.add(f"{target.text} = -{target.text}")
    d.written(target.cell.name)


def reciprocal(d: Draft) -> None:
    target = place(d, d.pick(d.writable("f64")))
    d.add(f"tl.recip({target.text})")
    d.written(target.cell.name)


def rotate(d: Draft) -> None:
    a, b = pair(d, "f64")
    with d.hiding(a.cell.name, b.cell.name):
        angle = scalar(d)
    d.add(f"tl.rot({a.text}, {b.text}, {angle})")
    d.written(a.cell.name, b.cell.name)


def hadamard(d: Draft) -> None:
    a, b = pair(d, "f64")
    d.add(f"tl.hadamard({a.text}, {b.text})")
    d.written(a.cell.name, b.cell.name)


MOVES = {swap: 4, negate: 3, reciprocal: 1, rotate: 3, hadamard: 2}
