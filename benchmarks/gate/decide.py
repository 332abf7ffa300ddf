"""Which rows are too slow: numbers in, a verdict out, nothing measured.

A row's ratio is its time over that of its reference. Recording keeps a low and a high ratio of several processes in
each sitting (`range_of`), and the lowest and the highest of these. A slow-down by `CAUGHT` gives at least about
`CAUGHT * low`, no slow-down often no more than `high`: the limit lies in the middle of these, by their logarithms. A
row whose own spread leaves too little room for noise on either side has no limit, and is only shown.
"""

from __future__ import annotations

import math
import statistics
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

CAUGHT = 1.5
# The least distance from what was recorded to the limit, and from the limit to a slow-down that must be caught.
LEAST_ROOM = 1.07
# Seconds before each further attempt at rows above their limits: what else runs on a machine can slow down code
# that needs much memory, such as compilations, for a minute, and the fixed work beside it less.
PAUSES = (0, 20, 60, 120)
ATTEMPTS = 1 + len(PAUSES)
# What must be as it was recorded for a row to stop a change.
SAME = ("cpu", "cc", "python")


@dataclass(frozen=True)
class Range:
    """A low and a high ratio among those that were recorded."""

    low: float
    high: float

    @property
    def limit(self) -> float | None:
        """From which ratio on a row is too slow; None for a row that is not steady enough to say."""
        limit = math.sqrt(self.high * CAUGHT * self.low)
        return limit if limit / self.high >= LEAST_ROOM else None

    @property
    def is_left_below(self) -> float:
        """Under which ratio a row is so fast that its range should be recorded again."""
        return self.low / CAUGHT


def range_of(ratios: Iterable[float]) -> Range:
    """The range of a sitting, from the ratios of its processes: the second lowest, and the median.

    A row must be above its limit in `ATTEMPTS` processes, one after the other, which half of the processes are not if
    the median is under it. A single process in which the reference was slow all the time says nothing.
    """
    found = sorted(ratios)
    return Range(found[min(1, (len(found) - 1) // 2)], statistics.median_low(found))


def widened(known: Mapping[str, Range], found: Mapping[str, Range]) -> dict[str, Range]:
    """The ranges of two sittings together: each row's lowest and highest ratio of both."""
    both = {**known, **found}
    return {row: _together(each, known.get(row, each)) for row, each in both.items()}


def _together(one: Range, other: Range) -> Range:
    return Range(min(one.low, other.low), max(one.high, other.high))


@dataclass(frozen=True)
class Verdict:
    """The verdict on a row; `attempts` are the ratios of one process each."""

    row: str
    word: str
    attempts: tuple[float, ...]
    range: Range | None = None

    @property
    def is_red(self) -> bool:
        return self.word == "slower"


def judge(row: str, attempts: Sequence[float], known: Range | None) -> Verdict:
    """One attempt within the limit is enough: noise makes code slower, never faster."""
    best = min(attempts)
    if known is None:
        word = "not recorded"
    elif known.limit is None:
        word = "unsteady"
    elif best > known.limit:
        word = "slower" if len(attempts) >= ATTEMPTS else "again"
    else:
        word = "faster" if best < known.is_left_below else "fine"
    return Verdict(row, word, tuple(attempts), known)


def differences(here: Mapping[str, str], recorded: Mapping[str, str]) -> list[str]:
    """Differences from the conditions under which the ranges were recorded, so that they are a hint and not a limit."""
    return [
        f"{name}: {here.get(name, 'none')}, recorded with {recorded.get(name, 'none')}"
        for name in SAME
        if here.get(name) != recorded.get(name)
    ]


def record_for(here: Mapping[str, str], records: Sequence[Mapping[str, Any]]) -> Mapping[str, Any] | None:
    """The record of a machine like this one, else the one that differs least, else None."""
    return min(records, key=lambda each: len(differences(here, each["machine"])), default=None)


def ranges_of(record: Mapping[str, Any] | None, references: Mapping[str, str]) -> dict[str, Range]:
    """The ranges of rows that were recorded beside the same references as they have here: other ratios say nothing."""
    rows = record["rows"] if record is not None else {}
    return {
        name: Range(each["low"], each["high"])
        for name, each in rows.items()
        if each["reference"] == references.get(name)
    }


def exit_status(verdicts: Iterable[Verdict], unlike: Sequence[str]) -> int:
    """1 where a row is slower than on a machine that is like this one in all that is known to matter."""
    return int(not unlike and any(each.is_red for each in verdicts))
