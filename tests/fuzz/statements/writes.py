"""Elements, rows, columns and slices of arrays that get values."""

from __future__ import annotations

from fuzz.draft import Draft
from fuzz.expressions import expression
from fuzz.expressions.integers import position
from fuzz.scope import Variable
from fuzz.sizes import SLICES, sliced
from fuzz.statements.assignments import tamed
from fuzz.types import Type

OPERATORS = ("=", "=", "+=", "-=", "*=")
DEPTH = 3


def target(d: Draft, least_rank: int = 1) -> Variable:
    """An array to write, more often one that was made lately."""
    found = d.scope.writable(lambda type_: type_.is_float and type_.rank >= least_rank)
    return d.pick(found[-4:] if d.chance(0.5) else found)


def store(d: Draft, place: str, type_: Type) -> None:
    """A value, or a scalar for all elements, into a place."""
    kind = type_.shaped() if d.chance(0.12) else type_
    d.add(f"{place} {d.pick(OPERATORS)} {tamed(d, kind, expression(d, kind, DEPTH))}")


def element(d: Draft) -> None:
    array = target(d)
    places = ", ".join(position(d, size, 1) for size in array.type.sizes)
    store(d, f"{array.name}[{places}]", array.type.shaped())


def line(d: Draft) -> None:
    """A row, a column, or another line."""
    array = target(d, least_rank=2)
    store(d, *a_line(d, array, d.rng.randrange(array.type.rank)))


def a_line(d: Draft, array: Variable, axis: int) -> tuple[str, Type]:
    sizes = array.type.sizes
    place = f"{array.name}[{', '.join([':'] * axis + [position(d, sizes[axis], 1)])}]"
    return place, array.type.shaped(*sizes[:axis], *sizes[axis + 1 :])


def part(d: Draft) -> None:
    array = target(d)
    store(d, *a_part(d, array, d.rng.randrange(array.type.rank), d.pick(SLICES)))


def a_part(d: Draft, array: Variable, axis: int, text: str) -> tuple[str, Type]:
    sizes = array.type.sizes
    place = f"{array.name}[{', '.join([':'] * axis + [text])}]"
    return place, array.type.shaped(*sizes[:axis], sliced(sizes[axis], text), *sizes[axis + 1 :])


def whole(d: Draft) -> None:
    array = target(d)
    store(d, f"{array.name}[:]", array.type)
