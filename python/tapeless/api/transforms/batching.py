"""`tl.vmap`: a function on every slice of its arguments."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np

from tapeless.annotations import with_axis
from tapeless.api.decorated import TapelessFunction
from tapeless.api.transforms.derive import applied, as_function
from tapeless.errors import ArgumentError
from tapeless.lang import in_language
from tapeless.signature import REQUIRED, Parameter
from tapeless.tracebacks import user_facing
from tapeless.trees import described, opened, step
from tapeless.types import ArrayType, Type, strong

# An axis, None, or a structure of them; as a tuple or a list, one for each argument.
Axes = Any


@in_language
@user_facing
def vmap(f: Callable[..., Any], in_axes: Axes = 0, out_axes: Axes = 0) -> TapelessFunction[..., Any]:
    """The function on every slice of its arguments along an axis (`None`: not sliced), results stacked along another.

    `in_axes` is one axis for all arguments or a tuple with one per argument; parameters left to their defaults are not
    sliced. An entry may be a structure, such as a dict, of axes for the parts of an argument, and so may `out_axes` for
    the parts of the result; one axis stands for all parts of a part.

    >>> tl.vmap(lambda x, y: tl.sum(x) * y, in_axes=(0, None))(np.ones((3, 2)), 5.0)
    array([10., 10., 10.])
    >>> tl.vmap(lambda p: p["a"] + p["b"], in_axes=({"a": 0, "b": None},))({"a": np.ones(3), "b": 1.0})
    array([2., 2., 2.])
    """
    inner = as_function("vmap", f)
    axes: Axes = tuple(in_axes) if type(in_axes) is list else in_axes
    for given, name in ((axes, "in_axes"), (out_axes, "out_axes")):
        _check_axes(given, name)
    if type(axes) is not tuple and opened(axes) is not None:
        raise ArgumentError(f"in_axes={axes!r} is no axis; give an int, None, or a tuple with one per argument")
    parameters = [_stacked(*pair) for pair in zip(inner.source.parameters, _by_parameter(inner, axes), strict=True)]
    given = _by_parameter(inner, axes) if isinstance(axes, tuple) else axes
    return applied(vmap, inner, parameters, in_axes=given, out_axes=out_axes)


def _check_axes(axes: Any, name: str) -> None:
    parts = opened(axes)
    if parts is not None:
        for k, part in enumerate(parts[1]):
            _check_axes(part, name + step(parts[0], k))
    elif axes is not None and (not isinstance(axes, int) or isinstance(axes, bool)):
        raise ArgumentError(f"{name}={axes!r} is no axis; give an int, None, or a tuple with one per argument")


def _by_parameter(f: TapelessFunction, axes: Axes) -> tuple[Axes, ...]:
    """One axis per parameter: defaults that a tuple does not mention are not sliced."""
    parameters = f.source.parameters
    if not isinstance(axes, tuple):
        if any(isinstance(each.default, np.ndarray) for each in parameters):
            raise ArgumentError(
                f"{f.source.name}() has an array as a default; give tl.vmap in_axes as a tuple with one per parameter"
            )
        return (axes,) * len(parameters)
    known = (*axes, *(None for each in parameters[len(axes) :] if each.default is not REQUIRED))
    if len(known) != len(parameters):
        raise ArgumentError(
            f"in_axes has {len(axes)} entries for the {len(parameters)} parameters of {f.source.name}(); "
            "give one for each, None for those not sliced"
        )
    return known


def _stacked(parameter: Parameter, axis: Axes) -> Parameter:
    """A parameter that takes one more axis than in the function that is mapped."""
    if parameter.layout is not None:
        return replace(parameter, layout=with_axis(parameter.layout, axis, _with_axis))
    if axis is None or parameter.type is None:
        return parameter
    if not isinstance(axis, int):
        raise ArgumentError(
            f"in_axes has {described(axis)} for '{parameter.name}', which is {parameter.type!r}; give an int or None"
        )
    return replace(parameter, type=_with_axis(parameter.type, axis))


def _with_axis(type_: Type, axis: int) -> Type:
    if not isinstance(type_, ArrayType):
        return ArrayType(strong(type_), (None,))
    shape = list(type_.shape)
    shape.insert(axis if axis >= 0 else axis + len(shape) + 1, None)
    return ArrayType(type_.dtype, tuple(shape))
