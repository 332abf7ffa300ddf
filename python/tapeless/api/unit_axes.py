"""Versions of a function for axes that turn out to have size 1 at run time, along which numpy's rule broadcasts."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tapeless.runtime.calling.arguments import as_array
from tapeless.signature import Parameter
from tapeless.trees import filled, leaves, named_leaves, read
from tapeless.types import ArrayType, TypeTree


def with_unit_axes(
    types: Sequence[TypeTree], parameters: Sequence[Parameter], values: Sequence[Any]
) -> tuple[TypeTree, ...]:
    """The types with a fixed size of 1 on every open axis that has size 1 in these values: `tl.f64[:, 1]`.

    Unchanged when there is no such axis, or when a value does not have a size that its type fixes.
    """
    given = [
        each
        for type_, parameter, value in zip(types, parameters, values, strict=True)
        for each in zip(leaves(type_), named_leaves(read(value, parameter.name, _kept), parameter.name), strict=True)
    ]
    refined = [
        _refined(type_, as_array(value, name).shape) if isinstance(type_, ArrayType) else type_
        for type_, (name, value) in given
    ]
    return tuple(types) if None in refined else filled(tuple(types), iter(refined))


def _kept(value: Any, _name: str) -> Any:
    return value


def _refined(given: ArrayType, sizes: tuple[int, ...]) -> ArrayType | None:
    """None if the sizes do not fit the type."""
    if len(sizes) != given.rank or any(
        fixed not in (None, size) for fixed, size in zip(given.shape, sizes, strict=True)
    ):
        return None
    if 1 not in sizes:
        return given
    return ArrayType(
        given.dtype, tuple(1 if size == 1 else fixed for fixed, size in zip(given.shape, sizes, strict=True))
    )
