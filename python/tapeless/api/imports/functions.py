"""Functions of the language that call a function of an imported module."""

from __future__ import annotations

import ast
import inspect
from collections.abc import Sequence
from typing import Any

from tapeless.api.decorated import TapelessFunction
from tapeless.api.pickling import Recipe
from tapeless.dataclasses_on_use import dataclass
from tapeless.frontend.syntax.imported import Imported
from tapeless.frontend.syntax.source import Source
from tapeless.frontend.syntax.synthetic import synthetic
from tapeless.signature import REQUIRED, Parameter


@dataclass(frozen=True)
class Origin:
    """The name of an imported function, and where in the user's files it comes from."""

    name: str
    file: str
    line: int
    lines: tuple[str, ...] = ()
    doc: str | None = None


def imported_function(imported: Imported, parameters: Sequence[Parameter], origin: Origin) -> TapelessFunction:
    """The function that calls an imported one with all its parameters."""
    passed = ", ".join(f"p{position}" for position in range(len(parameters)))
    model = _model(parameters, origin)
    source = synthetic(origin.name, f"f({passed})", parameters, {"f": imported}, model)
    return TapelessFunction(source, recipe=Recipe(imported_function, (imported, tuple(parameters), origin)))


def _model(parameters: Sequence[Parameter], origin: Origin) -> Source:
    """A source with the name and the place of the function, and nothing in it."""
    node = ast.parse("lambda: 0", mode="eval").body
    assert isinstance(node, ast.Lambda)
    node.lineno = node.end_lineno = origin.line
    return Source(origin.name, origin.file, origin.lines, node, tuple(parameters), None, _stand_in(parameters, origin))


def _stand_in(parameters: Sequence[Parameter], origin: Origin) -> Any:
    """A Python function that has the name, the doc string and the signature of an imported one."""

    def imported(*arguments: Any) -> None:
        raise NotImplementedError

    imported.__name__ = imported.__qualname__ = origin.name
    imported.__doc__ = origin.doc
    kind = inspect.Parameter.POSITIONAL_OR_KEYWORD
    shown = [
        inspect.Parameter(each.name, kind, annotation=inspect.Parameter.empty if each.type is None else each.type)
        for each in parameters
        if each.default is REQUIRED and each.name.isidentifier()
    ]
    imported.__signature__ = inspect.Signature(shown)  # type: ignore[attr-defined]
    return imported
