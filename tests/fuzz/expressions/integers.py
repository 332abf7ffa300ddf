"""Integers and bools: positions that lie inside an axis, keys that may lie outside, conditions."""

from __future__ import annotations

from fuzz.draft import Draft
from fuzz.expressions import write
from fuzz.expressions.kinds import Table
from fuzz.sizes import Size
from fuzz.types import Type, floats
from fuzz.types import integers as integer_type
from fuzz.writing import Stuck


def expression(d: Draft, wanted: Type, depth: int) -> str:
    """A bool or an integer, scalar or array."""
    if wanted.dtype == "bool_":
        return condition(d, wanted, depth)
    if wanted.rank == 0:
        return position(d, wanted.bound, depth) if wanted.bound else number(d, depth)
    if wanted.rank == 1:
        return str(d.first_that_works(KEYS, wanted, depth))
    return write.leaf(d, wanted)


def condition(d: Draft, wanted: Type, depth: int) -> str:
    value = write.expression(d, floats(*wanted.sizes), depth - 1)
    return f"({value} {d.pick('<>')} {d.rng.choice((0.1234, -0.321, 0.4177))})"


def number(d: Draft, depth: int) -> str:
    """Any integer of moderate size."""
    forms = [variable.name for variable in d.scope.of_type(integer_type())] or ["3"]
    a, b = d.pick(forms), d.pick(forms)
    return d.pick(
        (a, f"({a} + {b})", f"({a} - {b}) % 7", f"({a} * 3 + 1) // 2 % 11", f"min({a}, {b})", str(d.rng.randint(0, 5)))
    )


def position(d: Draft, size: Size, depth: int) -> str:
    """An integer that is a valid index of an axis; negative ones count from the end."""
    if min(size) < 1:
        return inside(d, size)
    if d.chance(0.45 if d.indent == 1 else 0.25):
        return str(d.rng.randrange(-min(min(size), 3), min(min(size), 3)))
    return str(d.first_that_works(POSITIONS, size, depth))


def inside(d: Draft, size: Size, depth: int = 0) -> str:
    """A variable that is in range, such as that of a loop over the axis."""
    return d.pick(d.scope.of_type(integer_type(bound=size))).name


def counted_back(d: Draft, size: Size, depth: int) -> str:
    return d.pick(("-1 - {}", "{} - 1")).format(inside(d, size))


def remainder(d: Draft, size: Size, depth: int) -> str:
    return f"({number(d, depth)}) % {d.size_text(size)}"


def of_extreme(d: Draft, size: Size, depth: int) -> str:
    return f"tl.{d.pick(('argmin', 'argmax'))}({write.expression(d, floats(size), depth - 1)})"


def of_row_extreme(d: Draft, size: Size, depth: int) -> str:
    """One element of a row-wise position."""
    rows = d.size(1)
    matrix = write.expression(d, floats(rows, size), depth - 1)
    return f"tl.{d.pick(('argmin', 'argmax'))}({matrix}, axis=1)[{position(d, rows, 0)}]"


def of_order(d: Draft, size: Size, depth: int) -> str:
    return f"tl.argsort({write.expression(d, floats(size), depth - 1)})[{position(d, size, 0)}]"


POSITIONS = {inside: 7, counted_back: 2, remainder: 2, of_extreme: 2, of_row_extreme: 1, of_order: 1}


def order(d: Draft, wanted: Type, depth: int) -> str:
    """A permutation."""
    if wanted.bound is not None and wanted.bound != wanted.sizes[0]:
        raise Stuck
    return f"tl.argsort({write.expression(d, floats(*wanted.sizes), depth - 1)})"


def counted(d: Draft, wanted: Type, depth: int) -> str:
    if wanted.bound is not None and wanted.bound != wanted.sizes[0]:
        raise Stuck
    text = d.size_text(wanted.sizes[0])
    return d.pick((f"tl.iota({text})", f"({text} - 1 - tl.iota({text}))"))


def remainders(d: Draft, wanted: Type, depth: int) -> str:
    """Integers of any size, brought into range."""
    if wanted.bound is None or min(wanted.bound) < 1:
        raise Stuck
    keys = d.pick(d.scope.of_type(integer_type(*wanted.sizes))).name
    return f"(({keys} + {d.rng.randint(0, 3)}) % {d.size_text(wanted.bound)})"


def variable(d: Draft, wanted: Type, depth: int) -> str:
    return d.pick(d.scope.of_type(wanted)).name


def row_extremes(d: Draft, wanted: Type, depth: int) -> str:
    columns = wanted.bound or d.size(1)
    if min(columns) < 1:
        raise Stuck
    return f"tl.argmax({write.expression(d, floats(*wanted.sizes, columns), depth - 1)}, axis=1)"


KEYS: Table = {variable: 5, order: 2, counted: 2, remainders: 2, row_extremes: 1}
