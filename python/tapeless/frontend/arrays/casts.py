"""Conversions that a program asks for: `int(x)`, `float(x)`, `bool(x)`, `tl.astype(x, dtype)`."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from tapeless import types
from tapeless.errors import TypeMismatch
from tapeless.frontend.arrays import array_arguments, whole_arrays
from tapeless.frontend.elementwise import conversions
from tapeless.frontend.values.value import Number, Opaque, Scalar, Value, describe, integer, literal
from tapeless.types import DTYPES_IN_WORDS, ScalarType, f64, i64

if TYPE_CHECKING:
    from tapeless.frontend.translator import Translator


def int_(t: Translator, x: Value) -> Scalar:
    return _converted(t, x, "int", i64, int)


def float_(t: Translator, x: Value) -> Scalar:
    return _converted(t, x, "float", f64, float)


def bool_(t: Translator, x: Value) -> Scalar:
    return _converted(t, x, "bool", types.bool_, bool)


def _converted(t: Translator, x: Value, name: str, dtype: ScalarType, cast: Callable[[Any], Any]) -> Scalar:
    if isinstance(x, Opaque) and isinstance(x.value, str) and name == "float":
        return literal(_cast_literal(t, name, cast, x.value))
    if not isinstance(x, Scalar):
        raise t.error(f"{name}() of {describe(x)}", f"use tl.astype(x, {dtype!r}) for arrays", TypeMismatch)
    if x.literal is not None:
        return literal(_cast_literal(t, name, cast, x.literal))
    if x.dtype == dtype and x.affine is not None:
        return integer(x.affine)
    return conversions.converted(t, x, dtype, weak=True)


def _cast_literal(t: Translator, name: str, cast: Callable[[Any], Any], value: Any) -> Any:
    try:
        return cast(value)
    except (ValueError, OverflowError):
        raise t.error(f"{name}({value!r}) has no value", "convert a finite number") from None


def astype(t: Translator, x: Value, dtype: Value) -> Number:
    wanted = array_arguments.dtype(t, dtype)
    if wanted is None:
        raise t.error("the dtype is None", f"use {DTYPES_IN_WORDS}", TypeMismatch)
    return whole_arrays.converted(t, t.number(x), wanted)
