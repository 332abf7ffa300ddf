"""What a method decided, in words, for whoever asks while a derivative is made."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

from tapeless._mlir import ir
from tapeless.passes.diagnostics import places_of

_RECORDED: ContextVar[dict[str, None] | None] = ContextVar("decisions", default=None)


@contextmanager
def recording() -> Iterator[dict[str, None]]:
    """Collects what is noted inside, each once, in order."""
    notes: dict[str, None] = {}
    token = _RECORDED.set(notes)
    try:
        yield notes
    finally:
        _RECORDED.reset(token)


def note(kind: str, op: ir.OpView, way: str) -> None:
    """Notes which way an operation of a kind (`loop`, `segment`) goes back, at its line."""
    notes = _RECORDED.get()
    if notes is not None:
        place = next(iter(places_of(op.location)), None)
        notes[f"{kind:<8}" + (f"{place.file}:{place.line}: {way}" if place is not None else way)] = None
