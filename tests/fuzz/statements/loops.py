"""Loops of known and unknown length, with hints, over rows, and while a condition holds."""

from __future__ import annotations

from collections.abc import Callable

from fuzz.draft import Draft
from fuzz.expressions.integers import condition
from fuzz.scope import Variable
from fuzz.sizes import Size
from fuzz.statements import write
from fuzz.types import BOOL, Type, integers

HINTS = ("", "", "", "", "", ", stripmine=2", ", stripmine=3", ", budget=40")
UNROLLED = (", unroll=True",)
FORWARD = ("range({n})", "range({n})", "range(1, {n})", "range(0, {n}, 2)", "range({n} - 1)")
BACKWARD = ("range({n} - 1, -1, -1)", "range({n} - 1, 0, -1)")
LONGEST = 60
Body = Callable[[Draft], object]


def repeated(d: Draft, bounds: str, bound: Size, body: Body | None = None) -> None:
    """`for i in range(...)`, sometimes with hints; loops with hints are never left early."""
    hint, name = d.pick(HINTS + UNROLLED if bounds[6:-1].isdigit() else HINTS), d.fresh("i")
    form = bounds.replace("range(", "tl.range(")[:-1] + hint + ")" if hint else bounds
    d.add(f"for {name} in {form}:")
    with d.block(Variable(name, integers(bound=bound), is_writable=False), may_leave=not hint):
        (body or write.block)(d)


def known_trips(d: Draft) -> tuple[str, Size]:
    """A number of iterations that the text says."""
    trips = d.rng.choice((0, 1, 2, 2, 3, 3, 4))
    return f"range({trips})", d.constant_size(max(trips, 1))


def axis_trips(d: Draft) -> tuple[str, Size]:
    """One iteration for each index of an axis."""
    size = d.pick([size for size in d.scope.sizes() if size[0] <= LONGEST])
    return d.pick(FORWARD + BACKWARD).replace("{n}", d.size_text(size)), size


def counted(d: Draft) -> None:
    repeated(d, *known_trips(d))


def over_axis(d: Draft) -> None:
    repeated(d, *axis_trips(d))


def over_rows(d: Draft) -> None:
    """The elements or rows of an array as it was when the loop began."""
    arrays = d.scope.like(lambda variable: variable.type.rank > 0 and variable.type.sizes[0][0] <= LONGEST)
    array = d.pick(arrays)
    row = Type(array.type.dtype, array.type.sizes[1:], array.type.bound)
    name = d.fresh("row")
    d.add(f"for {name} in {array.name}:")
    with d.block(Variable(name, row, is_writable=False), may_leave=True):
        write.block(d)


def while_counted(d: Draft, body: Body | None = None) -> None:
    """At most a few iterations, while a condition on the data holds."""
    count, most = d.fresh("count"), d.rng.randint(2, 4)
    test = f"{count} < {most}" + (f" and {condition(d, BOOL, 2)}" if d.chance(0.7) else "")
    d.add(f"{count} = 0")
    d.add(f"while tl.bounded({test}, {most + 2}):" if d.chance(0.3) else f"while {test}:")
    with d.block(Variable(count, integers(bound=d.constant_size(most)), is_writable=False), may_leave=False):
        body(d) if body else write.block(d, 2)
        d.add(f"{count} += 1")
