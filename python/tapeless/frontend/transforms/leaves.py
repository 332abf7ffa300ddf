"""The numbers and arrays inside nested tuples, in order."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

from tapeless._mlir import ir
from tapeless.errors import ShapeMismatch, TypeMismatch
from tapeless.frontend.arrays import whole_arrays
from tapeless.frontend.elementwise import broadcasting
from tapeless.frontend.values import promotion
from tapeless.frontend.values.value import Array, Scalar, Tuple, Value, describe, literal, type_of

if TYPE_CHECKING:
    from tapeless.frontend.translator import Translator

Leaf = Scalar | Array


def leaves(value: Value) -> list[Value]:
    """Everything in a value that is not a tuple."""
    if isinstance(value, Tuple):
        return [leaf for item in value.items for leaf in leaves(item)]
    return [value]


def like(value: Value, replacements: Iterator[Value]) -> Value:
    """A value of the same tuple structure with other leaves."""
    if isinstance(value, Tuple):
        return Tuple(tuple(like(item, replacements) for item in value.items), value.is_list)
    return next(replacements)


def replaced(value: Value, change: Callable[[Value], Value]) -> Value:
    """The value with every leaf changed."""
    return like(value, iter([change(leaf) for leaf in leaves(value)]))


def is_differentiable(leaf: Value) -> bool:
    """Whether a leaf has derivatives: a float, or an array of them."""
    return isinstance(leaf, (Scalar, Array)) and leaf.dtype.is_float


def with_ssa(t: Translator, leaf: Leaf, value: ir.Value) -> Leaf:
    """The leaf of the same type and sizes that another SSA value holds."""
    if isinstance(leaf, Scalar):
        return promotion.from_ssa(t.builder, value, leaf.dtype, weak=leaf.weak)
    return Array(leaf.dtype, leaf.dims, value)


def filled_like(t: Translator, leaf: Leaf, number: int) -> Leaf:
    """A number in the type and shape of a leaf."""
    if isinstance(leaf, Array):
        return whole_arrays.filled(t, leaf.dims, literal(number), leaf.dtype)
    constant = promotion.ssa(t.builder, literal(number), leaf.dtype)
    return promotion.from_ssa(t.builder, constant, leaf.dtype, weak=leaf.weak)


def matching(t: Translator, value: Value, leaf: Leaf, role: str) -> Leaf:
    """A derivative given by the user, which must have the type and shape of a leaf."""
    number = t.held(t.number(value, role))
    if isinstance(number, Scalar) != isinstance(leaf, Scalar) or type_of(number).rank != type_of(leaf).rank:
        raise t.error(
            f"{role} is {describe(number)}, and belongs to {describe(leaf)}", "give it that type", TypeMismatch
        )
    if number.dtype != leaf.dtype and not _adapts(number, leaf):
        raise t.error(f"{role} is {describe(number)}, and belongs to {describe(leaf)}", "convert it", TypeMismatch)
    if isinstance(number, Scalar):
        return with_ssa(t, leaf, promotion.ssa(t.builder, number, leaf.dtype))
    for axis, (given, wanted) in enumerate(zip(number.dims, leaf.dims, strict=True)):
        if given.is_constant and wanted.is_constant and given != wanted:
            raise t.error(
                f"{role} has size {given.constant} in axis {axis}, and belongs to an array with {wanted.constant}",
                "give it the same shape",
                ShapeMismatch,
            )
        broadcasting.same_size(t, given, wanted, axis)
    return Array(leaf.dtype, leaf.dims, broadcasting.with_static_sizes(t, number.ssa, leaf.dims))


def _adapts(number: Leaf, leaf: Leaf) -> bool:
    """Weak numbers take the type of what they meet, and whole numbers become floats."""
    return isinstance(number, Scalar) and leaf.dtype.is_float and (number.weak or not number.dtype.is_float)
