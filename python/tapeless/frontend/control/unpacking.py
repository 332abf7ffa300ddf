"""Several names for the parts of one value: those of a tuple, or the elements, or rows, of an array."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING

from tapeless.errors import ShapeMismatch, TypeMismatch
from tapeless.frontend.indexing import extraction, slices
from tapeless.frontend.indexing.selections import Selection
from tapeless.frontend.indexing.slices import Span
from tapeless.frontend.values import integers
from tapeless.frontend.values.affine import Affine
from tapeless.frontend.values.value import Array, Pending, Rows, Tuple, Value, describe
from tapeless.trees import LIST_NODE

if TYPE_CHECKING:
    from tapeless.frontend.translator import Translator

SEVERAL = (ast.Tuple, ast.List)
MOST_ITEMS = 64
"""A rest of so many elements, if their number is known, is a list that is written out."""


def parts(t: Translator, value: Value, count: int) -> tuple[Value, ...]:
    """The parts of a value that is unpacked into some names."""
    if isinstance(value, (Array, Pending)):
        return _elements(t, t.array(value), count)
    if not isinstance(value, Tuple):
        raise t.error(f"{describe(value)} cannot be unpacked", "unpack tuples and arrays", TypeMismatch)
    if len(value.items) != count:
        raise t.error(
            f"a tuple of {len(value.items)} cannot be unpacked into {count} names",
            "use as many names as values",
            TypeMismatch,
        )
    return value.items


def matched(t: Translator, targets: Sequence[ast.expr], value: Value) -> list[tuple[ast.expr, Value]]:
    """Each of several targets with its part of a value; one with a star has a list of all that the others leave."""
    stars = [position for position, inner in enumerate(targets) if isinstance(inner, ast.Starred)]
    found = _with_rest(t, value, stars[0], len(targets)) if stars else parts(t, value, len(targets))
    plain = [inner.value if isinstance(inner, ast.Starred) else inner for inner in targets]
    return list(zip(plain, found, strict=True))


def _with_rest(t: Translator, value: Value, position: int, count: int) -> tuple[Value, ...]:
    """`first, *rest = x`: so many values, one of them a list."""
    after = count - 1 - position
    if isinstance(value, (Array, Pending, Rows)):
        return _elements_and_rest(t, value.array if isinstance(value, Rows) else t.array(value), position, after)
    if not isinstance(value, Tuple) or len(value.items) < count - 1:
        raise t.error(
            f"{describe(value)} cannot be unpacked into {count - 1} names and the rest",
            "unpack arrays, tuples and lists that are long enough",
            TypeMismatch,
        )
    end = len(value.items) - after
    return (*value.items[:position], Tuple(value.items[position:end], LIST_NODE), *value.items[end:])


def _elements_and_rest(t: Translator, array: Array, before: int, after: int) -> tuple[Value, ...]:
    """Elements, or rows, from both ends, and the list of those between: written out if their number is known."""
    size, least = array.dims[0], before + after
    rest = size - least
    if rest.is_constant and rest.constant < 0:
        raise t.error(
            f"an array of {size.constant} cannot be unpacked into {least} names and the rest",
            f"use an array of {least} elements or more",
            ShapeMismatch,
        )
    if not integers.is_nonnegative(t.builder, rest):
        given = integers.index_value(t.builder, size)
        is_enough = integers.compare(t.builder, "sge", given, t.builder.index(least))
        message = f"an array of {{}} cannot be unpacked into {least} names and the rest; use {least} elements or more"
        t.builder.check(is_enough, "ShapeMismatch", message, given)
        integers.assume(t.builder, rest)
    ends = [*map(Affine, range(before)), *(size - after + place for place in range(after))]
    found = [extraction.element(t, array, place) for place in ends]
    if rest.is_constant and rest.constant <= MOST_ITEMS:
        places = (Affine(before + place) for place in range(rest.constant))
        middle: Value = Tuple(tuple(extraction.element(t, array, place) for place in places), LIST_NODE)
    else:
        spans = [Span(Affine(before), rest, 1), *map(slices.whole, array.dims[1:])]
        middle = Rows(t.array(extraction.select(t, array, Selection(tuple(spans), ()))))
    return (*found[:before], middle, *found[before:])


def _elements(t: Translator, array: Array, count: int) -> tuple[Value, ...]:
    size, builder = array.dims[0], t.builder
    if size.is_constant and size.constant != count:
        raise t.error(
            f"an array of {size.constant} cannot be unpacked into {count} names",
            "use as many names as elements, or read them with a[i]",
            ShapeMismatch,
        )
    if not size.is_constant:
        given = integers.index_value(builder, size)
        is_equal = integers.compare(builder, "eq", given, builder.index(count))
        message = f"an array of {{}} cannot be unpacked into {count} names; use as many names as elements"
        builder.check(is_equal, "ShapeMismatch", message, given)
        integers.assume(builder, size - count)
        integers.assume(builder, -size + count)
    return tuple(extraction.element(t, array, Affine(position)) for position in range(count))


def bind(t: Translator, target: ast.expr, value: Value) -> None:
    """Gives the names of a loop variable their parts of a value."""
    with t.at(target):
        if isinstance(target, ast.Name):
            t.frame.names[target.id] = value
        elif isinstance(target, SEVERAL):
            for inner, part in matched(t, target.elts, value):
                bind(t, inner, part)
        else:
            raise t.error("a loop variable must be a name, or a tuple of names", "assign to this in the body")


def names(t: Translator, target: ast.expr) -> Iterator[tuple[str, Callable[[Value], Value]]]:
    """Each name of a loop variable, and how its part of a value is found."""
    if isinstance(target, ast.Name):
        yield target.id, lambda value: value
    elif isinstance(target, SEVERAL):
        for position, inner in enumerate(target.elts):
            for name, find in names(t, inner.value if isinstance(inner, ast.Starred) else inner):
                yield name, _nested(t, target.elts, position, find)


def _nested(
    t: Translator, targets: Sequence[ast.expr], position: int, find: Callable[[Value], Value]
) -> Callable[[Value], Value]:
    return lambda value: find(matched(t, targets, value)[position][1])


def target_names(target: ast.expr) -> set[str]:
    """The names of a loop variable."""
    return {node.id for node in ast.walk(target) if isinstance(node, ast.Name)}
