"""The page of the manual that says which method is fastest and smallest where."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from report import comparing
from report.comparing import mean
from report.reading import Results
from report.row import METHODS, Row
from report.tables import MADE, table
from report.units import size, times

ABOUT_METHODS = """\
[`redundant`](method_redundant.md), the default, keeps what its reverse sweep needs or computes it again, scope by
scope. [`reversible`](method_reversible.md) runs loops backwards instead of keeping their states.
[`coarsened`](method_coarsened.md) differentiates stretches of scalar code as one expression. What the last two
have nothing to do for, they leave to `redundant`. This page counts what each of them took on the programs of
`benchmarks`; `kernel.explain()` says what a method decided for yours.
"""
# Times that differ by less are called equal.
EQUAL = 1.05
LESS = 1.5


def methods_page(found: Sequence[Results]) -> str:
    """Which method is fastest and smallest where, in tables and in sentences that are counted."""
    return "\n".join(_methods(found))


def _methods(found: Sequence[Results]) -> Iterator[str]:
    yield "# Which method when"
    yield ""
    yield MADE
    yield ABOUT_METHODS
    for each in found:
        times_of_methods, memory = (_several(each.rows, value) for value in ("seconds", "peak_bytes"))
        lines = [*_times(times_of_methods), *_memory(memory), *_memory_beside_peers(each.rows)]
        yield from [f"## {each.machine_words}", *lines] if lines else []


def _several(rows: Sequence[Row], value: str) -> list[tuple[comparing.Place, dict[str, float]]]:
    """Places that were measured by `redundant` and another method; peers are left out."""
    found = []
    for place, values in comparing.methods(rows, value):
        ours = {name: given for name, given in values.items() if name in METHODS and given > 0}
        if "redundant" in ours and len(ours) > 1:
            found.append((place, ours))
    return found


def _times(found: list[tuple[comparing.Place, dict[str, float]]]) -> Iterator[str]:
    if not found:
        return
    fine = sum(values["redundant"] <= EQUAL * min(values.values()) for _, values in found)
    within = f"the fastest or within {EQUAL - 1:.0%} of it in {fine}"
    yield f"Of {len(found)} places that were timed by several methods, `redundant` is {within}."
    yield ""
    for method in METHODS[1:]:
        ratios = [(values[method] / values["redundant"], place) for place, values in found if method in values]
        if ratios:
            yield from _against(method, ratios)


def _against(method: str, ratios: list[tuple[float, comparing.Place]]) -> Iterator[str]:
    faster = sorted((each for each in ratios if each[0] < 1 / EQUAL), key=lambda each: each[0])
    slower = sorted((each for each in ratios if each[0] > EQUAL), key=lambda each: -each[0])
    yield f"### Time of `{method}` over that of `redundant`"
    average = times(mean(ratio for ratio, _ in ratios))
    equal = len(ratios) - len(faster) - len(slower)
    counts = f"faster in {len(faster)}, equal in {equal}, slower in {len(slower)}"
    yield f"{average} in the mean of {len(ratios)} places: {counts}."
    yield ""
    lines = [(place.words, times(ratio)) for ratio, place in (*faster[:8], *reversed(slower[:8]))]
    if lines:
        yield from table(("furthest apart", "ratio"), lines)


def _memory(found: list[tuple[comparing.Place, dict[str, float]]]) -> Iterator[str]:
    for method in METHODS[1:]:
        ratios = [(values["redundant"] / values[method], place, values) for place, values in found if method in values]
        less = sorted((each for each in ratios if each[0] >= LESS), key=lambda each: -each[0])
        if ratios:
            yield f"### Memory of `{method}`"
            share = f"{len(less)} of {len(ratios)} places"
            yield f"In {share} it holds at most two thirds of what `redundant` holds at its peak."
            yield ""
        if less:
            lines = [(place.words, size(values["redundant"]), size(values[method])) for _, place, values in less[:10]]
            yield from table(("program", "redundant", method), lines)


def _memory_beside_peers(rows: Sequence[Row]) -> Iterator[str]:
    """Programs that run backwards, at all numbers of steps that were counted."""
    found = [
        (place, values)
        for place, values in comparing.methods(rows, "peak_bytes")
        if "reversible" in values and "redundant" not in values and len(values) > 1
    ]
    if found:
        peers = sorted({name for _, values in found for name in values} - set(METHODS))
        found.sort(key=lambda each: (each[0].program, comparing.size_order(each[0].size)))
        yield "### Memory of `reversible` beside peers"
        yield "Bytes at the peak of a gradient, as the number of steps grows."
        yield ""
        names = ("reversible", *peers)
        lines = [
            (f"{place.program}, {place.size}", *(size(values.get(name)) for name in names)) for place, values in found
        ]
        yield from table(("program", *names), lines)
