"""Suggestions for misspelt names."""

from __future__ import annotations

import difflib
from collections.abc import Iterable


def nearest(word: str, known: Iterable[str]) -> str | None:
    """The known name most like the word, or nothing if none is close."""
    matches = difflib.get_close_matches(word, list(known), n=1, cutoff=0.5)
    return matches[0] if matches else None


def suggestion(word: str, known: Iterable[str]) -> str:
    """The end of an error message that names the nearest known name: `; did you mean 'cse'?`."""
    match = nearest(word, known)
    return f"; did you mean '{match}'?" if match else ""
