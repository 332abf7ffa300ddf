"""Transformations that give functions: gradients, Jacobians, batching."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np

from tapeless.api.function import TapelessFunction
from tapeless.api.options import nearest
from tapeless.api.transforms.derive import as_function, derive, passed
from tapeless.errors import ArgumentError
from tapeless.frontend.source import REQUIRED, Parameter
from tapeless.lang import in_language
from tapeless.methods import check_method
from tapeless.types import ArrayType, Type

Argnums = int | str | tuple[int | str, ...]


@in_language
def grad(f: Any, argnums: Argnums = 0, method: str | None = None, has_aux: bool = False) -> TapelessFunction:
    """The gradient of a scalar function in some of its arguments, as a function of the same arguments.

    A tuple of `argnums` gives a tuple of gradients. With `has_aux` the function returns `(loss, aux)`, and the gradient
    function `(gradient, aux)`.
    """
    return _gradient(grad, f, argnums, method, has_aux)


@in_language
def value_and_grad(f: Any, argnums: Argnums = 0, method: str | None = None, has_aux: bool = False) -> TapelessFunction:
    """The function of the same arguments that gives `(value, gradient)`; with `has_aux`, `((loss, aux), gradient)`."""
    return _gradient(value_and_grad, f, argnums, method, has_aux)


@in_language
def jacfwd(f: Any, argnums: Argnums = 0, method: str | None = None) -> TapelessFunction:
    """The Jacobian by forward mode; its shape is the result's followed by the argument's."""
    return _jacobian(jacfwd, f, argnums, method)


@in_language
def jacrev(f: Any, argnums: Argnums = 0, method: str | None = None) -> TapelessFunction:
    """The Jacobian by reverse mode; its shape is the result's followed by the argument's."""
    return _jacobian(jacrev, f, argnums, method)


@in_language
def hessian(f: Any, argnums: Argnums = 0, method: str | None = None) -> TapelessFunction:
    """The matrix of second derivatives: `jacfwd` of `jacrev`."""
    return _jacobian(hessian, f, argnums, method)


@in_language
def vmap(f: Any, in_axes: int | tuple[int | None, ...] | None = 0) -> TapelessFunction:
    """The function on every slice of its arguments along an axis (`None`: not sliced), results stacked on axis 0."""
    inner = as_function("vmap", f)
    axes = _completed(inner, in_axes) if isinstance(in_axes, (tuple, list)) else in_axes
    _check_axes(axes)
    if not isinstance(axes, tuple) and any(isinstance(each.default, np.ndarray) for each in inner.source.parameters):
        raise ArgumentError(
            f"{inner.source.name}() has an array as a default; give tl.vmap in_axes as a tuple with one per parameter"
        )
    parameters = [
        _stacked(parameter, axes[position] if isinstance(axes, tuple) and position < len(axes) else axes)
        for position, parameter in enumerate(inner.source.parameters)
    ]
    return _applied(vmap, inner, parameters, in_axes=axes)


def _gradient(
    kind: Callable[..., Any], f: Any, argnums: Argnums, method: str | None, has_aux: bool
) -> TapelessFunction:
    inner = as_function(kind.__name__, f)
    if not isinstance(has_aux, bool):
        raise ArgumentError(f"has_aux={has_aux!r} is not a bool; give True or False")
    argnums = _checked(inner, argnums, method)
    return _applied(kind, inner, inner.source.parameters, argnums=argnums, method=method, has_aux=has_aux)


def _jacobian(kind: Callable[..., Any], f: Any, argnums: Argnums, method: str | None) -> TapelessFunction:
    inner = as_function(kind.__name__, f)
    argnums = _checked(inner, argnums, method)
    return _applied(kind, inner, inner.source.parameters, argnums=argnums, method=method)


def _applied(
    kind: Callable[..., Any], f: TapelessFunction, parameters: tuple[Parameter, ...] | list[Parameter], **options: Any
) -> TapelessFunction:
    """`kind(f, options)` as a function of parameters."""
    name = kind.__name__
    written = ", ".join(f"{option}={value!r}" for option, value in options.items())
    return derive(f, name, f"{name}(f, {written})({passed(parameters)})", parameters, {name: kind})


def _checked(f: TapelessFunction, argnums: Argnums, method: str | None) -> Argnums:
    """The `argnums`, which must name parameters; the method must work."""
    if method is not None:
        check_method(method)
    names = [parameter.name for parameter in f.source.parameters]
    for each in argnums if isinstance(argnums, (tuple, list)) else (argnums,):
        _check_argnum(f, each, names)
    return tuple(argnums) if isinstance(argnums, list) else argnums


def _check_argnum(f: TapelessFunction, argnum: Any, names: list[str]) -> None:
    if isinstance(argnum, str):
        if argnum not in names:
            raise ArgumentError(
                f"argnums names '{argnum}', which is no parameter of {f.source.name}(){nearest(argnum, names)}"
            )
    elif not isinstance(argnum, int) or isinstance(argnum, bool):
        raise ArgumentError(f"argnums={argnum!r} is no index or name; give an index, a name or a tuple of them")
    elif not -len(names) <= argnum < len(names):
        raise ArgumentError(f"argnums={argnum}, but {f.source.name}() has {len(names)} parameters; count from 0")


def _completed(f: TapelessFunction, axes: tuple[int | None, ...] | list[int | None]) -> tuple[int | None, ...]:
    """One axis per parameter: defaults that are not mentioned are not mapped."""
    rest = f.source.parameters[len(axes) :]
    return (*axes, *(None for parameter in rest if parameter.default is not REQUIRED))


def _check_axes(axes: Any) -> None:
    for axis in axes if isinstance(axes, tuple) else (axes,):
        if axis is not None and (not isinstance(axis, int) or isinstance(axis, bool)):
            raise ArgumentError(f"in_axes={axes!r} is no axis; give an int, None, or a tuple with one per argument")


def _stacked(parameter: Parameter, axis: int | None) -> Parameter:
    """A parameter that takes one more axis than in the function that is mapped."""
    if axis is None or parameter.type is None:
        return parameter
    return replace(parameter, type=_with_axis(parameter.type, axis))


def _with_axis(type_: Type, axis: int) -> Type:
    if not isinstance(type_, ArrayType):
        return ArrayType(type_, (None,))
    shape = list(type_.shape)
    shape.insert(axis if axis >= 0 else axis + len(shape) + 1, None)
    return ArrayType(type_.dtype, tuple(shape))
