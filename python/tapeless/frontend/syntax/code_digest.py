"""Digests of the Python code of classes, as text: constructors run while functions are compiled.

A function is its code, with those that it names and the constants among what it names, in its module or around it.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from types import CodeType, FunctionType
from typing import Any

from tapeless.trees import flatten_of

CONSTANTS = (bool, int, float, str, bytes, type(None))
MOST_FUNCTIONS = 1000


def making(cls: type) -> Iterator[str]:
    """All that the objects that a class makes of arguments depend on."""
    pending = [*_functions_of(cls)]
    known: list[FunctionType] = []
    while pending and len(known) < MOST_FUNCTIONS:
        function = pending.pop()
        if any(function is each for each in known):
            continue
        known.append(function)
        yield from _code(function.__code__)
        yield repr([_constant(each) for each in (function.__defaults__ or ())])
        named = _named_by(function)
        yield from (f"{name}={value!r}" for name, value in named if isinstance(value, CONSTANTS))
        pending += [value for _, value in named if isinstance(value, FunctionType)]


def _functions_of(cls: type) -> Iterator[FunctionType]:
    bases = [base for base in (*cls.__mro__, *type(cls).__mro__) if base.__module__ != "builtins"]
    for base in bases:
        for value in vars(base).values():
            found = (value.fget, value.fset) if isinstance(value, property) else (getattr(value, "__func__", value),)
            yield from (each for each in found if isinstance(each, FunctionType))
    if dataclasses.is_dataclass(cls):
        factories = (each.default_factory for each in dataclasses.fields(cls))
        yield from (each for each in factories if isinstance(each, FunctionType))
    flatten = flatten_of(cls)
    if isinstance(flatten, FunctionType):
        yield flatten


def _named_by(function: FunctionType) -> list[tuple[str, Any]]:
    """Names of the module, and of functions around it, with their values."""
    code = function.__code__
    names = sorted({name for each in _codes(code) for name in each.co_names})
    found = [(name, function.__globals__[name]) for name in names if name in function.__globals__]
    for name, cell in zip(code.co_freevars, function.__closure__ or (), strict=True):
        try:
            found.append((name, cell.cell_contents))
        except ValueError:  # it is not set yet
            continue
    return found


def _codes(code: CodeType) -> Iterator[CodeType]:
    yield code
    for each in code.co_consts:
        if isinstance(each, CodeType):
            yield from _codes(each)


def _code(code: CodeType) -> Iterator[str]:
    for each in _codes(code):
        yield repr((each.co_code, each.co_names, each.co_varnames, each.co_freevars))
        yield repr([_constant(constant) for constant in each.co_consts])


def _constant(value: Any) -> str:
    """A constant by its text; sets have no order that processes share."""
    if isinstance(value, (tuple, list)):
        return f"({', '.join(map(_constant, value))})"
    if isinstance(value, frozenset):
        return f"{{{', '.join(sorted(map(_constant, value)))}}}"
    return repr(value) if isinstance(value, CONSTANTS) else type(value).__qualname__
