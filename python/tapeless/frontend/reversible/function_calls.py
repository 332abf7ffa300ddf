"""Calls of procedures from functions: on values, and all parameters come back."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from tapeless._mlir import ir
from tapeless.errors import NotReversible, TypeMismatch
from tapeless.frontend.calls import annotated
from tapeless.frontend.calls.decorated import bound_arguments
from tapeless.frontend.reversible import procedures
from tapeless.frontend.reversible.flat_procedures import flat_source, named_parts, shape_of
from tapeless.frontend.reversible.numbers import number_arguments
from tapeless.frontend.reversible.translator import ProcedureTranslator
from tapeless.frontend.syntax.procedures import Procedure
from tapeless.frontend.values.value import (
    KEPT,
    STRUCTURES,
    Array,
    Pending,
    Scalar,
    Tuple,
    Value,
    describe,
    structured,
    type_of,
)
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
    structures = {name: value for name, value in bound.items() if isinstance(value, (*STRUCTURES, *KEPT))}
    if structures:
        return _on_cells(t, procedure, bound, structures)
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


def _on_cells(
    t: Translator, procedure: Procedure, bound: Mapping[str, Value], structures: Mapping[str, Value]
) -> Tuple:
    """A call with structures: of the procedure on their cells."""
    parameters = {each.name: each for each in procedure.source.parameters}
    given = {name: annotated.as_parameter(t, parameters[name], value) for name, value in structures.items()}
    shapes = {name: shape_of(t, value, name) for name, value in given.items()}
    flat = replace(procedure, source=flat_source(t, procedure.source, shapes))
    named = [pair for name, value in bound.items() for pair in _cells(given.get(name, value), name)]
    results = iter(call(t, flat, [], dict(named)).items)
    return Tuple(tuple(_put_back(given.get(name, value), results) for name, value in bound.items()))


def _cells(value: Value, path: str) -> Iterator[tuple[str, Value]]:
    """The numbers and arrays in an argument, by their paths."""
    if isinstance(value, STRUCTURES):
        for part, name in named_parts(value, path):
            yield from _cells(part, name)
    elif not isinstance(value, KEPT):
        yield path, value


def _put_back(value: Value, results: Iterator[Value]) -> Value:
    if isinstance(value, STRUCTURES):
        return structured(value.node, [_put_back(part, results) for part in value.items])
    return value if isinstance(value, KEPT) else next(results)


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
