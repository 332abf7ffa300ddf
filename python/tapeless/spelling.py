"""Suggestions for misspelt names."""

from __future__ import annotations

import difflib
from collections.abc import Collection


def nearest(word: str, known: Collection[str], cutoff: float = 0.5) -> str | None:
    """The known name most like the word, or nothing if none is close."""
    matches = difflib.get_close_matches(word, known, n=1, cutoff=cutoff)
    return matches[0] if matches else None


def suggestion(word: str, known: Collection[str]) -> str:
    """The end of an error message that names the nearest known name: `; did you mean 'cse'?`."""
    match = nearest(word, known)
    return f"; did you mean '{match}'?" if match else ""


def nearest_or_all(word: str, known: Collection[str]) -> str:
    """As `suggestion`, but naming all known names when none is close."""
    return suggestion(word, known) or f"; known are {', '.join(map(repr, known))}"
