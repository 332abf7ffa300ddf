"""Calls of functions that Python runs: arguments checked as those of compiled ones, the body rewritten once."""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from types import CodeType, FunctionType
from typing import Any
from weakref import WeakKeyDictionary

import numpy as np

from tapeless import lang
from tapeless.abi import Parameter as Bound
from tapeless.annotations import conformed
from tapeless.api.by_python import meaning
from tapeless.api.by_python.numbers import given_back, strong
from tapeless.api.by_python.rewriting import LANGUAGE, rewritten
from tapeless.api.by_python.switch import switched
from tapeless.api.by_python.transformations import BY_PYTHON, batched, is_batch_of_arrays, primals_of, transformed
from tapeless.api.decorated import TapelessFunction
from tapeless.api.function import function
from tapeless.api.parameters import OF_TYPES, annotated_type, value_type
from tapeless.api.printing import check_printing, prints
from tapeless.errors import ArgumentError, TapelessError
from tapeless.frontend.syntax.source import Source, closure_of
from tapeless.lang import Operator
from tapeless.runtime.calling.arguments import bind_array, bind_scalar
from tapeless.runtime.calling.parameters import bind_call
from tapeless.signature import Parameter
from tapeless.trees import Static, made, node_of, read
from tapeless.types import ArrayType, PythonNumber, ScalarType, Type


def run(called: TapelessFunction, values: Sequence[Any]) -> Any:
    """The result of a call from outside, whose numbers have the types that compiled functions would give them."""
    if not called.source.is_written:
        return given_back(_run_made(called, values))
    given = [
        _structure(called.source, parameter, value)
        if parameter.type is None
        else _bound(parameter.name, parameter.type, value)
        for parameter, value in zip(called.source.parameters, values, strict=True)
    ]
    return given_back(_python_function(called.source)(*given))


def run_inside(called: TapelessFunction, arguments: Sequence[Any], named: Mapping[str, Any]) -> Any:
    """The result of a call inside of another function; numbers of Python stay as weak as they are."""
    parameters = called.source.parameters
    values = bind_call(called.source.name, parameters, arguments, named)
    if not called.source.is_written:
        return strong(_run_made(called, values))
    given = [
        _as_annotated(parameter, value, is_inside=True)
        if parameter.type is None
        else _bound(parameter.name, parameter.type, value)
        for parameter, value in zip(parameters, values, strict=True)
    ]
    return _python_function(called.source)(*given)


def _run_made(called: TapelessFunction, values: Sequence[Any]) -> Any:
    """A function that was made of another: by Python where its value is that of the other, else compiled.

    The function that is differentiated runs by Python before its derivatives do, for what it prints.
    """
    how = transformed(called)
    if how is not None and is_batch_of_arrays(how, values):
        return batched(lambda inner, given: run_inside(inner, given, {}), how, values)
    if how is not None and how.kind == "vmap" and prints(how.inner.source):
        raise ArgumentError(
            f"{how.inner.source.name}() prints by tl.debug_print, and tl.vmap of structures, or with out_axes, "
            "does not; leave the printing out, or call the function in a loop"
        )
    if how is not None and how.kind != "vmap":
        value = run(how.inner, values)
        if how.kind == "checkpoint":
            return value
    elif how is None and (along := primals_of(called, values)) is not None:
        inner, primals = along
        run(inner, bind_call(inner.source.name, inner.source.parameters, primals, {}))
    with switched(is_on=False):
        return TapelessFunction.__call__(called, *values)


def run_operator(operator: Operator, arguments: Sequence[Any], named: Mapping[str, Any]) -> Any:
    """An operator that takes functions, called outside of functions."""
    given = [function(each) if isinstance(each, FunctionType) else each for each in arguments]
    return given_back(meaning.call(operator, *map(strong, given), **named))


_codes: WeakKeyDictionary[Source, CodeType] = WeakKeyDictionary()


