"""Calls of procedures from functions: on values, and all parameters come back."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from tapeless._mlir import ir
from tapeless.errors import NotReversible, TypeMismatch
from tapeless.frontend.calls import annotated
from tapeless.frontend.calls.decorated import bound_arguments
from tapeless.frontend.reversible import procedures
from tapeless.frontend.reversible.translator import ProcedureTranslator
from tapeless.frontend.syntax.procedures import Procedure
from tapeless.frontend.values import promotion
from tapeless.frontend.values.value import Array, Pending, Scalar, Tuple, Value, describe, type_of
from tapeless.signature import Parameter

if TYPE_CHECKING:
    from tapeless.frontend.translator import Translator


def call(t: Translator, procedure: Procedure, arguments: Sequence[Value], keywords: Mapping[str, Value]) -> Tuple:
    """A `func.call` of the function that runs a procedure; parameters that are only read come back as they went in."""
    source = procedure.source
    if isinstance(t, ProcedureTranslator):
        raise t.error(
            f"'{source.name}' is a procedure and has no value in an expression",
            f"call it in a statement of its own, '{source.name}(...)', on cells",
            NotReversible,
        )
    bound = bound_arguments(t, source, arguments, keywords)
    values = [_argument(t, parameter, bound[parameter.name]) for parameter in source.parameters]
    made = procedures.procedure_for(t.session, source, tuple(type_of(value) for value in values))
    attributes = {"callee": ir.FlatSymbolRefAttr.get(procedures.declared(t.session, procedure, made))}
    operands = [promotion.ssa(t.builder, value) if isinstance(value, Scalar) else value.ssa for value in values]
    changed = [each.type for each, is_changing in zip(operands, made.changing, strict=True) if is_changing]
    results = iter(list(t.builder.operation("func.call", changed, operands, attributes).results))
    pairs = zip(values, made.changing, strict=True)
    return Tuple(tuple(_renewed(t, value, next(results)) if is_changing else value for value, is_changing in pairs))


def _argument(t: Translator, parameter: Parameter, value: Value) -> Scalar | Array:
    if not isinstance(value, (Scalar, Array, Pending)):
        raise t.error(
            f"the argument '{parameter.name}' is {describe(value)}", "pass a number or an array", TypeMismatch
        )
    held = t.held(value)
    assert isinstance(held, (Scalar, Array))
    return held if parameter.type is None else annotated.as_annotated(t, parameter.name, parameter.type, held)


def _renewed(t: Translator, old: Scalar | Array, ssa: ir.Value) -> Scalar | Array:
    """What a parameter is after the call; sizes stay."""
    if isinstance(old, Array):
        return Array(old.dtype, old.dims, ssa)
    return promotion.from_ssa(t.builder, ssa, old.dtype)
