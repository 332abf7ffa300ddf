"""Results of functions: the values that may be returned, and their check against the annotation."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tapeless.errors import TypeMismatch
from tapeless.frontend.arrays import whole_arrays
from tapeless.frontend.elementwise import broadcasting
from tapeless.frontend.values.affine import Affine
from tapeless.frontend.values.value import (
    KEPT,
    Array,
    Record,
    Rows,
    Scalar,
    Structured,
    Tuple,
    Value,
    describe,
    structured,
    type_of,
)
from tapeless.number_types import number_of
from tapeless.trees import TUPLE
from tapeless.types import ScalarType, Type, type_of_annotation

if TYPE_CHECKING:
    from tapeless.frontend.translator import Translator


def checked_result(t: Translator, value: Value, annotation: Any) -> Value:
    """The result, which must consist of numbers and arrays, as annotated."""
    if isinstance(value, Record):
        return structured(value.node, [_checked_part(t, item, None) for item in value.items])
    if isinstance(value, Tuple):
        return _checked_tuple(t, value, annotation)
    if isinstance(value, Rows):
        raise t.error(f"the function returns {describe(value)}", "return np.array(...) of it", TypeMismatch)
    if not isinstance(value, (Scalar, Array)):
        raise t.error(
            f"the function returns {describe(value)}", "return numbers, arrays or structures of them", TypeMismatch
        )
    wanted = type_of_annotation(annotation)
    if number_of(wanted) is not None:
        raise t.error(f"{wanted!r} is held by cells only", "annotate the result with tl.f64", TypeMismatch)
    return value if wanted is None else _as_annotated(t, value, wanted)


def _checked_tuple(t: Translator, value: Tuple, annotation: Any) -> Structured:
    is_tuple = value.node.kind == TUPLE
    parts = getattr(annotation, "__args__", annotation if isinstance(annotation, tuple) else None) if is_tuple else None
    if parts is None:
        parts = (None,) * len(value.items)
    if len(parts) != len(value.items):
        raise t.error(
            f"the function returns {describe(value)}, and is annotated with {len(parts)} results",
            "return what the annotation says",
            TypeMismatch,
        )
    return structured(value.node, [_checked_part(t, *pair) for pair in zip(value.items, parts, strict=True)])


def _checked_part(t: Translator, value: Value, annotation: Any) -> Value:
    """A part of a structure, which may be a value that chooses code."""
    return value if isinstance(value, KEPT) else checked_result(t, value, annotation)


def _as_annotated(t: Translator, value: Scalar | Array, wanted: Type) -> Scalar | Array:
    given = type_of(value)
    dtype = wanted if isinstance(wanted, ScalarType) else wanted.dtype
    is_widening = dtype.is_float and not value.dtype.is_float
    is_weak = isinstance(value, Scalar) and value.weak and value.dtype.kind == dtype.kind
    if wanted.rank != given.rank or not (value.dtype == dtype or is_widening or is_weak):
        raise t.error(
            f"the function returns {given!r}, and is annotated with {wanted!r}",
            "change the annotation or convert the result",
            TypeMismatch,
        )
    converted = t.held(whole_arrays.converted(t, value, dtype))
    if isinstance(converted, Scalar):
        return converted
    dims = []
    for axis, (size, known) in enumerate(zip(wanted.shape, converted.dims, strict=True)):
        dims.append(known if size is None else broadcasting.same_size(t, known, Affine(size), axis))
    return Array(dtype, tuple(dims), broadcasting.with_static_sizes(t, converted.ssa, dims))
