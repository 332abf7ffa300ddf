"""The names of one activation of a function while it is translated."""

from __future__ import annotations

import ast
from collections.abc import Callable
from dataclasses import field
from functools import lru_cache
from typing import TYPE_CHECKING

from tapeless.dataclasses_on_use import dataclass
from tapeless.frontend.syntax import scoping
from tapeless.frontend.syntax.jumps import Structurer
from tapeless.frontend.syntax.liveness import Analysis, analyse
from tapeless.frontend.values.value import Value

if TYPE_CHECKING:
    from tapeless.frontend.syntax.source import Source


@dataclass(frozen=True, slots=True)
class Unbound:
    """A name without a value here, and why."""

    reason: str
    instead: str


@dataclass(frozen=True, slots=True)
class Delayed:
    """A name whose value is computed when it is first read."""

    compute: Callable[[], Value]


Binding = Value | Unbound | Delayed

RAISED = "%raised"
"""The flag of a path that ends in `raise`."""


@dataclass(frozen=True)
class Prepared:
    """A function with structured control flow, and the analysis of its names."""

    body: list[ast.stmt]
    analysis: Analysis


@dataclass(eq=False)
class Frame:
    """An activation: its source, its names, and the frame its function was defined in.

    `unrolled` are the flags of loops over tuples, `filled` the names that have no value on some path that leaves.
    """

    source: Source
    prepared: Prepared
    parent: Frame | None = None
    names: dict[str, Binding] = field(default_factory=dict)
    unrolled: set[str] = field(default_factory=set)
    filled: set[str] = field(default_factory=set)

    def find(self, name: str) -> Frame | None:
        """The frame a name belongs to by Python's scoping, or None for an outside name; flags are its own."""
        frame: Frame | None = self
        if name.startswith("%"):
            return self
        while frame is not None and name not in frame.prepared.analysis.locals:
            frame = frame.parent
        return frame


@lru_cache(maxsize=1024)
def _prepared(function: scoping.Function, source: Source) -> Prepared:
    if isinstance(function, ast.Lambda):
        body: list[ast.stmt] = [ast.copy_location(ast.Return(function.body), function.body)]
    else:
        body = Structurer(source.error).function_body(function.body, function)
    return Prepared(body, analyse(function, body))


def frame_for(function: scoping.Function, source: Source, parent: Frame | None = None) -> Frame:
    """A new activation of a function of some source."""
    return Frame(source, _prepared(function, source), parent)
