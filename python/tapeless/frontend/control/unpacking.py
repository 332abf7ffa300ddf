"""Several names for the parts of one value: those of a tuple, or the elements, or rows, of an array."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

from tapeless.errors import ShapeMismatch, TypeMismatch
from tapeless.frontend.indexing import extraction
from tapeless.frontend.values import integers
from tapeless.frontend.values.affine import Affine
from tapeless.frontend.values.value import Array, Pending, Tuple, Value, describe

if TYPE_CHECKING:
    from tapeless.frontend.translator import Translator

SEVERAL = (ast.Tuple, ast.List)


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
            for inner, part in zip(target.elts, parts(t, value, len(target.elts)), strict=True):
                bind(t, inner, part)
        else:
            raise t.error("a loop variable must be a name, or a tuple of names", "assign to this in the body")


def names(t: Translator, target: ast.expr) -> Iterator[tuple[str, Callable[[Value], Value]]]:
    """Each name of a loop variable, and how its part of a value is found."""
    if isinstance(target, ast.Name):
        yield target.id, lambda value: value
    elif isinstance(target, SEVERAL):
        for position, inner in enumerate(target.elts):
            for name, find in names(t, inner):
                yield name, _nested(t, len(target.elts), position, find)


def _nested(t: Translator, count: int, position: int, find: Callable[[Value], Value]) -> Callable[[Value], Value]:
    return lambda value: find(parts(t, value, count)[position])


def target_names(target: ast.expr) -> set[str]:
    """The names of a loop variable."""
    return {node.id for node in ast.walk(target) if isinstance(node, ast.Name)}
