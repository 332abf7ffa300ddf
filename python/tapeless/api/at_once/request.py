"""A call of an operator as a request: an expression with constants, functions and parameters, and values for these."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import field
from functools import cache
from typing import Any

import numpy as np

from tapeless import lang
from tapeless.api.at_once.constants import NEEDS_SIZES, is_constant
from tapeless.dataclasses_on_use import dataclass
from tapeless.frontend.syntax.source import is_decorated
from tapeless.lang import Operator
from tapeless.signature import REQUIRED, Parameter
from tapeless.types import ArrayType, ScalarType, Type, from_numpy, type_of_annotation

FunctionOf = Callable[[Any], Any]


@dataclass
class Request:
    """A call under way: `f(p0, (p1, p2), axis=0)` with the values of `p0, ...` and the other names
    of the expression.
    """

    operator: Operator
    function_of: FunctionOf
    text: str = ""
    names: list[str] = field(default_factory=list)
    kinds: list[Type | None] = field(default_factory=list)
    values: list[Any] = field(default_factory=list)
    captured: dict[str, Any] = field(default_factory=dict)

    @property
    def key(self) -> tuple[Any, ...]:
        """The key of the function that is compiled."""
        return (self.operator, self.text, tuple(self.kinds), *self.captured.values())

    @property
    def shown(self) -> str:
        """The expression with the names of the arguments."""
        return re.sub(r"\bp(\d+)\b", lambda found: self.names[int(found[1])], self.text)

    @property
    def parameters(self) -> list[Parameter]:
        """The parameters of the function; only those that need sizes have types."""
        return [Parameter(name, kind, REQUIRED) for name, kind in zip(self.names, self.kinds, strict=True)]

    def argument(self, parameter: str, value: Any, name: str) -> str:
        """An argument as a part of the expression."""
        plain = value.item() if isinstance(value, (np.integer, np.bool_)) else value
        if is_constant(self.operator, parameter, plain):
            return self._captured(plain) if isinstance(plain, float) and math.isinf(plain) else repr(plain)
        if isinstance(value, (tuple, list)):
            items = (self.argument(parameter, item, f"{name}[{k}]") for k, item in enumerate(value))
            return "(" + "".join(f"{item}, " for item in items) + ")"
        if isinstance(value, (bool, int, float)) and not isinstance(value, np.generic):
            return self._parameter(None, value, name)
        if _is_named(value):
            return self._captured(value)
        if callable(value) and not hasattr(value, "__array__"):
            return self._captured(self.function_of(value))
        return self._parameter(self._sizes(value), value, name)

    def _parameter(self, kind: Type | None, value: Any, name: str) -> str:
        self.names.append(name)
        self.kinds.append(kind)
        self.values.append(value)
        return f"p{len(self.values) - 1}"

    def _captured(self, value: Any) -> str:
        name = f"c{len(self.captured)}"
        self.captured[name] = value
        return name

    def _sizes(self, value: Any) -> Type | None:
        """The type with all sizes, for operators that must know them."""
        if self.operator.__name__ in NEEDS_SIZES and isinstance(value, np.ndarray) and value.ndim:
            return ArrayType(from_numpy(value.dtype), value.shape)
        return None


def request(operator: Operator, arguments: Sequence[Any], named: Mapping[str, Any], function_of: FunctionOf) -> Request:
    """The request of a call."""
    made = Request(operator, function_of)
    names, rest = _positional(operator)
    parts = []
    for position, value in enumerate(arguments):
        name = names[position] if position < len(names) else rest
        parts.append(made.argument(name, value, name if position < len(names) else f"{rest}[{position - len(names)}]"))
    parts += [f"{name}={made.argument(name, value, name)}" for name, value in named.items()]
    made.text = ", ".join(parts)
    return made


@cache
def _positional(operator: Operator) -> tuple[tuple[str, ...], str]:
    """The names of the arguments by position, and the names of further ones."""
    parameters = operator.__signature__.parameters.values()
    names = tuple(each.name for each in parameters if each.kind is each.POSITIONAL_OR_KEYWORD)
    return names, next((each.name for each in parameters if each.kind is each.VAR_POSITIONAL), "argument")


def _is_named(value: Any) -> bool:
    """Whether a value means something by itself inside functions: an operator, a decorated function, a type."""
    if lang.meaning(value) is not None or is_decorated(value) or isinstance(value, (ScalarType, ArrayType)):
        return True
    return isinstance(value, (type, np.dtype)) and type_of_annotation(value) is not None
