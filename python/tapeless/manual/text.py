"""The doc string of an operator: its sentence, its shapes, its derivative, and its example as a session."""

from __future__ import annotations

from tapeless.manual import ENTRIES
from tapeless.manual.entry import Entry

SESSION = ">>> "


def documentation(name: str, summary: str) -> str:
    """The doc string of the operator of a name; its sentence alone if the manual has no more."""
    entry = ENTRIES.get(name)
    if entry is None:
        return summary
    return f"{summary}\n\nShapes: {entry.shapes}.\nDerivative: {derivative(entry)}.\n\n{session(entry)}\n"


def derivative(entry: Entry) -> str:
    """The derivative in words, or as formulas, one for each parameter."""
    return entry.derivative if isinstance(entry.derivative, str) else ", ".join(entry.derivative)


def session(entry: Entry) -> str:
    """The example with its result, as a session with Python."""
    example = entry.example if entry.example.startswith(SESSION) else SESSION + entry.example
    return f"{example}\n{entry.result}"
