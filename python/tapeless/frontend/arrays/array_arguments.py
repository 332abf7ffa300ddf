"""Arguments of operators that make or rearrange arrays: shapes, sizes, dtypes, axes."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from tapeless import lang
from tapeless.abi import LONGEST_AXIS
from tapeless.errors import ShapeMismatch, TypeMismatch
from tapeless.frontend.values import exactness, integers, promotion
from tapeless.frontend.values.affine import Affine
from tapeless.frontend.values.value import Opaque, Tuple, Value, describe
from tapeless.lang import Operator
from tapeless.number_types import number_of
from tapeless.types import DTYPES_IN_WORDS, ScalarType, bool_, f64, from_numpy, i64, type_of_annotation

if TYPE_CHECKING:
    from tapeless.frontend.translator import Translator


_CONVERSIONS: dict[Operator, ScalarType] = {lang.float: f64, lang.int: i64, lang.bool: bool_}


def shape(t: Translator, value: Value) -> tuple[Affine, ...]:
    """The sizes that a shape argument, an integer or a tuple of them, names; negative ones are errors."""
    items = value.items if isinstance(value, Tuple) else (value,)
    if not items:
        raise t.error("a shape needs at least one size", "use a scalar instead of an array without axes")
    return tuple(size(t, item) for item in items)


def size(t: Translator, value: Value) -> Affine:
    """One size; checked at run time not to be negative unless that is proved."""
    affine = exactness.required(t, integer_argument(t, value, "a size"), ShapeMismatch, "a size")
    if affine.is_constant and not 0 <= affine.constant <= LONGEST_AXIS:
        raise t.error(f"a size is {affine.constant}", "use a size that is not negative and fits memory", ShapeMismatch)
    if not exactness.is_within(t.builder, affine, 0, LONGEST_AXIS):
        _check_size(t, affine)
    return affine


def _check_size(t: Translator, size: Affine) -> None:
    given = integers.index_value(t.builder, size)
    is_valid = integers.compare(t.builder, "ule", given, t.builder.index(LONGEST_AXIS))
    message = "size {} is negative or larger than any memory; use a size that is not"
    t.builder.check(is_valid, "ShapeMismatch", message, given)
    integers.assume(t.builder, size)
    integers.assume(t.builder, Affine(LONGEST_AXIS) - size)


def integer_argument(t: Translator, value: Value, role: str) -> Affine:
    """An integer scalar as an affine integer."""
    scalar = t.integer(value, role)
    return scalar.affine or integers.opaque(t.builder, promotion.ssa(t.builder, scalar, i64))


def dtype(t: Translator, value: Value) -> ScalarType | None:
    """The dtype an argument names; None for None."""
    if isinstance(value, Opaque) and value.value is None:
        return None
    if isinstance(value, Opaque) and isinstance(value.value, str):
        return _named(t, value.value)
    named = (
        _CONVERSIONS.get(value) if isinstance(value, Operator) else type_of_annotation(getattr(value, "value", None))
    )
    if isinstance(named, ScalarType) and number_of(named) is None:
        return named
    raise t.error(f"a dtype is {describe(value)}", f"use {DTYPES_IN_WORDS}", TypeMismatch)


def _named(t: Translator, name: str) -> ScalarType:
    """A dtype by the name that numpy gives it, such as "float32"."""
    try:
        return from_numpy(np.dtype(name))
    except TypeError:
        raise t.error(f"'{name}' is no dtype of the language", f"use {DTYPES_IN_WORDS}", TypeMismatch) from None


def axis(t: Translator, value: Value, rank: int, role: str = "the axis") -> int:
    """An axis argument as a number from 0."""
    number = t.constant(value, role)
    if not -rank <= number < rank:
        raise t.error(
            f"axis {number} is out of range for an array of rank {rank}", f"use an axis below {rank}", ShapeMismatch
        )
    return number % rank


def axes(t: Translator, value: Value, rank: int) -> tuple[int, ...]:
    """Axes, each named once, that an argument names: an integer or a tuple of them."""
    items = value.items if isinstance(value, Tuple) else (value,)
    found = tuple(axis(t, item, rank) for item in items)
    if len(set(found)) < len(found):
        raise t.error("an axis is named twice", "name every axis once", ShapeMismatch)
    return found


def optional_axis(t: Translator, value: Value, rank: int) -> int | None:
    """An axis argument that may be None."""
    if isinstance(value, Opaque) and value.value is None:
        return None
    return axis(t, value, rank)
