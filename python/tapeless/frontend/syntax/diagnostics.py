"""Errors about the user's source: file, line, excerpt, caret, and a remedy."""

from __future__ import annotations

import ast
from collections.abc import Sequence

from tapeless.errors import FrontendError, TapelessError


def failure(
    file: str,
    lines: Sequence[str],
    node: ast.AST,
    message: str,
    instead: str | None = None,
    kind: type[TapelessError] = FrontendError,
) -> TapelessError:
    """The error to raise for a node of the source; `lines` are all lines of the file."""
    line, column = getattr(node, "lineno", 1), getattr(node, "col_offset", 0)
    text = f"{file}:{line}:{column + 1}: {message}"
    if 0 < line <= len(lines):
        text += "\n" + excerpt(lines[line - 1], column, _end_column(node, line, lines[line - 1]))
    if instead:
        text += f"\n{instead}"
    return kind(text)


def excerpt(line: str, start: int, end: int) -> str:
    """The source line without its indentation, and a caret line below it; columns count UTF-8 bytes as `ast` does."""
    stripped = line.strip()
    indent = len(line) - len(line.lstrip())
    encoded = line.encode()
    first = len(encoded[:start].decode(errors="replace")) - indent
    width = max(1, len(encoded[start:end].decode(errors="replace").rstrip()))
    return f"    {stripped}\n    {' ' * max(0, first)}^{'~' * (width - 1)}"


def _end_column(node: ast.AST, line: int, text: str) -> int:
    if getattr(node, "end_lineno", None) == line:
        return node.end_col_offset
    return len(text.encode())
