"""Single elements, of variables and of results that are computed for them."""

from __future__ import annotations

from fuzz.draft import Draft
from fuzz.expressions import write
from fuzz.expressions.integers import condition, position
from fuzz.sizes import Size
from fuzz.types import BOOL, Type


def element(d: Draft, wanted: Type, depth: int) -> str:
    """`x[i]`, `m[i, j]`, `(m @ x)[0]`, `m[i][j]`."""
    sizes = some_shape(d, wanted)
    array = write.expression(d, wanted.shaped(*sizes), depth - 1 if d.chance(0.5) else 0)
    places = [position(d, size, depth - 2) for size in sizes]
    return f"{array}[{', '.join(places)}]" if d.chance(0.8) else array + "".join(f"[{place}]" for place in places)


def some_shape(d: Draft, wanted: Type) -> tuple[Size, ...]:
    """The shape of a variable, or a new one."""
    known = d.scope.like(lambda variable: variable.type.rank > 0 and variable.type.dtype == wanted.dtype)
    if known and d.chance(0.7):
        return d.pick(known).type.sizes
    return tuple(d.size() for _ in range(d.weighted({1: 6, 2: 4, 3: 1})))


def conditional(d: Draft, wanted: Type, depth: int) -> str:
    chosen, other = (write.expression(d, wanted, depth - 1) for _ in range(2))
    return f"({chosen} if {condition(d, BOOL, depth - 1)} else {other})"
