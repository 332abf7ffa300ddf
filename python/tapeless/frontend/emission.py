"""A module of core IR from the source of a function."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count
from typing import Any

from tapeless._mlir import ir
from tapeless.deep_calls import deep_calls
from tapeless.dialects.core_context import make_core_context
from tapeless.errors import FrontendError
from tapeless.frontend import reversible
from tapeless.frontend.calls.entry_points import entry_point
from tapeless.frontend.calls.specialise import Argument, function_for
from tapeless.frontend.control.joins import ArrayForm, FixedForm, Form, ScalarForm, TupleForm
from tapeless.frontend.emitted import Emitted, Structure
from tapeless.frontend.language import LANGUAGE
from tapeless.frontend.session import Session
from tapeless.frontend.syntax.faults import faults_explained
from tapeless.frontend.syntax.source import Source
from tapeless.frontend.values.builder import Types
from tapeless.frontend.values.value import Decorated, Opaque, Value
from tapeless.trees import Static, Unusable, branch, leaves, mapped
from tapeless.types import ArrayType, PythonNumber, Type, TypeTree, strong

MOST_NESTED = 256


def emit_module(
    source: Source,
    argument_types: tuple[TypeTree, ...],
    context: ir.Context | None,
    fastmath: str,
    method: str,
    stretches: bool,
) -> Emitted:
    """The module of a function and of all functions it calls."""
    with deep_calls(), faults_explained(source.file, source.line), context or make_core_context():
        location = ir.Location.file(source.file, source.line, 1)
        session = Session(ir.Module.create(location), Types(fastmath), LANGUAGE, method, stretches)
        function = function_for(session, source, mapped(argument_types, _argument), is_public=True)
        flat = tuple(map(strong, leaves(argument_types)))
        name = entry_point(session, source, function.name, flat, function.form)
        _verify(session.module)
        _check_nesting(source, function.form)
    results = tuple(_result_types(function.form))
    structure = _structure(function.form, count())
    return Emitted(session.module, name, structure, flat, results)


def _argument(type_: Type) -> Argument:
    """Numbers of Python are as weak as literals."""
    return Argument(strong(type_), weak=isinstance(type_, PythonNumber))


def _verify(module: ir.Module) -> None:
    try:
        module.operation.verify()
    except ir.MLIRError as error:
        refusal = reversible.refusal(error)
        if refusal is None:
            raise
        raise refusal from error


def _check_nesting(source: Source, form: Form) -> None:
    """Whoever puts results together takes a few calls for each level, and callers may be deep in calls themselves."""
    level: list[Form] = [form]
    for _ in range(MOST_NESTED + 1):
        level = [item for each in level if isinstance(each, TupleForm) for item in each.items]
    if level:
        raise FrontendError(
            f"{source.file}:{source.line}: {source.name}() returns structures nested more than {MOST_NESTED} deep; "
            "return flatter ones, or arrays"
        )


def _structure(form: Form, positions: Iterator[int]) -> Structure:
    if isinstance(form, TupleForm):
        return branch(form.node, [_structure(item, positions) for item in form.items])
    return Static(_given(form.value)) if isinstance(form, FixedForm) else next(positions)


def _given(value: Value) -> Any:
    """The Python object that a part of a result is, which is known when compiling."""
    if isinstance(value, Decorated):
        return value.given
    if isinstance(value, Opaque):
        return None if isinstance(value.value, Unusable) else value.value
    return value


def _result_types(form: Form) -> Iterator[Type]:
    if isinstance(form, TupleForm):
        for item in form.items:
            yield from _result_types(item)
    elif isinstance(form, ScalarForm):
        yield form.dtype
    elif isinstance(form, ArrayForm):
        yield ArrayType(form.dtype, tuple(size.constant if size and size.is_constant else None for size in form.dims))
