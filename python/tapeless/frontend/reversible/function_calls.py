"""Calls of procedures from functions: on values, and all parameters come back."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from tapeless._mlir import ir
from tapeless.errors import NotReversible, TypeMismatch
from tapeless.frontend.calls import annotated
from tapeless.frontend.calls.decorated import bound_arguments
from tapeless.frontend.reversible import procedures
from tapeless.frontend.reversible.numbers import number_arguments
from tapeless.frontend.reversible.translator import ProcedureTranslator
from tapeless.frontend.syntax.procedures import Procedure
from tapeless.frontend.values.value import Array, Pending, Scalar, Tuple, Value, describe, type_of
from tapeless.number_types import number_of
from tapeless.signature import Parameter
from tapeless.types import ArrayType, Type

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
    is_stored = procedure.is_stored
    values = [_argument(t, parameter, bound[parameter.name], is_stored) for parameter in source.parameters]
    pairs = list(zip(source.parameters, values, strict=True))
    types = tuple(_type(parameter, value) for parameter, value in pairs)
    made = procedures.procedure_for(t.session, source, types)
    attributes = {"callee": ir.FlatSymbolRefAttr.get(procedures.declared(t.session, procedure, made))}
    given = [number_arguments.operands(t, *pair, is_stored=is_stored) for pair in pairs]
    changing = [held for held, is_changing in zip(given, made.changing, strict=True) if is_changing]
    changed = [each.type for held in changing for each in held]
    operands = [each for held in given for each in held]
    results = iter(list(t.builder.operation("func.call", changed, operands, attributes).results))
    return Tuple(
        tuple(
            number_arguments.result(t, parameter, value, results, is_stored=is_stored) if is_changing else value
            for (parameter, value), is_changing in zip(pairs, made.changing, strict=True)
        )
    )


def _type(parameter: Parameter, value: Scalar | Array) -> Type:
    """The type of the cell that an argument is put into."""
    found, number = type_of(value), number_of(parameter.type)
    if number is None:
        return found
    return ArrayType(number, found.shape) if isinstance(found, ArrayType) else number


def _argument(t: Translator, parameter: Parameter, value: Value, is_stored: bool) -> Scalar | Array:
    if not isinstance(value, (Scalar, Array, Pending)):
        raise t.error(
            f"the argument '{parameter.name}' is {describe(value)}", "pass a number or an array", TypeMismatch
        )
    held = t.held(value)
    assert isinstance(held, (Scalar, Array))
    wanted = number_arguments.passed_as(parameter, is_stored=is_stored)
    return held if wanted is None else annotated.as_annotated(t, parameter.name, wanted, held)
