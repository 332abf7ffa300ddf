"""Matches the arguments of a call with parameters, as Python does."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from tapeless.errors import ArgumentError
from tapeless.signature import REQUIRED, Parameter
from tapeless.spelling import nearest_or_all


def bind_call(
    function: str, parameters: Sequence[Parameter], arguments: Sequence[Any], named: Mapping[str, Any]
) -> list[Any]:
    """One value per parameter: given by position, by name, or by default."""
    positional = [parameter for parameter in parameters if not parameter.keyword_only]
    if len(arguments) > len(positional):
        raise ArgumentError(
            f"{function}() takes {_count(len(positional))} but {len(arguments)} were given; "
            f"its parameters are {', '.join(parameter.name for parameter in parameters) or 'none'}"
        )
    values = {parameter.name: value for parameter, value in zip(positional, arguments, strict=False)}
    for name, value in named.items():
        if name in values:
            raise ArgumentError(f"{function}() got two values for '{name}'; pass it once")
        if all(name != parameter.name for parameter in parameters):
            hint = nearest_or_all(name, [parameter.name for parameter in parameters])
            raise ArgumentError(f"{function}() has no parameter '{name}'{hint}")
        values[name] = value
    return [_value_of(function, parameter, values) for parameter in parameters]


def complete_count(parameters: Sequence[Parameter]) -> int | None:
    """How many positional arguments make a complete call; None if some must be named."""
    return None if any(parameter.keyword_only for parameter in parameters) else len(parameters)


def _value_of(function: str, parameter: Parameter, values: Mapping[str, Any]) -> Any:
    if parameter.name in values:
        return values[parameter.name]
    if parameter.default is REQUIRED:
        raise ArgumentError(f"{function}() needs a value for '{parameter.name}'; pass it by position or by name")
    return parameter.default


def _count(number: int) -> str:
    return f"{number} argument{'' if number == 1 else 's'}"
