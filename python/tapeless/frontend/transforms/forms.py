"""The results of outlined functions before they are computed: their forms, and seeds for them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from tapeless._mlir import ir
from tapeless.frontend.arrays import whole_arrays
from tapeless.frontend.control import joins
from tapeless.frontend.control.joins import ArrayForm, FixedForm, Form, ScalarForm, TupleForm, form_leaves
from tapeless.frontend.transforms.outline import Outlined
from tapeless.frontend.values import promotion
from tapeless.frontend.values.value import Value, literal, structured

if TYPE_CHECKING:
    from tapeless.frontend.translator import Translator


def is_float_form(form: ScalarForm | ArrayForm) -> bool:
    """Whether values of a form have derivatives."""
    return form.dtype.is_float


def sized_form(t: Translator, function: Outlined) -> Form:
    """The form of the function's result with every size known here; the function is called if that takes its sizes."""
    is_sized = all(None not in leaf.dims for leaf in form_leaves(function.form) if isinstance(leaf, ArrayForm))
    return function.form if is_sized else joins.form_of(t.builder, function.call(t))


def filled(t: Translator, form: ScalarForm | ArrayForm, number: int) -> ir.Value:
    """A number in the type and shape of a form whose sizes are known."""
    if isinstance(form, ScalarForm):
        return promotion.ssa(t.builder, literal(number), form.dtype)
    return whole_arrays.filled(t, form.dims, literal(number), form.dtype).ssa


def with_form(form: Form, values: Sequence[Value]) -> Value:
    """Values, one per leaf, in the structure of a form."""
    return _with_form(form, iter(values))


def _with_form(form: Form, values: Iterator[Value]) -> Value:
    if isinstance(form, TupleForm):
        return structured(form.node, [_with_form(item, values) for item in form.items])
    return form.value if isinstance(form, FixedForm) else next(values)
