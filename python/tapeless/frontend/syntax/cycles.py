"""Functions that can come to call themselves, by the names that they read."""

from __future__ import annotations

from contextlib import suppress

from tapeless.errors import TapelessError
from tapeless.frontend.syntax.source import Source


def calls_itself(source: Source) -> bool:
    """Whether a function can come to call itself, through functions that it names."""
    pending, seen = [source], set[int]()
    while pending:
        for called in _called(pending.pop()):
            if called is source:
                return True
            if id(called) not in seen:
                seen.add(id(called))
                pending.append(called)
    return False


def _called(source: Source) -> list[Source]:
    source.capture_rest()
    found = []
    for value in source.captured.values():
        with suppress(TapelessError):  # what cannot be read is refused where it is called
            found.append(source.called(value))
    return [each for each in found if each is not None]
