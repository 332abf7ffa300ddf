"""Versions of a function for axes that turn out to have size 1 at run time, along which numpy's rule broadcasts."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tapeless.runtime.calling.arguments import as_array
from tapeless.signature import Parameter
from tapeless.types import ArrayType, Type


def with_unit_axes(types: Sequence[Type], parameters: Sequence[Parameter], values: Sequence[Any]) -> tuple[Type, ...]:
    """The types with a fixed size of 1 on every open axis that has size 1 in these values: `tl.f64[:, 1]`.

    Unchanged when there is no such axis, or when a value does not have a size that its type fixes.
    """
    refined = tuple(
        _refined(given, as_array(value, parameter.name).shape) if isinstance(given, ArrayType) else given
        for given, parameter, value in zip(types, parameters, values, strict=True)
    )
    return tuple(types) if None in refined else tuple(each for each in refined if each is not None)


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
