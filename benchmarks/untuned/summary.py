"""A summary of all rows: ratios to the peers by target, losses worst first, refusals and results that differ."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterator, Sequence
from typing import Any

Row = dict[str, Any]
PLACE = ("program", "quantity", "dtype", "size", "target", "threads")
SHOWN = 40


def text_of(rows: Sequence[Row]) -> str:
    return "\n".join([*_means(rows), *_losses(rows), *_refusals(rows), *_disagreements(rows)])


def ratios(rows: Sequence[Row], peer: str) -> Iterator[tuple[float, Row, Row]]:
    """Time of every row of Tapeless by that of a peer at the same place."""
    theirs = {_place(row): row for row in rows if row["contestant"] == peer and seconds(row)}
    for row in rows:
        if row["contestant"] == "tapeless" and seconds(row) and (other := theirs.get(_place(row))):
            yield seconds(row) / seconds(other), row, other


def seconds(row: Row) -> Any:
    """The least time of a call; by one thread of a CPU that of the processor, which a busy machine does not change."""
    is_alone = row["target"] == "cpu" and row["threads"] == 1
    return row["processor_seconds_min" if is_alone else "seconds_min"]


def _place(row: Row) -> tuple[Any, ...]:
    return tuple(row[key] for key in PLACE)


def _peers(rows: Sequence[Row]) -> list[str]:
    return sorted({row["contestant"] for row in rows} - {"tapeless"})


def _means(rows: Sequence[Row]) -> Iterator[str]:
    for peer in _peers(rows):
        groups: dict[str, list[float]] = defaultdict(list)
        best: dict[tuple[Any, ...], float] = {}
        for ratio, row, _ in ratios(rows, peer):
            groups[f"{row['target']}, {row['threads']} threads"].append(ratio)
            best[_place(row)] = min(ratio, best.get(_place(row), math.inf))
        for group, found in sorted(groups.items()):
            slower = sum(ratio > 1 for ratio in found)
            yield f"{group}: time of tapeless / {peer}: {_mean(found):.3f} of {len(found)} rows, {slower} slower"
        if best:
            yield f"    best spelling and method: {_mean(list(best.values())):.3f} of {len(best)} places"
        for spelling, found in sorted(_by_spelling(rows, peer).items()):
            slower = sum(ratio > 1 for ratio in found)
            yield f"    spelling '{spelling}': {_mean(found):.3f} of {len(found)} rows, {slower} slower"
    yield from _imported(rows)


def _by_spelling(rows: Sequence[Row], peer: str) -> dict[str, list[float]]:
    found: dict[str, list[float]] = defaultdict(list)
    for ratio, row, _ in ratios(rows, peer):
        found[row["spelling"]].append(ratio)
    return found


def _imported(rows: Sequence[Row]) -> Iterator[str]:
    """What was read from JAX, by the same that was written by hand."""
    by_hand = {(_place(row), row["method"]): row for row in rows if row["spelling"] == "by hand" and seconds(row)}
    imported = [row for row in rows if row["spelling"] == "imported" and seconds(row)]
    pairs = [(row, by_hand[key]) for row in imported if (key := (_place(row), row["method"])) in by_hand]
    found = sorted(((seconds(row) / seconds(other), row) for row, other in pairs), key=lambda each: -each[0])
    if found:
        yield f"time of imported / by hand: {_mean([ratio for ratio, _ in found]):.3f} of {len(found)} rows"
    yield from (f"{ratio:8.2f}  {label(row)}" for ratio, row in found if ratio > 1)


def _mean(found: Sequence[float]) -> float:
    """The geometric one."""
    return math.exp(sum(map(math.log, found)) / len(found))


def _losses(rows: Sequence[Row]) -> Iterator[str]:
    found = [each for peer in _peers(rows) for each in ratios(rows, peer) if each[0] > 1]
    found.sort(key=lambda each: -each[0])
    if found:
        yield f"slower than a peer: {len(found)} rows" + (f", the worst {SHOWN}" if len(found) > SHOWN else "")
    for ratio, row, other in found[:SHOWN]:
        times = f"{1e6 * seconds(row):10.1f} us, {other['contestant']} {1e6 * seconds(other):.1f}"
        yield f"{ratio:8.2f}  {label(row):76} {times}"


def label(row: Row) -> str:
    """A row's place and contestant in words."""
    names = (row["program"], row["contestant"], row["spelling"], row["method"], row["dtype"], row["size"])
    return ", ".join(each for each in names if each) + f", {row['target']} x{row['threads']}"


def _refusals(rows: Sequence[Row]) -> Iterator[str]:
    refused = [row for row in rows if row["refused"]]
    if refused:
        yield f"refused or failed: {len(refused)} rows"
    for row in refused:
        yield f"  {label(row)}: {row['refused'].splitlines()[0][:200]}"


def _disagreements(rows: Sequence[Row]) -> Iterator[str]:
    wrong = [row for row in rows if row["agrees"] is False]
    if wrong:
        yield f"results that differ: {len(wrong)} rows"
    for row in wrong:
        excuse = f", since {row['excused']}" if row["excused"] else ""
        yield f"  {label(row)}: {row['deviation']:.1e}{excuse}"
