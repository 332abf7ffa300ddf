"""Functions derived from others, made once for every function and choice of options."""

from __future__ import annotations

import ast
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from tapeless import lang
from tapeless.api.function import TapelessFunction, function
from tapeless.errors import ArgumentError
from tapeless.frontend.source import REQUIRED, Parameter, Source
from tapeless.frontend.synthetic import synthetic
from tapeless.lang import Operator


def as_function(kind: str, value: Any) -> TapelessFunction:
    """What a transformation is applied to: a function of the language, a Python function, or an operator."""
    operator = lang.meaning(value)
    if operator is not None:
        return _operator_function(kind, operator)
    if not callable(value) or not (isinstance(value, TapelessFunction) or hasattr(value, "__code__")):
        raise ArgumentError(f"tl.{kind} takes a function, not {value!r}; write tl.{kind}(f)")
    return function(value)


def derive(
    f: TapelessFunction,
    name: str,
    expression: str,
    parameters: Sequence[Parameter],
    captured: Mapping[str, Any],
) -> TapelessFunction:
    """The function of some parameters that returns an expression about `f`, which it calls `f`."""
    parameters = _distinct(parameters)
    key = (name, expression, tuple((each.name, each.type) for each in parameters))
    if key not in f.derived:
        source = synthetic(f"{name}_{f.source.name}", expression, parameters, {**captured, "f": f}, f.source)
        f.derived[key] = TapelessFunction(source, f.options)
    return f.derived[key]


def _distinct(parameters: Sequence[Parameter]) -> list[Parameter]:
    """Parameters of different names: further ones of a name are numbered."""
    made: dict[str, Parameter] = {}
    for parameter in parameters:
        name, number = parameter.name, 1
        while name in made:
            number += 1
            name = f"{parameter.name} ({number})"
        made[name] = replace(parameter, name=name)
    return list(made.values())


def passed(parameters: Sequence[Parameter]) -> str:
    """The arguments of a call that passes on parameters `p0, p1, ...`."""
    return ", ".join(
        f"{parameter.name}=p{position}" if parameter.keyword_only else f"p{position}"
        for position, parameter in enumerate(parameters)
    )


_operator_functions: dict[str, TapelessFunction] = {}


def _operator_function(kind: str, operator: Operator) -> TapelessFunction:
    """An operator of numbers as a function."""
    known = _operator_functions.get(operator.__name__)
    if known is None:
        names = list(operator.__signature__.parameters.values())
        if any(each.default is not REQUIRED or each.kind is not each.POSITIONAL_OR_KEYWORD for each in names):
            raise ArgumentError(
                f"tl.{kind} of {operator!r}; write tl.{kind}(lambda x: {operator!r}(x)) with its arguments"
            )
        parameters = [Parameter(each.name, None, REQUIRED) for each in names]
        made = synthetic(operator.__name__, f"f({passed(parameters)})", parameters, {"f": operator}, _model(operator))
        known = _operator_functions[operator.__name__] = TapelessFunction(made)
    return known


def _model(operator: Operator) -> Source:
    node = ast.parse("lambda: 0", mode="eval").body
    return Source(operator.__name__, f"<{operator!r}>", [f"{operator!r}"], node, (), None, operator)
