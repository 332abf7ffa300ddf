"""Tables of Markdown."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

# What pages of the manual begin with that are made from results.
MADE = "<!-- make results writes this page from benchmarks/measured -->"


def table(titles: Sequence[str], rows: Sequence[Sequence[str]]) -> Iterator[str]:
    """Lines of a table whose first column is text and whose others are numbers."""
    yield f"| {' | '.join(titles)} |"
    yield f"|{'|'.join([' --- ', *[' ---: '] * (len(titles) - 1)])}|"
    yield from (f"| {' | '.join(each.replace('|', '/') for each in row)} |" for row in rows)
    yield ""
