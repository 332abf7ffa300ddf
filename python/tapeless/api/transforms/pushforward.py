"""Functions of primals and tangents that compute a derivative along the tangents."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from tapeless.api.decorated import TapelessFunction
from tapeless.api.parameters import argument_types
from tapeless.api.transforms.derive import derive
from tapeless.errors import ArgumentError, ShapeMismatch
from tapeless.methods import MethodChoice
from tapeless.runtime.calling.parameters import bind_call
from tapeless.runtime.calling.structured import difference, leaves_like
from tapeless.signature import REQUIRED, Parameter
from tapeless.trees import leaves, named_leaves
from tapeless.types import ArrayType, ScalarType, Type, TypeTree


def along(
    f: TapelessFunction,
    kind: Callable[..., Any],
    primals: Sequence[Any],
    tangents: Sequence[Any],
    method: MethodChoice,
    *,
    is_tuple: bool,
    part: str = "",
) -> tuple[TapelessFunction, list[Any]]:
    """`kind(f, primals, tangents)` as a function of primals and of the tangents of floats, and its arguments.

    `part` is an index such as `[1]` that picks what the function returns.
    """
    bind_call(f.source.name, f.source.parameters, primals, {})
    parameters = f.source.parameters[: len(primals)]
    types = argument_types(parameters, primals)
    moving = [k for k, type_ in enumerate(types) if any(map(is_float, leaves(type_)))]
    for parameter, primal, tangent, type_ in zip(parameters, primals, tangents, types, strict=True):
        _check_tangent(parameter.name, primal, tangent, type_)
    places = {k: f"p{len(primals) + position}" for position, k in enumerate(moving)}
    values = ", ".join(f"p{k}" for k in range(len(primals)))
    directions = ", ".join(places.get(k, "0") for k in range(len(primals)))
    pair = f"({values},), ({directions},)" if is_tuple else f"{values}, {directions}"
    taken = [Parameter(each.name, known(type_), REQUIRED) for each, type_ in zip(parameters, types, strict=True)]
    taken += [Parameter(f"the tangent of {parameters[k].name}", known(types[k]), REQUIRED) for k in moving]
    name = kind.__name__
    made = derive(f, name, f"{name}(f, {pair}, {method.written}){part}", taken, {name: kind})
    return made, [*primals, *(tangents[k] for k in moving)]


def is_float(type_: Type) -> bool:
    """Whether values of a type have derivatives."""
    return (type_.dtype if isinstance(type_, ArrayType) else type_).is_float


def known(type_: TypeTree) -> Type | None:
    """The type of a parameter that takes values of a type; None where these are structures, which calls tell."""
    return type_ if isinstance(type_, (ScalarType, ArrayType)) else None


def _check_tangent(name: str, primal: Any, tangent: Any, type_: TypeTree) -> None:
    """Refuses tangents of another structure or size than their primal, and of integers other than zeros.

    Another rank or dtype is found with the other arguments. What has no floats may have None as its tangent.
    """
    if tangent is None and not any(map(is_float, leaves(type_))):
        return
    problem = difference(type_, tangent, f"the tangent of {name}")
    if problem is not None:
        raise ArgumentError(f"{problem}; a tangent has the structure of its argument")
    primals, directions = leaves_like(type_, primal), leaves_like(type_, tangent)
    for (path, leaf), value, direction in zip(named_leaves(type_, name), primals, directions, strict=True):
        if not is_float(leaf) and np.any(direction):
            raise ArgumentError(f"the tangent of '{path}', which is no float, is not zero; give zeros")
        are_arrays = isinstance(value, np.ndarray) and isinstance(direction, np.ndarray)
        if is_float(leaf) and are_arrays and value.ndim == direction.ndim and value.shape != direction.shape:
            raise ShapeMismatch(
                f"the tangent of {path} has shape {direction.shape}, and {path} {value.shape}; give it that shape"
            )
