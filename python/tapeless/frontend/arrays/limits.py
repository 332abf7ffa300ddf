"""`np.finfo(dtype).eps` and its kin: numbers about a type, which are known when compiling."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from tapeless.errors import ArgumentError, TypeMismatch
from tapeless.frontend.arrays import array_arguments
from tapeless.frontend.values.capture import captured_value
from tapeless.frontend.values.value import Array, Opaque, Pending, Scalar, Value

if TYPE_CHECKING:
    from tapeless.frontend.translator import Translator


def limits(t: Translator, kind: Any, arguments: Sequence[Value], keywords: Mapping[str, Value]) -> Opaque:
    """The results of `np.finfo` and `np.iinfo` for a type, or for that of a number or an array."""
    name = f"np.{kind.__name__}"
    if len(arguments) != 1 or keywords:
        raise t.error(f"{name} takes one type", f"write {name}(x.dtype)", ArgumentError)
    [given] = arguments
    dtype = given.dtype if isinstance(given, (Array, Pending, Scalar)) else array_arguments.dtype(t, given)
    if dtype is None or (dtype.is_float if kind is np.iinfo else not dtype.is_float):
        wanted = "np.finfo for floats" if kind is np.iinfo else "np.iinfo for integers"
        raise t.error(f"{name} of {'None' if dtype is None else repr(dtype)}", f"use {wanted}", TypeMismatch)
    return Opaque(kind(dtype.numpy))


def limit(t: Translator, about: Any, attr: str) -> Value:
    """One of these numbers."""
    found = getattr(about, attr, None)
    if not isinstance(found, (int, float, np.generic)):
        kind = type(about).__name__
        known = ", ".join(["max", "min", "bits", *(["eps", "tiny", "smallest_normal"] if kind == "finfo" else [])])
        raise t.error(f"np.{kind} has no number '{attr}'", f"use {known}")
    return captured_value(t, found, attr)
