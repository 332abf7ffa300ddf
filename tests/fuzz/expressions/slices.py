"""Rows, columns and strided slices."""

from __future__ import annotations

from fuzz.draft import Draft
from fuzz.expressions import write
from fuzz.expressions.integers import position
from fuzz.sizes import SLICES, Size, sliced
from fuzz.types import Type
from fuzz.writing import Stuck


def line(d: Draft, wanted: Type, depth: int) -> str:
    """A row, a column, or another line through an array of one more axis."""
    if wanted.rank > 2:
        raise Stuck
    axis, size = longer(d, wanted)
    sizes = (*wanted.sizes[:axis], size, *wanted.sizes[axis:])
    array = write.expression(d, wanted.shaped(*sizes), depth - 1 if d.chance(0.4) else 0)
    return f"{array}[{', '.join([':'] * axis + [position(d, size, depth - 2)])}]"


def longer(d: Draft, wanted: Type) -> tuple[int, Size]:
    """An axis to add: one of a variable that has all others, or any."""
    axes = [
        (axis, each.type.sizes[axis])
        for each in d.scope.variables
        for axis in range(each.type.rank)
        if wanted.sizes == (*each.type.sizes[:axis], *each.type.sizes[axis + 1 :]) and each.type.dtype == wanted.dtype
    ]
    return d.pick(axes) if axes and d.chance(0.7) else (d.rng.randint(0, wanted.rank), d.size())


def part(d: Draft, wanted: Type, depth: int) -> str:
    """A slice of an array that is longer on one axis."""
    axis = d.rng.randrange(wanted.rank)
    known = sorted(set(d.scope.sizes()))
    source, text = d.pick([(s, text) for s in known for text in SLICES if sliced(s, text) == wanted.sizes[axis]])
    sizes = (*wanted.sizes[:axis], source, *wanted.sizes[axis + 1 :])
    array = write.expression(d, wanted.shaped(*sizes), depth - 1 if d.chance(0.4) else 0)
    return f"{array}[{', '.join([':'] * axis + [text])}]"


def rotated(d: Draft, wanted: Type, depth: int) -> str:
    array = write.expression(d, wanted, depth - 1)
    forms = ("tl.reverse({0})", "{0}[::-1]", "tl.concat(({0}[1:], {0}[:1]))", "tl.copy({0})", "{0}[:]")
    return d.pick(forms).format(array)