def _python_function(source: Source) -> Callable[..., Any]:
    """The function that Python runs; outside numbers and arrays have the values that the function has captured."""
    source.capture_rest()
    outside = {name: _stand_in(source, value) for name, value in source.captured.items()}
    if source not in _codes:
        _codes[source] = _code(source)
    space = {**source.function.__globals__, **closure_of(source.function), LANGUAGE: meaning}
    space |= {_named(name): value for name, value in outside.items()}
    return FunctionType(_codes[source], space)


def _code(source: Source) -> CodeType:
    def outside(name: str) -> str | None:
        return None if _is_plain(source, name) else _named(name)

    check_printing(source)
    node = rewritten(source, outside, lambda name: _is_plain(source, name))
    module = compile(ast.Module([node], []), source.file, "exec")
    return next(each for each in module.co_consts if isinstance(each, CodeType))


def _named(name: str) -> str:
    return f"<{name}>"


def _is_plain(source: Source, name: str) -> bool:
    """Whether an outside name is Python's alone: no number, array, operator or function of the language."""
    if name not in source.captured:
        return True
    value = source.captured[name]
    if isinstance(value, type) and lang.meaning(value) is not None:
        return False
    return _stand_in(source, value) is value and not isinstance(
        value, (bool, int, float, tuple, np.generic, np.ndarray, Operator, TapelessFunction)
    )


def _stand_in(source: Source, value: Any) -> Any:
    """The stand-in of an outside value in a body that Python runs: numpy's functions are operators, those read as the
    language's are run as such, and anything else is Python's alone.
    """
    if id(value) in BY_PYTHON:
        return BY_PYTHON[id(value)]
    operator = lang.meaning(value)
    if operator is None and isinstance(value, FunctionType):
        return _helper(source, value)
    if operator is None or operator.__name__ not in lang.OPERATORS or isinstance(value, type):
        return value
    return meaning.bounded if operator.__name__ == "bounded" else operator


def _helper(source: Source, value: FunctionType) -> Any:
    """A plain function that another one calls, if it is one of the language."""
    try:
        called = source.called(value)
    except TapelessError:
        return value
    return value if called is None else TapelessFunction(called)


def _structure(source: Source, parameter: Parameter, value: Any) -> Any:
    """An argument that is no single number or array: structures of them, or values that choose code."""
    if isinstance(value, FunctionType):
        return _helper(source, value)
    return _as_annotated(parameter, value, is_inside=False)


def _as_annotated(parameter: Parameter, value: Any, *, is_inside: bool) -> Any:
    """A structure with the types that its annotation fixes; inside of functions, other parts stay as they are."""
    if is_inside and parameter.layout is None:
        return value

    def leaf(wanted: Type | None, given: Any, name: str) -> Any:
        if isinstance(given, Static) or (is_inside and wanted is None):
            return annotated_type(wanted, given, name)
        kind = value_type(given, name)
        return _bound(name, annotated_type(wanted, kind, name) or kind, given)

    tree = read(value, parameter.name, lambda given, _: given)
    access = replace(OF_TYPES, leaf=leaf, describe=_described)
    return made(conformed(access, parameter.layout, tree, parameter.name))


def _described(tree: Any) -> str:
    """A value in the words of messages about calls of compiled functions."""
    is_leaf = node_of(tree) is None and not isinstance(tree, Static)
    return OF_TYPES.describe(value_type(tree, "it") if is_leaf else tree)


def _bound(name: str, type_: Type, value: Any) -> Any:
    """An argument as compiled functions would take it, or their error."""
    kind = type_.dtype if isinstance(type_, ArrayType) else type_
    dtype = "i1" if kind.is_bool else kind.name
    if isinstance(type_, ArrayType):
        array = bind_array(value, Bound("array", dtype, type_.shape), name)
        return array.astype(np.float32) if kind.is_half else array
    number = _typed(kind, bind_scalar(value, Bound("scalar", "f32" if kind.is_half else dtype, ()), name))
    return np.float32(number) if kind.is_half else number


def _typed(kind: ScalarType, number: Any) -> Any:
    return number if isinstance(kind, PythonNumber) else bool(number) if kind.is_bool else kind.numpy.type(number)
