"""Derivatives in given directions: `tl.jvp`, `tl.hvp`, and `tl.vjp` with its pullback."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from tapeless.api.function import TapelessFunction
from tapeless.api.parameters import argument_types, bind_call
from tapeless.api.transforms.derive import as_function, derive
from tapeless.api.transforms.pullback import Pullback
from tapeless.errors import ArgumentError
from tapeless.frontend.source import REQUIRED, Parameter
from tapeless.lang import in_language
from tapeless.methods import check_method
from tapeless.types import ArrayType, Type


@in_language
def jvp(f: Any, primals: Any, tangents: Any, method: str | None = None) -> tuple[Any, Any]:
    """`(out, out_tangent)`: the result of f and its derivative along the tangents; tuples for several arguments."""
    inner, values, directions = _checked("jvp", f, primals, tangents, method)
    made, given = _directed(inner, "jvp", values, directions, jvp, isinstance(primals, tuple), method)
    return made(*given)


@in_language
def hvp(f: Any, x: Any, v: Any, method: str | None = None) -> Any:
    """The Hessian of a scalar function at x times v; tuples for several arguments."""
    inner, values, directions = _checked("hvp", f, x, v, method)
    made, given = _directed(inner, "hvp", values, directions, hvp, isinstance(x, tuple), method)
    return made(*given)


@in_language
def vjp(f: Any, *primals: Any, method: str | None = None) -> tuple[Any, Pullback]:
    """`(out, pullback)`: `pullback(ct)` gives one adjoint per primal for a cotangent in the structure of `out`."""
    if method is not None:
        check_method(method)
    inner = as_function("vjp", f)
    return Pullback.of(inner, vjp, primals, method)


def _checked(kind: str, f: Any, primals: Any, tangents: Any, method: str | None) -> tuple[TapelessFunction, Any, Any]:
    if method is not None:
        check_method(method)
    values, directions = (tuple(each) if isinstance(each, (tuple, list)) else (each,) for each in (primals, tangents))
    if len(values) != len(directions):
        raise ArgumentError(f"tl.{kind} has {len(directions)} tangents for {len(values)} primals; give one for each")
    return as_function(kind, f), values, directions


def _directed(
    f: TapelessFunction,
    name: str,
    primals: Sequence[Any],
    tangents: Sequence[Any],
    kind: Any,
    is_tuple: bool,
    method: str | None,
) -> tuple[TapelessFunction, list[Any]]:
    """The function of primals and of the tangents of floats, and its arguments."""
    bind_call(f.source.name, f.source.parameters, primals, {})
    parameters = f.source.parameters[: len(primals)]
    types = argument_types(parameters, primals)
    moving = [k for k, type_ in enumerate(types) if _dtype(type_).is_float]
    places = {k: len(primals) + position for position, k in enumerate(moving)}
    for k, tangent in enumerate(tangents):
        if k not in places and np.any(tangent):
            raise ArgumentError(f"the tangent of '{parameters[k].name}', which is no float, is not zero; give zeros")
    directions = ", ".join(f"p{places[k]}" if k in places else "0" for k in range(len(primals)))
    values = ", ".join(f"p{k}" for k in range(len(primals)))
    pair = f"({values},), ({directions},)" if is_tuple else f"{values}, {directions}"
    all_parameters = [Parameter(each.name, type_, REQUIRED) for each, type_ in zip(parameters, types, strict=True)]
    all_parameters += [Parameter(f"the tangent of {parameters[k].name}", types[k], REQUIRED) for k in moving]
    made = derive(f, name, f"{name}(f, {pair}, method={method!r})", all_parameters, {name: kind})
    return made, [*primals, *(tangents[k] for k in moving)]


def _dtype(type_: Type) -> Any:
    return type_.dtype if isinstance(type_, ArrayType) else type_
