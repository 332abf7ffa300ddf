"""Derivatives of procedures: which of their parameters holds the loss."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from tapeless.errors import ArgumentError
from tapeless.frontend.syntax.procedures import Procedure
from tapeless.frontend.values.value import Component, Tuple, Value

if TYPE_CHECKING:
    from tapeless.frontend.translator import Translator


def of_loss(t: Translator, kind: str, function: Value, loss: int | str | None, *, is_needed: bool = False) -> Value:
    """The function to differentiate: a function as it is, of a procedure the parameter that holds the loss."""
    if not isinstance(function, Procedure):
        if loss is None:
            return function
        raise t.error(
            f"tl.{kind} of a function with loss={loss!r}",
            "leave loss out; what a function returns is the loss",
            ArgumentError,
        )
    if loss is not None:
        return Component(function, _position(t, function, loss))
    if not is_needed:
        return function
    name = function.source.name
    raise t.error(
        f"tl.{kind} of the procedure '{name}', which gives all its parameters",
        f"say which one holds the loss, such as tl.{kind}({name}, loss={function.source.parameters[0].name!r})",
        ArgumentError,
    )


def _position(t: Translator, procedure: Procedure, loss: int | str) -> int:
    names = [parameter.name for parameter in procedure.source.parameters]
    if loss in names:
        return names.index(str(loss))
    if isinstance(loss, int) and -len(names) <= loss < len(names):
        return loss % len(names)
    raise t.error(
        f"loss={loss!r} is no parameter of '{procedure.source.name}'",
        f"its parameters: {', '.join(names)}",
        ArgumentError,
    )


def call(t: Translator, function: Component, arguments: Sequence[Value], keywords: Mapping[str, Value]) -> Value:
    """The parameter after the procedure has run."""
    parameters = t.call(function.procedure, arguments, keywords)
    assert isinstance(parameters, Tuple)
    return parameters.items[function.position]
