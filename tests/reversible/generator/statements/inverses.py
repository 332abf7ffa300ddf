"""The inverse of simple statements, as text."""

from __future__ import annotations

import re
from collections.abc import Sequence

OPPOSITES = {"+=": "-=", "-=": "+=", "*=": "/=", "/=": "*=", "^=": "^="}
LOOP = re.compile(r"( *)for (\w+) in range\((.*)\):")
UPDATE = re.compile(r"(.*?) ([-+*/^]=) (.*)")


def inverse_of(lines: Sequence[str]) -> list[str]:
    """Updates in reverse order, each undone; a loop of one line runs the other way."""
    undone: list[str] = []
    k = len(lines) - 1
    while k >= 0:
        if k and (loop := LOOP.fullmatch(lines[k - 1])) and lines[k].startswith(loop[1] + "    "):
            undone += [f"{loop[1]}for {loop[2]} in range({backwards(loop[3])}):", inverse(lines[k])]
            k -= 2
        else:
            undone.append(inverse(lines[k]))
            k -= 1
    return undone


def inverse(line: str) -> str:
    """Of an update, the other one."""
    found = UPDATE.fullmatch(line)
    assert found is not None
    return f"{found[1]} {OPPOSITES[found[2]]} {found[3]}"


def backwards(bounds: str) -> str:
    """The bounds of the same visits in reverse order."""
    visits = range(*(int(each) for each in bounds.split(",")))
    return f"{visits[-1]}, {visits[0] - visits.step}, {-visits.step}" if visits else "0"
