"""Places that exchange their values, and values that are read before a write and used after it."""

from __future__ import annotations

from fuzz.draft import Draft
from fuzz.expressions import expression
from fuzz.expressions.integers import position
from fuzz.sizes import sliced
from fuzz.statements.writes import a_line, a_part, target
from fuzz.types import Type
from fuzz.writing import Stuck

PAIRS = ((":2", "2:4"), ("::2", "1::2"), ("1:", ":-1"), (":2", "-2:"), ("1::2", "::2"))


def exchanged(d: Draft, first: str, second: str) -> None:
    """A swap, or one with a change on the way."""
    left, right = d.pick((("{}", "{}"), ("tl.sin({})", "{}"), ("{} * 0.5", "{} + {}")))
    values = left.format(second), right.replace("{}", first)
    d.add(f"{first}, {second} = {values[0]}, {values[1]}")


def elements(d: Draft) -> None:
    array = target(d)
    places = [", ".join(position(d, size, 1) for size in array.type.sizes) for _ in range(2)]
    exchanged(d, *(f"{array.name}[{place}]" for place in places))


def lines(d: Draft) -> None:
    array = target(d, least_rank=2)
    axis = d.rng.randrange(array.type.rank)
    exchanged(d, *(a_line(d, array, axis)[0] for _ in range(2)))


def parts(d: Draft) -> None:
    """Slices of equal size; they may overlap."""
    array = target(d)
    axis = d.rng.randrange(array.type.rank)
    size = array.type.sizes[axis]
    first, second = d.pick([pair for pair in PAIRS if sliced(size, pair[0]) == sliced(size, pair[1])])
    exchanged(d, *(a_part(d, array, axis, text)[0] for text in (first, second)))


def kept(d: Draft) -> None:
    """`row = a[0]; a[0] = e; a[1] = row`."""
    array = target(d)
    if array.type.rank > 1:
        axis = d.rng.randrange(array.type.rank)
        (first, type_), (second, _) = a_line(d, array, axis), a_line(d, array, axis)
    else:
        first, second = (f"{array.name}[{position(d, array.type.sizes[0], 1)}]" for _ in range(2))
        type_ = array.type.shaped()
    keep_and_write(d, first, second, type_)


def keep_and_write(d: Draft, first: str, second: str, type_: Type) -> None:
    if type_.rank > 2:
        raise Stuck
    before = d.assign_new("old", type_, first)
    d.add(f"{first} {d.pick(('=', '+=', '*='))} {expression(d, type_, 2)}")
    d.add(f"{second} {d.pick(('=', '+='))} {before.name}")
