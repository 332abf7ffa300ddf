"""Running functions through the frontend and the reference interpreter, and comparing them with plain Python.

A function written with numpy's names means the same to Python and to the language, so it is its own reference.
"""

from __future__ import annotations

import copy
from collections.abc import Callable
from typing import Any

import numpy as np

from core_interpreter import run as interpret
from shared_context import shared_context
from tapeless.frontend import Emitted, Source, emit
from tapeless.types import ArrayType, ScalarType, Type, type_of_value


def translate(function: Callable[..., Any], *arguments: Any) -> Emitted:
    """A function translated for arguments, or for types."""
    source = Source.of(function)
    given = zip(source.parameters, arguments, strict=True)
    return emit(source, [parameter.type or _type(argument) for parameter, argument in given], shared_context())


def _type(argument: Any) -> Type:
    return argument if isinstance(argument, (ScalarType, ArrayType)) else type_of_value(argument)


def text(function: Callable[..., Any], *arguments: Any) -> str:
    """The IR of a function."""
    return str(translate(function, *arguments).module)


def run(function: Callable[..., Any], *arguments: Any) -> Any:
    """The result of a translated function."""
    emitted = translate(function, *arguments)
    pairs = zip(emitted.argument_types, arguments, strict=True)
    values = [kind.numpy.type(value) if isinstance(kind, ScalarType) else value for kind, value in pairs]
    results = interpret(emitted.module, emitted.name, *values)
    for result, kind in zip(results, emitted.result_types, strict=True):
        dtype = kind if isinstance(kind, ScalarType) else kind.dtype
        assert np.asarray(result).dtype == dtype.numpy
    return _structured(emitted.structure, results)


def _structured(structure: Any, results: list[Any]) -> Any:
    if isinstance(structure, tuple):
        return tuple(_structured(part, results) for part in structure)
    return results[structure]


def check(function: Callable[..., Any], *arguments: Any, expected: Any = None, rtol: float = 1e-12) -> Any:
    """The translated function gives what Python gives, or the expected result; arguments stay as they were."""
    before = copy.deepcopy(arguments)
    result = run(function, *arguments)
    for old, new in zip(before, arguments, strict=True):
        np.testing.assert_array_equal(old, new)
    if expected is None:
        with np.errstate(all="ignore"):
            expected = function(*copy.deepcopy(arguments))
    compare(result, expected, rtol)
    return result


def compare(result: Any, expected: Any, rtol: float = 1e-12) -> None:
    """Same structure, shapes, kinds of numbers, and values to rounding."""
    if isinstance(expected, tuple):
        assert isinstance(result, tuple) and len(result) == len(expected)
        for part, wanted in zip(result, expected, strict=True):
            compare(part, wanted, rtol)
        return
    assert np.shape(result) == np.shape(expected)
    assert np.asarray(result).dtype.kind == np.asarray(expected).dtype.kind
    np.testing.assert_allclose(result, expected, rtol=rtol, atol=rtol)
