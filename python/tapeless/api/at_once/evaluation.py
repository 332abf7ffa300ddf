"""Calls of operators outside of functions: each is compiled once for the kinds of its arguments, and runs."""

from __future__ import annotations

import ast
import builtins
from collections.abc import Mapping, Sequence
from types import FunctionType
from typing import Any

import numpy as np

from tapeless.api.at_once.kept import Kept
from tapeless.api.at_once.printed import printed
from tapeless.api.at_once.request import Request, request
from tapeless.api.by_python.switch import is_disabled, runner
from tapeless.api.decorated import TapelessFunction
from tapeless.api.function import function
from tapeless.api.printing import given_a_printing_function
from tapeless.errors import ArgumentError, TapelessError
from tapeless.frontend.syntax.source import Source
from tapeless.frontend.syntax.synthetic import synthetic
from tapeless.lang import Operator

_calls, _functions = Kept(), Kept()


def evaluate(operator: Operator, arguments: tuple[Any, ...], named: dict[str, Any]) -> Any:
    """The result of an operator for values of Python and numpy, the same as inside of a function."""
    if operator.__name__ in TAKE_FUNCTIONS and (is_disabled() or _gives_printing(arguments)):
        return runner().run_operator(operator, arguments, named)
    direct = DIRECT.get(operator.__name__)
    if direct is not None:
        return direct(operator, arguments, named)
    return compiled(operator, arguments, named)


def compiled(operator: Operator, arguments: Sequence[Any], named: Mapping[str, Any]) -> Any:
    """The result, by compiled code."""
    asked = request(operator, arguments, named, function_of)
    made = _calls.get(asked.key) or _calls.keep(asked.key, _made(asked, arguments, named))
    return made(*asked.values)


def function_of(value: Any) -> TapelessFunction:
    """A plain Python function as a function of the language; read anew in each call, since its
    captured values change.
    """
    read = function(value)
    key = read.source.fingerprint()
    return _functions.get(key) or _functions.keep(key, read)


def _made(asked: Request, arguments: Sequence[Any], named: Mapping[str, Any]) -> TapelessFunction:
    operator = asked.operator
    try:
        operator.__signature__.bind(*arguments, **named)
    except TypeError as error:
        raise ArgumentError(f"tl.{operator.__name__}: {error}; its parameters are {operator.__signature__}") from None
    outside = {**asked.captured, "f": operator}
    source = synthetic(operator.__name__, f"f({asked.text})", asked.parameters, outside, _model(asked))
    return TapelessFunction(source)


def _model(asked: Request) -> Source:
    """Errors show the call with the names of its arguments."""
    node = ast.parse("lambda: 0", mode="eval").body
    assert isinstance(node, ast.Lambda)
    line = f"tl.{asked.operator.__name__}({asked.shown})"
    return Source(asked.operator.__name__, f"<{asked.operator!r}>", [line], node, (), None, asked.operator)


def _range(operator: Operator, arguments: Sequence[Any], named: Mapping[str, Any]) -> builtins.range:
    """A range of Python; the hints are for differentiation."""
    try:
        operator.__signature__.bind(*arguments, **named)
        return builtins.range(*arguments)
    except TypeError as error:
        raise ArgumentError(f"tl.range: {error}; write tl.range(n) or tl.range(start, stop, step)") from None


def _array(operator: Operator, arguments: Sequence[Any], named: Mapping[str, Any]) -> Any:
    """An array of numbers that are all Python's needs no code of its own for each shape."""
    if len(arguments) == 1 and not named and _is_of_numbers(arguments[0]):
        try:
            arguments = (np.array(arguments[0]),)
        except ValueError:
            return compiled(operator, arguments, named)
    return compiled(operator, arguments, named)


def _is_of_numbers(value: Any) -> bool:
    if isinstance(value, (tuple, list)):
        return len(value) > 0 and all(map(_is_of_numbers, value))
    return isinstance(value, (bool, int, float)) and not isinstance(value, np.generic)


def _gives_printing(arguments: tuple[Any, ...]) -> bool:
    """Whether a function that is given to an operator prints."""
    return given_a_printing_function(
        tuple(function_of(each) if isinstance(each, FunctionType) else each for each in arguments)
    )


def _debug_print(_operator: Operator, arguments: Sequence[Any], named: Mapping[str, Any]) -> None:
    printed(*arguments, **named)


def _statement(operator: Operator, _arguments: Sequence[Any], _named: Mapping[str, Any]) -> Any:
    """Refuses parts of a statement of functions or procedures."""
    from tapeless.frontend.calls.operator_calls import MISPLACED

    raise TapelessError(f"tl.{operator.__name__} cannot be called here; {MISPLACED[operator.__name__]}")


TAKE_FUNCTIONS = ("map", "reduce", "scan", "hist")
STATEMENTS = ("bounded", "ancilla", "routine", "cond", "recip", "rot", "hadamard", "new_stack", "push", "pop")
# Operators that no code is compiled for.
DIRECT = {"range": _range, "debug_print": _debug_print, "array": _array, **dict.fromkeys(STATEMENTS, _statement)}
