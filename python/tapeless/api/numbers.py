"""Arguments and results of procedures whose parameters have number systems of their own."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from tapeless.errors import ArgumentError, TypeMismatch
from tapeless.frontend.syntax.procedures import Procedure
from tapeless.number_types import Stored, number_of, read_as, stored_as
from tapeless.signature import Parameter


def as_seen(procedure: Procedure) -> tuple[Parameter, ...]:
    """The parameters of a procedure for its callers: the contents of cells (`is_stored`), or values."""
    seen = stored_as if procedure.is_stored else read_as
    parameters = procedure.source.parameters
    return tuple(each if each.type is None else replace(each, type=seen(each.type)) for each in parameters)


def stored(parameter: Parameter, value: Any) -> Any:
    """The contents of a parameter's cell for an argument: that of a stored number, or the nearest to a value."""
    number = number_of(parameter.type)
    if isinstance(value, Stored):
        if value.number != number:
            raise TypeMismatch(
                f"argument '{parameter.name}': it is {value.number!r}, and the parameter {parameter.type!r}; "
                "pass a number of that type, or float(x)"
            )
        return value.raw if value.ndim else value.raw[()]
    if number is None:
        return value
    try:
        raw = number.stored(value)
    except (ArgumentError, TypeMismatch) as error:
        raise type(error)(f"argument '{parameter.name}': {error}") from None
    return raw if raw.ndim else raw[()]


def given_back(parameter: Parameter, held: Any) -> Any:
    """The result of a call for a parameter, to the last bit."""
    number = number_of(parameter.type)
    return held if number is None else Stored(number, held)
