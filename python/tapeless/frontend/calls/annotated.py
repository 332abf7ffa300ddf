"""Arguments as the parameters they are given to are annotated."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from tapeless.annotations import Access, conformed
from tapeless.errors import TypeMismatch
from tapeless.frontend.elementwise import broadcasting
from tapeless.frontend.values import promotion
from tapeless.frontend.values.affine import Affine
from tapeless.frontend.values.value import STRUCTURES, Array, Scalar, Value, describe, structured, type_of
from tapeless.signature import Parameter
from tapeless.trees import Node
from tapeless.types import ArrayType, PythonNumber, ScalarType, Type

if TYPE_CHECKING:
    from tapeless.frontend.translator import Translator


def as_parameter(t: Translator, parameter: Parameter, value: Value) -> Value:
    """An argument as a parameter takes it; a function that was given in place of a number or array stays one."""
    if parameter.layout is not None:
        return conformed(_access(t), parameter.layout, t.held(value), parameter.name)
    if parameter.type is None or not isinstance(value, (Scalar, Array)):
        return value
    return as_annotated(t, parameter.name, parameter.type, value)


def _access(t: Translator) -> Access:
    """How values of a program are compared with the annotation of a structure."""

    def leaf(wanted: Type | None, value: Value, name: str) -> Value:
        if wanted is None:
            return value
        if not isinstance(value, (Scalar, Array)):
            raise refuse(f"'{name}' is {describe(value)}, and annotated as {wanted!r}", f"pass {wanted!r}")
        return as_annotated(t, name, wanted, value)

    def refuse(message: str, instead: str) -> Exception:
        return t.error(message, instead, TypeMismatch)

    return Access(_opened, structured, leaf, describe, refuse)


def _opened(value: Value) -> tuple[Node, Sequence[Value]] | None:
    return (value.node, value.items) if isinstance(value, STRUCTURES) else None


def as_annotated(t: Translator, name: str, wanted: Type, value: Scalar | Array) -> Scalar | Array:
    """An argument as its parameter is annotated; one of `float` or `int` is as weak as numbers of Python are."""
    given = type_of(value)
    if wanted.rank != given.rank:
        raise t.error(
            f"'{name}' is {wanted!r}, and the argument {given!r}",
            "pass an argument of that rank",
            TypeMismatch,
        )
    if isinstance(wanted, PythonNumber):
        return replace(_scalar_as(t, name, value, wanted.strong), weak=True)
    if isinstance(wanted, ScalarType):
        return _scalar_as(t, name, value, wanted)
    if wanted.dtype != value.dtype:
        raise t.error(
            f"'{name}' is {wanted!r}, and the argument {given!r}",
            "convert it with tl.astype(x, ...)",
            TypeMismatch,
        )
    return _array_as(t, value, wanted)


def _scalar_as(t: Translator, name: str, value: Scalar, wanted: ScalarType) -> Scalar:
    is_lossless = value.dtype == wanted or (wanted.is_float and not value.dtype.is_float)
    if not is_lossless and not (value.weak and value.dtype.kind == wanted.kind):
        raise t.error(
            f"'{name}' is {wanted!r}, and the argument {value.dtype!r}",
            "convert it, for example with int(x) or float(x)",
            TypeMismatch,
        )
    if value.affine is not None and wanted == value.dtype:
        return Scalar(wanted, affine=value.affine)
    return promotion.from_ssa(t.builder, promotion.ssa(t.builder, value, wanted), wanted)


def _array_as(t: Translator, value: Array, wanted: ArrayType) -> Array:
    """An array with the sizes a type makes static; checked unless they are known."""
    dims = []
    for axis, (size, given) in enumerate(zip(wanted.shape, value.dims, strict=True)):
        dims.append(given if size is None else broadcasting.same_size(t, given, Affine(size), axis))
    return Array(value.dtype, tuple(dims), broadcasting.with_static_sizes(t, value.ssa, dims))
