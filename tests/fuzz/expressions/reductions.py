"""Numbers from arrays, and arrays from arrays of one more axis."""

from __future__ import annotations

from fuzz.draft import Draft
from fuzz.expressions import elements, operators, write
from fuzz.expressions.integers import inside
from fuzz.expressions.slices import longer
from fuzz.types import Type
from fuzz.writing import Stuck


def total(d: Draft, wanted: Type, depth: int) -> str:
    sizes = elements.some_shape(d, wanted)
    array = write.expression(d, wanted.shaped(*sizes), depth - 1)
    forms = ["tl.sum({})", "tl.sum({})", "{}.sum()", "tl.norm(1.5 + {})"]
    if min(min(size) for size in sizes) > 0:
        forms += ["tl.mean({})", "tl.logsumexp({})", "tl.prod(tl.sin({}))"]
    return d.pick(forms).format(array)


def product_of_vectors(d: Draft, wanted: Type, depth: int) -> str:
    type_ = wanted.shaped(d.size())
    left, right = (write.expression(d, type_, depth - 1) for _ in range(2))
    return d.pick(("tl.dot({}, {})", "({} @ {})")).format(left, right)


def extreme(d: Draft, wanted: Type, depth: int) -> str:
    array = write.expression(d, wanted.shaped(d.size(1)), depth - 1)
    return f"tl.{d.pick(('min', 'max'))}({array})"


def operator_reduction(d: Draft, wanted: Type, depth: int) -> str:
    type_ = wanted.shaped(d.size())
    op, neutral = operators.operator(d, type_)
    return f"tl.reduce({op}, {neutral}, {operators.tamed(type_, write.expression(d, type_, depth - 1))})"


def tuple_reduction(d: Draft, wanted: Type, depth: int) -> str:
    op, neutral, arrays, chosen = operators.several(d, wanted.shaped(d.size()), depth)
    return f"tl.reduce({op}, {neutral}, {arrays})[{chosen}]"


def of_part(d: Draft, wanted: Type, depth: int) -> str:
    """The sum of a part whose length a loop variable says."""
    size = d.size(1)
    array = write.expression(d, wanted.shaped(size), depth - 1 if d.chance(0.3) else 0)
    place = inside(d, size)
    return f"tl.sum({array}[{d.pick(('{}:', ':{}', ':{} + 1', '{} - 1:', '{}:{} + 2')).replace('{}', place)}])"


def along_axis(d: Draft, wanted: Type, depth: int) -> str:
    """Sums, means and extremes of rows or columns."""
    if wanted.rank > 2:
        raise Stuck
    axis, size = longer(d, wanted)
    sizes = (*wanted.sizes[:axis], size, *wanted.sizes[axis:])
    forms = ["sum", "sum", "sum"] + (["min", "max", "mean", "logsumexp"] if min(size) > 0 else [])
    array = write.expression(d, wanted.shaped(*sizes), depth - 1)
    return f"tl.{d.pick(forms)}({array}, axis={axis})"
