"""The signature of a function of JAX, as trees of the language: their structures, and the order of their parts."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Sequence
from typing import Any

import jax

from tapeless.api.imports.places import Place, places_of
from tapeless.dataclasses_on_use import dataclass
from tapeless.errors import TypeMismatch
from tapeless.trees import leaves, mapped
from tapeless.types import ArrayType, Type, TypeTree, f32, from_numpy


@dataclass(frozen=True)
class Structured:
    """Trees of the language, one for each of some values; `order` has the positions of their leaves in JAX's order."""

    trees: tuple[TypeTree, ...]
    order: tuple[int, ...]


def structured(tree: Any, avals: Sequence[Any], names: Sequence[str]) -> Structured:
    """The structures that JAX flattened to `tree`, with the types of their parts."""
    values = jax.tree.unflatten(tree, [Place(position) for position in range(len(avals))])
    places = [places_of(value, name, "JAX") for value, name in zip(values, names, strict=True)]
    order = tuple(place.position for each in places for place in leaves(each))
    roles = {position: f"'{name}'" for name, each in zip(names, places, strict=True) for position in _positions(each)}
    trees = (mapped(each, lambda place: _type(avals[place.position], roles[place.position])) for each in places)
    return Structured(tuple(trees), order)


def _positions(tree: Any) -> list[int]:
    return [place.position for place in leaves(tree)]


def _type(aval: Any, role: str) -> Type:
    """The type of a part: numbers for arrays without axes."""
    try:
        dtype = from_numpy(aval.dtype)
    except TypeError:
        hint = next((hint for kind, hint in HINTS.items() if str(aval.dtype).startswith(kind)), "convert them")
        raise TypeMismatch(f"{role} has parts of {aval.dtype}, which functions do not have; {hint}") from None
    if aval.shape:
        return ArrayType(dtype, tuple(map(_size, aval.shape)))
    return f32 if dtype.is_half else dtype


HINTS = {
    "key<": "pass jax.random.PRNGKey(seed)",
    "complex": "pass, and return, real and imaginary parts as two arrays",
}
"""What to do about dtypes, by what their names begin with."""


def _size(size: Any) -> int | None:
    """A size that is known; symbolic ones are known only at run time."""
    return size if isinstance(size, int) else None


def parameter_names(function: Callable[..., Any], count: int) -> list[str]:
    """The names that a function gives its first arguments, as far as it does."""
    known: list[str] = []
    try:
        found = list(inspect.signature(function).parameters.values())
    except (TypeError, ValueError):
        found = []
    for each in found[:count]:
        if each.kind not in (each.POSITIONAL_ONLY, each.POSITIONAL_OR_KEYWORD):
            break
        known.append(each.name)
    return known + [f"arg{position}" for position in range(len(known), count)]
