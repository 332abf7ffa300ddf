"""Calls of Python objects that stand for themselves: functions on types, and constructors of structures."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from tapeless.errors import TypeMismatch
from tapeless.frontend.arrays.limits import limits
from tapeless.frontend.structures import construction
from tapeless.frontend.values.capture import is_about_types
from tapeless.frontend.values.value import Array, Opaque, Pending, Value

if TYPE_CHECKING:
    from tapeless.frontend.translator import Translator


def call_opaque(t: Translator, function: Opaque, arguments: Sequence[Value], keywords: Mapping[str, Value]) -> Value:
    """`np.finfo(dtype)`, or a new structure."""
    called = function.value
    if is_about_types(called):
        return limits(t, called, arguments, keywords)
    if called in (list, tuple) and arguments and isinstance(arguments[0], (Array, Pending)):
        raise t.error(
            f"{called.__name__}() of an array, whose size may be known only when running",
            "write x itself, which is taken where a list of numbers is, or [x[0], x[1]] for some of its elements",
            TypeMismatch,
        )
    return construction.call_opaque(t, function, arguments, keywords)
