"""How an element gets its value: expressions of loads, numbers, and the element's previous value."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TypeAlias

from tapeless._mlir import ir
from tapeless.dataclasses_on_use import dataclass
from tapeless.passes.recipes.borders.index_terms import Place


@dataclass(frozen=True)
class Loaded:
    """An element of an array that nobody writes meanwhile."""

    array: ir.Value
    place: Place


@dataclass(frozen=True)
class Filled:
    """The number that all elements of a constant array have."""

    number: ir.Attribute


@dataclass(frozen=True)
class Given:
    """A value from outside."""

    value: ir.Value


@dataclass(frozen=True)
class Before:
    """The value of the element before the nest of a number."""

    nest: int


@dataclass(frozen=True)
class Applied:
    """An operation on numbers."""

    op: ir.Operation
    operands: tuple[Recipe, ...]


Recipe: TypeAlias = Loaded | Filled | Given | Before | Applied


def loads_of(recipe: Recipe) -> Iterator[Loaded]:
    """All elements that a recipe needs."""
    if isinstance(recipe, Loaded):
        yield recipe
    elif isinstance(recipe, Applied):
        for operand in recipe.operands:
            yield from loads_of(operand)
