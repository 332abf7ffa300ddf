"""The page of the manual with every spelling that is slower than a peer."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from report import comparing
from report.reading import Results
from report.row import OURS, Row
from report.tables import MADE, table
from report.units import date, duration, times

ABOUT_SLOWER = """\
Spellings of the programs in `benchmarks` that were slower than the fastest of JAX, PyTorch, numpy and C there, each by
its fastest method, the furthest behind first. [Results](results.md) has the means, and how fast the fastest one is.
"""


def slower_page(found: Sequence[Results]) -> str:
    """Every spelling that is slower than a peer, on each machine."""
    return "\n".join(_slower(found))


def _slower(found: Sequence[Results]) -> Iterator[str]:
    yield "# Slower than a peer"
    yield ""
    yield MADE
    yield ABOUT_SLOWER
    for each in found:
        behind = comparing.behind(each.rows)
        slower = [_behind(*entry) for entry in behind if entry[0] > 1]
        if slower:
            yield f"## {each.machine_words}"
            yield f"{len(slower)} of {len(behind)} spellings; last measured {date(each.when)}."
            yield ""
            yield from table(("program", "spelling", "ratio", OURS, "fastest peer", "which"), slower)


def _behind(ratio: float, row: Row, peer: Row) -> tuple[str, ...]:
    spelling = row.spelling or ""
    return row.place.words, spelling, times(ratio), duration(row.seconds), duration(peer.seconds), peer.name
