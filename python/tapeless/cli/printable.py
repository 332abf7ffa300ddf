"""Texts that files and programs bring, made fit for a terminal: control characters are shown as escapes."""

from __future__ import annotations

import unicodedata

# Control characters, marks that turn the direction of text, halves of characters, and separators of lines.
STEERING = ("Cc", "Cf", "Cs", "Zl", "Zp")
LAYOUT = "\n\t"


def printable(text: str, kept: str = "") -> str:
    """The text with escapes (`\\x1b`) for what is no visible character, but for those that are kept."""
    if text.isprintable():
        return text
    return "".join(
        each if each in kept or unicodedata.category(each) not in STEERING else ascii(each)[1:-1] for each in text
    )
