"""Associative operators given as functions, translated on pairs of elements, or of rows, with neutral elements."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from tapeless._mlir import ir
from tapeless.dataclasses_on_use import dataclass
from tapeless.dialects.groups import FEW_RUNS
from tapeless.errors import ShapeMismatch, TypeMismatch
from tapeless.frontend.arrays import whole_arrays
from tapeless.frontend.control import joins
from tapeless.frontend.control.joins import ArrayForm, Form, Mismatch
from tapeless.frontend.elementwise import broadcasting
from tapeless.frontend.elementwise.application import force
from tapeless.frontend.values.builder import Scope
from tapeless.frontend.values.mixed_types import check_runs
from tapeless.frontend.values.value import Array, Scalar, Tuple, Value

if TYPE_CHECKING:
    from tapeless.frontend.translator import Translator


@dataclass(frozen=True)
class Operator:
    """An associative operator: its body on two tuples of forms, and their neutral elements."""

    block: ir.Block
    forms: list[Form]
    neutral: list[ir.Value]

    def converted(self, t: Translator, operands: Sequence[Array]) -> list[Array]:
        """The operands in the dtypes the operator works on."""
        return [_as_form(t, array, form) for array, form in zip(operands, self.forms, strict=True)]

    def types(self, t: Translator) -> list[ir.Type]:
        return [each for form in self.forms for each in joins.types(t.builder, form)]


def _as_form(t: Translator, array: Array, form: Form) -> Array:
    """An array whose rows have a form."""
    converted = force(t, whole_arrays.converted(t, array, form.dtype))
    if array.rank == 1:
        return converted
    dims = (array.dims[0], *form.dims)
    return Array(form.dtype, dims, broadcasting.with_static_sizes(t, converted.ssa, dims))


def operator(t: Translator, op: Value, neutral: Value, operands: Sequence[Array]) -> Operator:
    """Translates an operator on elements, or rows, of arrays; again when it changes the dtype of its operands."""
    starts = list(neutral.items) if isinstance(neutral, Tuple) else [neutral]
    if len(starts) != len(operands):
        raise t.error(
            f"{len(starts)} neutral elements for {len(operands)} arrays",
            "give a tuple with one for every array",
            TypeMismatch,
        )
    starts = [_neutral_row(t, start, array) for start, array in zip(starts, operands, strict=True)]
    forms = [_start_form(t, *pair) for pair in zip(operands, starts, strict=True)]
    while True:
        block, results, scope = _body(t, op, forms)
        joined = [_join(t, form, joins.form_of(t.builder, each)) for form, each in zip(forms, results, strict=True)]
        if joined == forms:
            break
        forms = joined
        t.builder.discard(block)
    with t.builder.inside(block, scope):
        flat = [each for value, form in zip(results, forms, strict=True) for each in joins.flatten(t, value, form)]
        t.builder.operation("soac.yield", [], flat)
    neutrals = [each for start, form in zip(starts, forms, strict=True) for each in joins.flatten(t, start, form)]
    check_runs(t, "the parts of this operator", [each.type for each in neutrals], FEW_RUNS)
    return Operator(block, forms, neutrals)


def _neutral_row(t: Translator, neutral: Value, array: Array) -> Value:
    """The neutral element; a scalar stands for a row filled with it."""
    number = t.held(t.number(neutral, "the neutral element"))
    if array.rank == 1 or not isinstance(number, Scalar):
        return number
    return whole_arrays.filled(t, array.dims[1:], number, array.dtype if number.weak else number.dtype)


def _start_form(t: Translator, array: Array, neutral: Value) -> Form:
    """The form elements, or rows, have in common with the neutral element; sizes are checked to be equal."""
    form = joins.form_of(t.builder, neutral)
    if array.rank == 1:
        return _join(t, joins.ScalarForm(array.dtype, weak=False), form)
    if not isinstance(form, ArrayForm) or neutral.rank != array.rank - 1:
        return _join(t, ArrayForm(array.dtype, array.dims[1:]), form)
    pairs = zip(array.dims[1:], neutral.dims, strict=True)
    dims = tuple(broadcasting.same_size(t, *pair, axis) for axis, pair in enumerate(pairs, start=1))
    return _join(t, ArrayForm(array.dtype, dims), ArrayForm(form.dtype, dims))


def _join(t: Translator, left: Form, right: Form) -> Form:
    try:
        joined = joins.join(left, right)
    except Mismatch as mismatch:
        raise t.error(
            f"the operator works on {mismatch}", "use an operator whose result is like its operands", TypeMismatch
        ) from None
    if isinstance(joined, ArrayForm) and None in joined.dims:
        raise t.error("the operator changes the shape of rows", "use an operator that keeps their shape", ShapeMismatch)
    return joined


def _body(t: Translator, op: Value, forms: list[Form]) -> tuple[ir.Block, list[Value], Scope]:
    types, scope = [each for form in forms for each in joins.types(t.builder, form)], Scope()
    with t.builder.region([*types, *types], scope) as block:
        values = iter(list(block.arguments))
        operands = [joins.rebuild(t, form, values) for form in (*forms, *forms)]
        result = t.held(t.call(op, operands))
    results = list(result.items) if isinstance(result, Tuple) else [result]
    if len(results) != len(forms):
        raise t.error(
            f"the operator returns {len(results)} values for {len(forms)} arrays",
            "return one value for every array",
            TypeMismatch,
        )
    return block, results, scope
