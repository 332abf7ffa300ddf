"""Balanced brackets and quotes in the text of pipelines."""

from __future__ import annotations

from typing import NoReturn

from tapeless.errors import PipelineError

CLOSING = {"{": "}", "(": ")", "[": "]"}
QUOTES = "'\""
BLANKS = " \t\n"


def fail_at(text: str, column: int, message: str) -> NoReturn:
    """Raises a PipelineError that shows the text with a caret under the column (counted from 0)."""
    line_start = text.rfind("\n", 0, column) + 1
    line = text[line_start:].split("\n", 1)[0]
    place = f"pass pipeline:{text.count(chr(10), 0, column) + 1}:{column - line_start + 1}"
    raise PipelineError(f"{place}: error: {message}\n{line}\n{' ' * (column - line_start)}^")


def balanced_end(text: str, start: int, stops: str) -> int:
    """The first position from `start` on, outside of brackets and quotes, that holds one of `stops`; else the end."""
    position = start
    opened: list[int] = []
    while position < len(text) and (opened or text[position] not in stops):
        char = text[position]
        if char in QUOTES:
            position = _closing_quote(text, position)
        elif char in CLOSING:
            opened.append(position)
        elif char in CLOSING.values():
            _check_closes(text, position, opened)
            opened.pop()
        position += 1
    if opened:
        bracket = text[opened[-1]]
        fail_at(text, opened[-1], f"'{bracket}' is never closed; add '{CLOSING[bracket]}'")
    return position


def _check_closes(text: str, position: int, opened: list[int]) -> None:
    char = text[position]
    if not opened:
        fail_at(text, position, f"'{char}' closes nothing; remove it")
    bracket = text[opened[-1]]
    if CLOSING[bracket] != char:
        fail_at(text, position, f"'{char}' does not close '{bracket}'; write '{CLOSING[bracket]}' first")


def _closing_quote(text: str, start: int) -> int:
    end = text.find(text[start], start + 1)
    if end < 0:
        fail_at(text, start, f"the quote {text[start]} is never closed")
    return end


def _is_wrapped(value: str) -> bool:
    """Whether one pair of quotes or braces encloses the whole value."""
    if len(value) < 2:
        return False
    if value[0] in QUOTES:
        return value.find(value[0], 1) == len(value) - 1
    return value[0] == "{" and balanced_end(value, 1, "}") == len(value) - 1


def unwrap(value: str) -> str:
    return value[1:-1] if _is_wrapped(value) else value


def _is_balanced(value: str) -> bool:
    try:
        return balanced_end(value, 0, "") == len(value)
    except PipelineError:
        return False


def wrap(value: str) -> str:
    """The value as it must be written to be read back unchanged."""
    if _is_balanced(value):
        is_plain = value and balanced_end(value, 0, BLANKS) == len(value) and not _is_wrapped(value)
        return value if is_plain else f"{{{value}}}"
    for quote in QUOTES:
        if quote not in value:
            return f"{quote}{value}{quote}"
    raise PipelineError(f"the option value {value!r} cannot be written in a pipeline; balance its brackets and quotes")
