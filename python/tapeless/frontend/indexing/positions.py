"""Indices as positions from the start of an axis, checked to be in range."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tapeless.errors import IndexOutOfRange, TypeMismatch
from tapeless.frontend.values import bounds, exactness, integers, promotion
from tapeless.frontend.values.affine import Affine
from tapeless.frontend.values.builder import Builder
from tapeless.frontend.values.value import Scalar, Value, describe
from tapeless.types import i64

if TYPE_CHECKING:
    from tapeless.frontend.translator import Translator


def position(t: Translator, value: Value, size: Affine, axis: int) -> Affine:
    """An index as a position that is not negative; checked at run time unless it is proved to be in range."""
    if not isinstance(value, Scalar) or value.dtype.is_float or value.dtype.is_bool:
        raise t.error(f"an index is {describe(value)}", "index with integers, slices or an integer array", TypeMismatch)
    affine = t.integer(value, "an index").affine
    if affine is None:
        affine = integers.opaque(t.builder, promotion.ssa(t.builder, value, i64))
    if affine.is_constant and size.is_constant and not -size.constant <= affine.constant < size.constant:
        message = f"index {affine.constant} is out of range for axis {axis} with size {size.constant}"
        raise t.error(message, "use an index below the size", IndexOutOfRange)
    return checked_position(t, affine, size, axis)


def checked_position(t: Translator, affine: Affine, size: Affine, axis: int) -> Affine:
    """The position an index counts to from the start of an axis, with the checks that are not proved."""
    builder = t.builder
    if not _is_exact_if_positive(builder, affine):
        affine = exactness.as_computed(builder, affine)
    wrapped = bounds.wrapped(builder, affine, size)
    is_known = integers.is_nonnegative(builder, wrapped) and integers.is_below(builder, wrapped, size)
    if not is_known and _may_wrap(wrapped):
        is_known = integers.is_nonnegative(builder, affine + size) and integers.is_below(builder, affine, size)
    if not is_known:
        _check_position(t, affine, wrapped, size, axis)
    return wrapped


def _is_exact_if_positive(builder: Builder, affine: Affine) -> bool:
    """Whether comparing the index with a size, as unsigned integers, says where it really is."""
    if integers.is_nonnegative(builder, affine) and exactness.is_within(builder, affine, 0, 2**64 - 1):
        return True
    return exactness.is_exact(builder, affine)


def _may_wrap(position: Affine) -> bool:
    """Whether a position counts from one end or the other, depending on a sign known only at run time."""
    symbol = position.symbol()
    return symbol is not None and symbol.recipe is not None and symbol.recipe[0] == "wrap"


def _check_position(t: Translator, affine: Affine, wrapped: Affine, size: Affine, axis: int) -> None:
    builder = t.builder
    values = [integers.index_value(builder, each) for each in (wrapped, size)]
    is_within = integers.compare(builder, "ult", *values)
    message = f"index {{}} is out of range for axis {axis} with size {{}}"
    builder.check(is_within, "IndexOutOfRange", message, integers.index_value(builder, affine), values[1])
    integers.assume(builder, wrapped)
    integers.assume(builder, size - wrapped - 1)
