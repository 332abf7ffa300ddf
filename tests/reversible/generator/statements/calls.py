"""Calls of other procedures and of their inverses."""

from __future__ import annotations

from fuzz.writing import Stuck
from reversible.generator.cells import Cell
from reversible.generator.draft import Draft
from reversible.generator.expressions.places import Place, element, line
from reversible.generator.expressions.scalars import scalar


def call(d: Draft) -> None:
    """With cells that have nothing in common."""
    if d.is_simple:
        raise Stuck
    procedure = d.pick(d.procedures)
    used: list[str] = []
    given: list[str] = []
    changed: list[str] = []
    for parameter in sorted(procedure.parameters, key=lambda each: each.cell.is_read_only):
        text, name = _argument(d, parameter.cell, used, changed)
        used += [name] if name else []
        changed += [name] if name and not parameter.cell.is_read_only else []
        given.append(text)
    ordered = dict(zip(sorted(procedure.parameters, key=lambda each: each.cell.is_read_only), given, strict=True))
    callee = procedure.name if d.chance(0.6) else f"(~{procedure.name})"
    d.add(f"{callee}({', '.join(ordered[each] for each in procedure.parameters)})")
    d.read(*used)
    d.written(*changed)


def _argument(d: Draft, parameter: Cell, used: list[str], changed: list[str]) -> tuple[str, str]:
    """What is given for a parameter, and the cell it belongs to, if any."""
    if parameter.bound is not None and not parameter.shape:
        return _bounded(d, parameter.bound), ""
    if parameter.name.startswith("step"):
        return str(d.rng.choice((-2, -1, 1, 2))), ""
    if not parameter.is_read_only:
        found = _part(d, [each for each in d.writable(parameter.dtype) if each.name not in used], parameter)
        return found.text, found.cell.name
    if not parameter.shape and parameter.is_float and d.chance(0.4):
        with d.hiding(*changed):
            return scalar(d, 1), ""
    cells = [each for each in d.readable(parameter.dtype) if each.name not in changed and each.bound == parameter.bound]
    found = _part(d, cells, parameter)
    return found.text, found.cell.name


def _part(d: Draft, cells: list[Cell], parameter: Cell) -> Place:
    """A cell that fits, or an element, a row or a column that does."""
    fitting = [each for each in cells if each.fits(parameter)]
    arrays = [each for each in cells if each.dtype == parameter.dtype and len(each.shape) > len(parameter.shape)]
    if fitting and (d.chance(0.75) or not arrays):
        chosen = d.pick(fitting)
        return Place(chosen, chosen.name, chosen.shape)
    chosen = d.pick(arrays)
    return line(d, chosen, parameter.shape[0]) if parameter.shape else element(d, chosen)


def _bounded(d: Draft, bound: int) -> str:
    counters = [each.name for each in d.counters if each.smallest >= 0 and each.largest < bound]
    return d.pick(counters) if counters and d.chance(0.5) else str(d.rng.randrange(bound))
