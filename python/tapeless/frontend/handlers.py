"""The kinds of tables from constructs to the functions that translate them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from tapeless.dataclasses_on_use import dataclass
from tapeless.frontend.values.value import Value

Handler = Callable[..., Value]


@dataclass(frozen=True)
class Handlers:
    """The tables of a translator: by kind of syntax node, by name of an operator, by kind of function value.

    All take the translator first. Handlers of nodes get the node and handlers of operators one value per argument;
    callers get the function value, the positional arguments and the named ones.
    """

    statements: Mapping[type[Any], Callable[..., Value | None]]
    expressions: Mapping[type[Any], Handler]
    operators: Mapping[str, Handler]
    callers: Mapping[type[Any], Handler]
