"""Single expressions and statements of the language, computed at once on given values."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from typing import Any

import numpy as np

from tapeless.api.at_once.kept import Kept
from tapeless.api.decorated import TapelessFunction
from tapeless.frontend.syntax.source import Source
from tapeless.signature import REQUIRED, Parameter

_snippets = Kept()


def is_weak(value: Any) -> bool:
    """Whether a number takes the type of the other operand: those of Python do."""
    return isinstance(value, (bool, int, float)) and not isinstance(value, np.generic)


def snippet(text: str, values: Sequence[Any], names: Sequence[str]) -> Any:
    """The result of the body of a function with these parameters, compiled once for each kind of its arguments."""
    key = (text, tuple(names))
    made = _snippets.get(key) or _snippets.keep(key, _made(text, names))
    return made(*values)


def _made(text: str, names: Sequence[str]) -> TapelessFunction:
    lines = [f"def f({', '.join(names)}):\n", *(f"    {line}\n" for line in text.splitlines())]
    node = ast.parse("".join(lines)).body[0]
    assert isinstance(node, ast.FunctionDef)
    parameters = tuple(Parameter(name, None, REQUIRED) for name in names)
    return TapelessFunction(Source("f", "<at once>", lines, node, parameters, None, snippet, is_written=False))
