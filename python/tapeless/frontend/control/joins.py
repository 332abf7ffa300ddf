"""One form for values that come from different paths: carried values of loops, results of branches.

A `Form` describes a value up to what paths may differ in. `join` finds the form two have in common, `flatten` converts
a value to the SSA values of a form, `rebuild` makes a value of the form from SSA values.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from tapeless._mlir import ir
from tapeless.dataclasses_on_use import dataclass
from tapeless.frontend.arrays.whole_arrays import converted
from tapeless.frontend.elementwise import broadcasting
from tapeless.frontend.elementwise.application import force
from tapeless.frontend.values import integers, promotion
from tapeless.frontend.values.affine import Affine
from tapeless.frontend.values.builder import Builder
from tapeless.frontend.values.value import STRUCTURES, Array, Pending, Rows, Scalar, Value, describe, structured
from tapeless.trees import LIST, TUPLE, TUPLE_NODE, Node, words
from tapeless.types import ScalarType

if TYPE_CHECKING:
    from tapeless.frontend.translator import Translator


@dataclass(frozen=True)
class ScalarForm:
    """A number of a type."""

    dtype: ScalarType
    weak: bool


@dataclass(frozen=True)
class ArrayForm:
    """An array; a size is None where paths differ or where it is not known outside."""

    dtype: ScalarType
    dims: tuple[Affine | None, ...]


@dataclass(frozen=True)
class TupleForm:
    """The forms of the parts of a structure."""

    items: tuple[Form, ...]
    node: Node = TUPLE_NODE


@dataclass(frozen=True)
class RowsForm:
    """A list whose items are the rows of an array."""

    array: ArrayForm


@dataclass(frozen=True)
class FixedForm:
    """A value that must be the same object on every path, such as a function."""

    value: Value


Form = ScalarForm | ArrayForm | TupleForm | RowsForm | FixedForm


class Mismatch(Exception):
    """Two values have no form in common; the text describes them."""


def form_of(builder: Builder, value: Value) -> Form:
    """The form of a value, as seen from the current scope."""
    if isinstance(value, Scalar):
        return ScalarForm(value.dtype, value.weak or value.dtype.is_bool)
    if isinstance(value, (Array, Pending)):
        dims = (size if integers.is_available(builder, size) else None for size in value.dims)
        return ArrayForm(value.dtype, tuple(dims))
    if isinstance(value, STRUCTURES):
        return TupleForm(tuple(form_of(builder, item) for item in value.items), value.node)
    if isinstance(value, Rows):
        array = form_of(builder, value.array)
        assert isinstance(array, ArrayForm)
        return RowsForm(array)
    return FixedForm(value)


def form_leaves(form: Form) -> list[ScalarForm | ArrayForm]:
    """The forms of numbers and arrays in a form, in order."""
    if isinstance(form, TupleForm):
        return [leaf for item in form.items for leaf in form_leaves(item)]
    if isinstance(form, RowsForm):
        return [form.array]
    return [] if isinstance(form, FixedForm) else [form]


def join(left: Form, right: Form) -> Form:
    """The form that values of both forms convert to."""
    if left == right:
        return left
    if isinstance(left, ScalarForm) and isinstance(right, ScalarForm):
        return ScalarForm(*promotion.common([(left.dtype, left.weak), (right.dtype, right.weak)]))
    if isinstance(left, ArrayForm) and isinstance(right, ArrayForm) and len(left.dims) == len(right.dims):
        dtype, _ = promotion.common([(left.dtype, False), (right.dtype, False)])
        dims = (a if a == b else None for a, b in zip(left.dims, right.dims, strict=True))
        return ArrayForm(dtype, tuple(dims))
    if isinstance(left, TupleForm) and isinstance(right, TupleForm) and _are_alike(left, right):
        items = tuple(join(a, b) for a, b in zip(left.items, right.items, strict=True))
        return TupleForm(items, left.node if left.node == right.node else TUPLE_NODE)
    if isinstance(left, RowsForm) and isinstance(right, RowsForm):
        array = join(left.array, right.array)
        assert isinstance(array, ArrayForm)
        return RowsForm(array)
    if isinstance(left, FixedForm) and left == right:
        return left
    raise Mismatch(f"{_words(left)} on one path and {_words(right)} on another")


def _are_alike(left: TupleForm, right: TupleForm) -> bool:
    """Whether structures have the same parts; a list on one path is a tuple like that on another."""
    are_rows = all(form.node.kind in (TUPLE, LIST) for form in (left, right))
    return len(left.items) == len(right.items) and (left.node == right.node or are_rows)


def _words(form: Form) -> str:
    if isinstance(form, ScalarForm):
        return f"a scalar of type {form.dtype!r}"
    if isinstance(form, ArrayForm):
        return f"an array of rank {len(form.dims)} of {form.dtype!r}"
    if isinstance(form, RowsForm):
        return "a list whose length is known only when running"
    return words(form.node, len(form.items)) if isinstance(form, TupleForm) else describe(form.value)


def types(builder: Builder, form: Form) -> list[ir.Type]:
    """The SSA types of a form."""
    if isinstance(form, RowsForm):
        return types(builder, form.array)
    if isinstance(form, ScalarForm):
        return [builder.types.scalars[form.dtype]]
    if isinstance(form, ArrayForm):
        shape = [size.constant if size and size.is_constant else builder.types.dynamic for size in form.dims]
        return [ir.RankedTensorType.get(shape, builder.types.scalars[form.dtype], loc=builder.types.unknown)]
    return [each for item in form.items for each in types(builder, item)] if isinstance(form, TupleForm) else []


def open_sizes(form: Form) -> list[bool]:
    """For each SSA value of a form, whether it is an array with a size that paths differ in."""
    if isinstance(form, RowsForm):
        return open_sizes(form.array)
    if isinstance(form, TupleForm):
        return [each for item in form.items for each in open_sizes(item)]
    if isinstance(form, ArrayForm):
        return [None in form.dims]
    return [False] if isinstance(form, ScalarForm) else []


def flatten(t: Translator, value: Value, form: Form) -> list[ir.Value]:
    """A value as SSA values of a form it can be converted to."""
    if isinstance(form, RowsForm):
        return flatten(t, value.array, form.array)
    if isinstance(form, ScalarForm):
        return [promotion.ssa(t.builder, value, form.dtype)]
    if isinstance(form, ArrayForm):
        array = force(t, converted(t, value, form.dtype))
        known = [size or integers.opaque(t.builder, array.ssa) for size in form.dims]
        return [broadcasting.with_static_sizes(t, array.ssa, known)]
    if isinstance(form, TupleForm):
        pairs = zip(value.items, form.items, strict=True)
        return [each for item, inner in pairs for each in flatten(t, item, inner)]
    return []


def rebuild(t: Translator, form: Form, values: Iterator[ir.Value]) -> Value:
    """The value that SSA values of a form stand for; sizes the form does not know are read here."""
    if isinstance(form, RowsForm):
        array = rebuild(t, form.array, values)
        assert isinstance(array, Array)
        return Rows(array)
    if isinstance(form, ScalarForm):
        return promotion.from_ssa(t.builder, next(values), form.dtype, weak=form.weak)
    if isinstance(form, ArrayForm):
        array = next(values)
        dims = tuple(size or integers.size_of(t.builder, array, axis) for axis, size in enumerate(form.dims))
        return Array(form.dtype, dims, broadcasting.with_static_sizes(t, array, dims))
    if isinstance(form, TupleForm):
        return structured(form.node, [rebuild(t, item, values) for item in form.items])
    return form.value
