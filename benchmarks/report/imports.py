"""Tables of imported programs: beside `jax.jit`, and beside the same written by hand."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from report.comparing import Comparison, comparisons, mean
from report.row import Row
from report.tables import table
from report.units import duration, times

IMPORTED, BY_HAND = "imported", "by hand"
AT_MOST = 1.1


def imported_tables(rows: Sequence[Row]) -> Iterator[str]:
    """Nothing, where no imported program was timed."""
    found = [each for each in comparisons(rows) if _spelled(each, IMPORTED) is not None]
    beside = [(each, each.peers["jax"]) for each in found if "jax" in each.peers]
    if beside:
        yield "### Programs imported from JAX, beside `jax.jit`"
        yield from _table("jax.jit", beside)
    by_hand = [(each, other) for each in found if (other := _spelled(each, BY_HAND)) is not None]
    if by_hand:
        yield "### Programs imported from JAX, beside the same by hand"
        yield from _table("by hand", by_hand)


def _spelled(each: Comparison, spelling: str) -> Row | None:
    """The fastest row of a spelling."""
    found = [row for row in each.rows if row.is_ours and row.spelling == spelling]
    return min(found, key=lambda row: row.seconds, default=None)


def _table(title: str, pairs: Sequence[tuple[Comparison, Row]]) -> Iterator[str]:
    """The mean in a sentence for each target, then every place, the largest ratio first."""
    lines = []
    for each, other in pairs:
        ours = _spelled(each, IMPORTED)
        assert ours is not None
        lines.append((ours.seconds / other.seconds, each.place, ours, other))
    for target in sorted({place.target for _, place, _, _ in lines}):
        ratios = [ratio for ratio, place, _, _ in lines if place.target == target]
        slower = sum(ratio > AT_MOST for ratio in ratios)
        told = f"{slower} of them more than {AT_MOST:g} times as slow"
        yield f"On `{target}`, {times(mean(ratios))} in the mean of {len(ratios)} places, {told}."
    yield ""
    lines.sort(key=lambda line: -line[0])
    rows = [(place.words, times(r), duration(a.seconds), duration(b.seconds)) for r, place, a, b in lines]
    yield from table(("program", "ratio", "imported", title), rows)
