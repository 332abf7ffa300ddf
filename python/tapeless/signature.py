"""The parameters of a function as plain data: their names, types and defaults."""

from __future__ import annotations

import inspect
from typing import Any

from tapeless.annotations import Layout
from tapeless.dataclasses_on_use import dataclass
from tapeless.types import Type

REQUIRED = inspect.Parameter.empty


@dataclass(frozen=True, slots=True)
class Parameter:
    """A parameter: its name, its annotated type or None, its default or `REQUIRED`; a procedure only reads some.

    The layout is what an annotation of a structure fixes; such a parameter has no type.
    """

    name: str
    type: Type | None
    default: Any
    keyword_only: bool = False
    is_read_only: bool = False
    layout: Layout = None
