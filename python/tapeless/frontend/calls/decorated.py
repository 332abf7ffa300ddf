"""Calls of other decorated functions: as functions of the module, or inline when given functions or structures."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from tapeless.errors import TypeMismatch
from tapeless.frontend.calls import annotated, module_calls
from tapeless.frontend.calls.closures import run_inline
from tapeless.frontend.syntax.source import Source
from tapeless.frontend.values import binding
from tapeless.frontend.values.capture import captured_value
from tapeless.frontend.values.frame import frame_for
from tapeless.frontend.values.value import KEPT, STRUCTURES, Array, Decorated, Pending, Scalar, Value
from tapeless.signature import REQUIRED

if TYPE_CHECKING:
    from tapeless.frontend.translator import Translator


def call(t: Translator, function: Decorated, arguments: Sequence[Value], keywords: Mapping[str, Value]) -> Value:
    """The result of another decorated function."""
    source = function.source
    bound = bound_arguments(t, source, arguments, keywords)
    has_numbers = all(isinstance(value, (Scalar, Array, Pending)) for value in bound.values())
    if has_numbers and (source.rules is not None or not t.session.is_recursive(source)):
        return module_calls.call(t, source, [t.held(value) for value in bound.values()])
    if source.rules is not None:
        if all(map(_is_known, bound.values())):
            return module_calls.call(t, source, [t.held(value) for value in bound.values()])
        raise t.error(
            f"'{source.name}' has derivative rules and takes numbers, arrays and structures of them only",
            "use local values of a function inside it, or give it a function that is decorated",
            TypeMismatch,
        )
    return run_inline(t, frame_for(source.node, source), source.node, _as_annotated(t, source, bound))


def _as_annotated(t: Translator, source: Source, bound: Mapping[str, Value]) -> dict[str, Value]:
    """Arguments of a function that is translated in place, as its parameters are annotated."""
    parameters = {parameter.name: parameter for parameter in source.parameters}
    return {name: annotated.as_parameter(t, parameters[name], value) for name, value in bound.items()}


def _is_known(value: Value) -> bool:
    """Whether a function of the module can be given a value."""
    if isinstance(value, STRUCTURES):
        return all(map(_is_known, value.items))
    return isinstance(value, (Scalar, Array, Pending, *KEPT))


def bound_arguments(
    t: Translator, source: Source, arguments: Sequence[Value], keywords: Mapping[str, Value]
) -> dict[str, Value]:
    """Every parameter of a decorated function with its argument, or its default."""
    positional = [each.name for each in source.parameters if not each.keyword_only]
    names = [each.name for each in source.parameters]
    defaults = {
        each.name: captured_value(t, each.default, each.name)
        for each in source.parameters
        if each.default is not REQUIRED
    }
    return binding.bind(t, f"'{source.name}'", positional, names, defaults, arguments, keywords)
