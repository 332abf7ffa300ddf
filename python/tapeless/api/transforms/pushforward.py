"""Functions of primals and tangents that compute a derivative along the tangents."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from tapeless.api.function import TapelessFunction
from tapeless.api.parameters import argument_types
from tapeless.api.transforms.derive import derive
from tapeless.errors import ArgumentError, ShapeMismatch
from tapeless.methods import MethodChoice
from tapeless.runtime.calling.parameters import bind_call
from tapeless.signature import REQUIRED, Parameter
from tapeless.types import ArrayType, Type


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
    moving = [k for k, type_ in enumerate(types) if is_float(type_)]
    _check_fixed(parameters, tangents, moving)
    _check_shapes([(parameters[k].name, primals[k], tangents[k]) for k in moving])
    places = {k: f"p{len(primals) + position}" for position, k in enumerate(moving)}
    values = ", ".join(f"p{k}" for k in range(len(primals)))
    directions = ", ".join(places.get(k, "0") for k in range(len(primals)))
    pair = f"({values},), ({directions},)" if is_tuple else f"{values}, {directions}"
    taken = [Parameter(each.name, type_, REQUIRED) for each, type_ in zip(parameters, types, strict=True)]
    taken += [Parameter(f"the tangent of {parameters[k].name}", types[k], REQUIRED) for k in moving]
    name = kind.__name__
    made = derive(f, name, f"{name}(f, {pair}, {method.written}){part}", taken, {name: kind})
    return made, [*primals, *(tangents[k] for k in moving)]


def is_float(type_: Type) -> bool:
    """Whether values of a type have derivatives."""
    return (type_.dtype if isinstance(type_, ArrayType) else type_).is_float


def _check_fixed(parameters: Sequence[Parameter], tangents: Sequence[Any], moving: Sequence[int]) -> None:
    for k, tangent in enumerate(tangents):
        if k not in moving and np.any(tangent):
            raise ArgumentError(f"the tangent of '{parameters[k].name}', which is no float, is not zero; give zeros")


def _check_shapes(pairs: Sequence[tuple[str, Any, Any]]) -> None:
    """Refuses tangents of another size than their primal; another rank or dtype is found with the other arguments."""
    for name, primal, tangent in pairs:
        arrays = isinstance(primal, np.ndarray) and isinstance(tangent, np.ndarray)
        if arrays and primal.ndim == tangent.ndim and primal.shape != tangent.shape:
            raise ShapeMismatch(
                f"the tangent of {name} has shape {tangent.shape}, and {name} {primal.shape}; give it that shape"
            )
