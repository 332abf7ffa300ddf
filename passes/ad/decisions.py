"""The decisions of a method, in words, for whoever asks while a derivative is made."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

from tapeless._mlir import ir
from tapeless.passes.diagnostics import places_of

_RECORDED: ContextVar[tuple[dict[str, None], str] | None] = ContextVar("decisions", default=None)


@contextmanager
def recording(notation: str = "text") -> Iterator[dict[str, None]]:
    """Collects the notes taken inside, each once, in order; formulas as `text` or as `latex`."""
    notes: dict[str, None] = {}
    token = _RECORDED.set((notes, notation))
    try:
        yield notes
    finally:
        _RECORDED.reset(token)


def note(kind: str, op: ir.OpView, way: str) -> None:
    """Notes which way an operation of a kind (`loop`, `segment`) goes back, at its line."""
    recorded = _RECORDED.get()
    if recorded is not None:
        notes, _ = recorded
        place = next(iter(places_of(op.location)), None)
        notes[f"{kind:<8}" + (f"{place.file}:{place.line}: {way}" if place is not None else way)] = None


def notation() -> str | None:
    """How formulas are to be noted; None if nobody asks."""
    recorded = _RECORDED.get()
    return None if recorded is None else recorded[1]
