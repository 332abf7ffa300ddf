"""Calls of functions of the module: operands from values, the result in terms of the caller."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from tapeless._mlir import ir
from tapeless.frontend.calls import annotated, recursion
from tapeless.frontend.calls.specialise import Argument, Specialisation, flat_values, function_for
from tapeless.frontend.control import joins
from tapeless.frontend.control.joins import ArrayForm, Form, TupleForm
from tapeless.frontend.syntax.source import Source
from tapeless.frontend.values import exactness, promotion
from tapeless.frontend.values.affine import Affine, Symbol
from tapeless.frontend.values.value import STRUCTURES, Array, Scalar, Value, type_of
from tapeless.trees import Static, branch

if TYPE_CHECKING:
    from tapeless.frontend.translator import Translator


def call(t: Translator, source: Source, values: Sequence[Value]) -> Value:
    """A `func.call` of another decorated function with numbers, arrays and structures of them."""
    if source in t.session.under_way:
        raise recursion.refusal(t, source.name)
    pairs = list(zip(source.parameters, values, strict=True))
    given = [annotated.as_parameter(t, parameter, value) for parameter, value in pairs]
    callee = function_for(t.session, source, tuple(map(_argument, given)), is_public=False)
    flat = [_as_computed(t, value) for value in flat_values(given)]
    operands = [promotion.ssa(t.builder, value) if isinstance(value, Scalar) else value.ssa for value in flat]
    attributes = {"callee": ir.FlatSymbolRefAttr.get(callee.name)}
    form = _at_caller(t, callee.form, _substitution(callee, flat))
    static = joins.types(t.builder, callee.form)
    operation = t.builder.operation("func.call", static, operands, attributes)
    return joins.rebuild(t, form, iter(list(operation.results)))


def _argument(value: Value) -> Any:
    """The tree of an argument for the callee."""
    if isinstance(value, STRUCTURES):
        return branch(value.node, [_argument(item) for item in value.items])
    if isinstance(value, (Scalar, Array)):
        return Argument(type_of(value), isinstance(value, Scalar) and value.weak)
    return Static(value)


def _as_computed(t: Translator, value: Scalar | Array) -> Scalar | Array:
    """An argument whose integer is that of the callee, so that sizes computed from it are the same at both."""
    if isinstance(value, Array) or value.affine is None or value.affine.is_constant:
        return value
    return replace(value, affine=exactness.as_computed(t.builder, value.affine))


def _substitution(callee: Specialisation, values: Sequence[Scalar | Array]) -> dict[Symbol, Affine]:
    """The substitution of the callee's parameter symbols at the caller."""
    found: dict[Symbol, Affine] = {}
    for symbols, value in zip(callee.parameters, values, strict=True):
        affines = value.dims if isinstance(value, Array) else (value.affine,)
        found.update({symbol: affine for symbol, affine in zip(symbols, affines, strict=True) if symbol and affine})
    return found


def _at_caller(t: Translator, form: Form, known: dict[Symbol, Affine]) -> Form:
    """The form of a result with its sizes in terms of the caller, None where that is not possible."""
    if isinstance(form, TupleForm):
        return TupleForm(tuple(_at_caller(t, item, known) for item in form.items), form.node)
    if isinstance(form, ArrayForm):
        return ArrayForm(form.dtype, tuple(_size_at_caller(size, known) for size in form.dims))
    return form


def _size_at_caller(size: Affine | None, known: dict[Symbol, Affine]) -> Affine | None:
    """A size in terms of the caller; a negative one is left to the callee, which refuses it when it runs."""
    if size is None or any(symbol not in known for symbol in size.terms):
        return None
    total = Affine(size.constant)
    for symbol, coefficient in size.terms.items():
        total = total.plus(known[symbol], coefficient)
    return None if total.is_constant and total.constant < 0 else total
