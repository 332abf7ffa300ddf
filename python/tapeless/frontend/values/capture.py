"""Outside values as values of the language: numbers, arrays, tuples, functions, types."""

from __future__ import annotations

from types import FunctionType, ModuleType
from typing import TYPE_CHECKING, Any

import numpy as np

from tapeless import lang
from tapeless.errors import TapelessError, TypeMismatch
from tapeless.frontend.syntax.imported import Imported
from tapeless.frontend.syntax.procedures import Procedure
from tapeless.frontend.syntax.source import OF_DATACLASSES
from tapeless.frontend.values.affine import Affine
from tapeless.frontend.values.instead import instead_of, instead_of_module, is_of_library
from tapeless.frontend.values.value import Array, Decorated, Opaque, Scalar, Value, literal, structured
from tapeless.trees import Node, Unusable, check_depth, described, is_structure, opened, step
from tapeless.types import ArrayType, ScalarType, from_numpy, i64, type_of_annotation

if TYPE_CHECKING:
    from tapeless.frontend.translator import Translator


def captured_value(t: Translator, value: Any, name: str, above: tuple[int, ...] = ()) -> Value:
    """The meaning of a Python object that a function reads from outside, maybe as part of structures."""
    operator = lang.meaning(value)
    if operator is not None:
        return operator
    if isinstance(value, (bool, int, float)) and not isinstance(value, np.generic):
        return _number(t, value, name)
    if isinstance(value, np.generic):
        return _numpy_scalar(t, value, name)
    if isinstance(value, np.ndarray):
        return _array(t, value, name)
    parts = opened(value)
    if parts is not None:
        check_depth(value, name, above)
        named = [(item, f"{name}{step(parts[0], k)}") for k, item in enumerate(parts[1])]
        return structured(parts[0], [_part(t, item, path, (*above, id(value))) for item, path in named])
    procedure = getattr(value, "procedure", value)
    if isinstance(procedure, (Procedure, Imported)):
        return procedure
    if isinstance(value, FunctionType) and value in OF_DATACLASSES:
        return Opaque(value)
    if instead_of(value) is None and (called := t.frame.source.called(value)) is not None:
        return Decorated(called, value)
    if _is_opaque(value):
        return Opaque(value)
    raise t.error(*_refusal(value, name))


def _part(t: Translator, value: Any, name: str, above: tuple[int, ...]) -> Value:
    """A part of a structure, which may mean nothing as long as it is not read."""
    try:
        return captured_value(t, value, name, above)
    except TapelessError:
        return Opaque(Unusable(described(value)))


def _is_opaque(value: Any) -> bool:
    """Whether a Python object stands for itself: None, a string, a module, a type, a class of structures."""
    return (
        value is None
        or isinstance(value, (str, ModuleType, ScalarType, ArrayType, Node))
        or type_of_annotation(value) is not None
        or is_about_types(value)
        or (isinstance(value, type) and is_structure(value))
    )


def is_about_types(value: Any) -> bool:
    """Whether it is one of the classes of numpy that tell the limits of types."""
    return value is np.finfo or value is np.iinfo


def static_value(t: Translator, value: Any) -> Value:
    """A value that chooses code, as an argument."""
    if isinstance(value, (Opaque, Decorated, lang.Operator)):
        return value
    if isinstance(value, Unusable):
        return Opaque(value)
    return captured_value(t, value, getattr(value, "__name__", "the argument"))


def _number(t: Translator, value: int | float | bool, name: str) -> Scalar:
    if isinstance(value, int) and not -(2**63) <= value < 2**63:
        raise t.error(f"the integer '{name}' does not fit into 64 bits", "use a float")
    return literal(value)


def _numpy_scalar(t: Translator, value: np.generic, name: str) -> Scalar:
    dtype = _dtype(t, value.dtype, name)
    if dtype == i64:
        return Scalar(i64, affine=Affine(int(value)))
    return Scalar(dtype, constant=value.item()) if not dtype.is_int else Scalar(dtype, constant=int(value))


def _array(t: Translator, value: np.ndarray, name: str) -> Scalar | Array:
    if value.ndim == 0:
        return _numpy_scalar(t, value[()], name)
    dtype = _dtype(t, value.dtype, name)
    return Array(dtype, tuple(Affine(size) for size in value.shape), t.builder.captured(value, dtype))


def _dtype(t: Translator, dtype: np.dtype, name: str) -> ScalarType:
    try:
        return from_numpy(dtype)
    except TypeError as error:
        raise t.error(f"'{name}': {error}", None, TypeMismatch) from None


def _refusal(value: Any, name: str) -> tuple[str, str]:
    instead = instead_of(value)
    if instead is not None:
        return f"'{name}' is not a function of the language", f"write {instead}"
    if isinstance(value, type) and not is_of_library(value):
        return (
            f"'{name}' is a class that is no structure",
            "make it a dataclass or a named tuple, or one with tl.register",
        )
    if (instead := instead_of_module(value)) is not None:
        return f"'{name}' is not a function of the language", f"write {instead}"
    if callable(value):
        return (
            f"'{name}' is not a function of the language",
            "use a tl operator, or a function decorated with @tl.function",
        )
    return (
        f"'{name}' is a {type(value).__name__}, which a function cannot capture",
        "pass numbers or arrays as arguments",
    )
