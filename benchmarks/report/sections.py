"""The sections of the report, in the order in which they stand; each is left out where it has nothing to show."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from html import escape

from report import charts, comparing
from report.comparing import Change, Comparison
from report.html import Cell, data_of, more, number, place_cell, section, table, text
from report.reading import Results
from report.row import METHODS, OURS, Place, Row
from report.units import NONE, date, duration, size, times


@dataclass(frozen=True)
class Material:
    """All that sections are made from: files of now, and earlier ones."""

    now: Sequence[Results]
    history: Sequence[Results]

    @property
    def rows(self) -> list[Row]:
        return [row for results in self.now for row in results.rows]


def _peers(found: Sequence[Comparison]) -> list[str]:
    return sorted({name for each in found for name in each.peers})


def _legend(names: Sequence[str]) -> str:
    spans = (f'<span class="{charts.colour(name)}"><i>{escape(name)}</i></span>' for name in names)
    return f'<div class="legend">{"".join(spans)}</div>'


def slower_rows(material: Material) -> str | None:
    """Rows that got slower since the last file of the same machine."""
    found = comparing.changes(material.now, material.history)
    if not found:
        return None
    rows = comparing.slower(found)
    many = f"{len(rows)} take more than {comparing.SLOWER:g} times as long"
    about = f"{len(found)} rows were measured before on the same machine; {many}."
    cells = ((each.row.place, _change(each)) for each in rows)
    content = table("slower", ("row", "before", "now", "factor", "last measured"), cells) if rows else ""
    return section("slower", "Slower than the last time", about, content)


def _change(each: Change) -> Sequence[Cell]:
    place = place_cell(each.row.place)
    name = Cell(f"{place.html}<small>{escape(each.row.name)}</small>")
    factor = number(times(each.factor), "loss-text")
    return name, number(duration(each.before)), number(duration(each.row.seconds)), factor, number(date(each.when))


def worst_rows(material: Material) -> str | None:
    """Our best spelling and method beside every contestant."""
    found = comparing.worst_first(material.rows)
    if not found:
        return None
    peers = _peers(found)
    losses = sum(each.ratio > 1 for each in found)
    about = (
        f"{len(found)} places with a peer, and we lose {losses}. The ratio is the time of our fastest spelling and "
        "method over that of the fastest peer; bars to the right are losses, a full one is a factor of 16."
    )
    titles = ("program", "ratio", "", OURS, *peers)
    return section(
        "worst", "Worst rows first", about, table("worst", titles, ((e.place, _worst(e, peers)) for e in found))
    )


def _worst(each: Comparison, peers: Sequence[str]) -> Iterator[Cell]:
    ours, ratio = each.ours, each.ratio
    how = ", ".join(part for part in (ours.spelling, ours.method) if part)
    yield place_cell(each.place)
    yield number(times(ratio), "loss-text" if ratio > 1 else "win-text")
    yield Cell(charts.ratio_bar(ratio), "wide")
    yield Cell(f"{duration(ours.seconds)}<small>{escape(how)}</small>", "n best" if ratio <= 1 else "n")
    for peer in peers:
        row = each.peers.get(peer)
        if row is None:
            yield number(NONE)
        else:
            against = f"<small>{times(ours.seconds / row.seconds)}</small>"
            yield Cell(f"{duration(row.seconds)}{against}", "n best" if row is each.best_peer and ratio > 1 else "n")


def spellings(material: Material) -> str | None:
    found = comparing.spellings(material.rows)
    if not found:
        return None
    most = max(len(rows) for _, rows in found)
    about = "The same program written in several ways, each by its fastest method; those that are furthest apart first."
    titles = ("program", "slowest by fastest", "fastest", *[""] * (most - 1))
    rows = ((place, _spelled(place, by_name, most)) for place, by_name in found)
    return section("spellings", "Spellings side by side", about, table("spellings", titles, rows))


def _spelled(place: Place, rows: dict[str, Row], most: int) -> Iterator[Cell]:
    """From the fastest to the slowest."""
    yield place_cell(place)
    yield number(times(comparing.spread(rows.values())))
    ordered = sorted(rows.items(), key=lambda item: item[1].seconds)
    for name, row in ordered:
        how = f"{escape(name)}, {escape(row.method)}" if row.method else escape(name)
        yield Cell(f"{duration(row.seconds)}<small>{how}</small>", "n")
    yield from [Cell("", "n")] * (most - len(ordered))


def _beside(
    anchor: str,
    title: str,
    about: str,
    found: list[tuple[Place, dict[str, float]]],
    shown: Callable[[float | None], str],
) -> str | None:
    """Places with a value for each method and peer."""
    if not found:
        return None
    known = {name for _, values in found for name in values}
    first = [each for each in (OURS, *METHODS) if each in known]
    names = [*first, *sorted(known - set(first))]
    rows = (
        (
            place,
            (
                place_cell(place),
                *(number(shown(values.get(n)), "best" if values.get(n) == min(values.values()) else "") for n in names),
            ),
        )
        for place, values in found
    )
    return section(anchor, title, about, table(anchor, ("program", *names), rows))


def compile_times(material: Material) -> str | None:
    """From the function to the first result, the longest of ours first."""
    found = _least(material.rows, "compile_seconds")
    found.sort(key=lambda each: -each[1].get(OURS, max(each[1].values())))
    about = "Until a first result is there, the least of all spellings and methods; our longest first."
    return _beside("compile", "Compile time", about, found, duration)


def _least(rows: Sequence[Row], value: str) -> list[tuple[Place, dict[str, float]]]:
    """The least of a value by contestant, at places where we have one."""
    found: dict[Place, dict[str, float]] = {}
    for row in rows:
        if (given := getattr(row, value)) is not None:
            values = found.setdefault(row.place, {})
            values[row.contestant] = min(given, values.get(row.contestant, given))
    return [(place, values) for place, values in found.items() if OURS in values]


def code(material: Material) -> str | None:
    found = _least(material.rows, "code_bytes")
    found.sort(key=lambda each: -each[1][OURS])
    about = (
        "Code and constants in memory, or text for a GPU; the least of all spellings and methods, our largest first."
    )
    return _beside("code", "Bytes of code", about, found, size)


def memory(material: Material) -> str | None:
    found = comparing.methods(material.rows, "peak_bytes")
    found.sort(key=lambda each: -max(each[1].values()))
    about = "Bytes that a call holds at its peak, by method and beside peers that tell; the largest first."
    return _beside("memory", "Memory per method", about, found, size)


def method_times(material: Material) -> str | None:
    found = [
        each for each in comparing.methods(material.rows, "seconds") if sum(name in METHODS for name in each[1]) > 1
    ]
    found.sort(key=lambda each: -_apart(each[1]))
    about = "Time by method, each with its fastest spelling; places where methods are furthest apart first."
    return _beside("methods", "Methods side by side", about, found, duration)


def _apart(values: dict[str, float]) -> float:
    ours = [value for name, value in values.items() if name in METHODS]
    return max(ours) / min(ours)


def _charts(anchor: str, title: str, about: str, along: str, material: Material) -> str | None:
    found = comparing.scaling(material.rows, along)
    if not found:
        return None
    names = sorted({curve.name for _, curves in found for curve in curves}, key=lambda name: (name != OURS, name))
    figures = "".join(_figure(place, along, charts.lines(curves, place.words)) for place, curves in found)
    content = f'{_legend(names)}<div class="charts" data-list="{anchor}">{figures}</div>{more(anchor)}'
    return section(anchor, title, about, content)


def _figure(place: Place, along: str, chart: str) -> str:
    threads = f"{place.threads} threads" if along == "size" and place.threads != 1 else ""
    parts = (place.field, place.quantity, place.dtype, place.size, place.target, threads, place.machine)
    caption = f"<figcaption>{escape(', '.join(each for each in parts if each))}</figcaption>"
    return f"<figure{data_of(place)}><h3>{escape(place.program)}</h3>{chart}{caption}</figure>"


def scaling_with_size(material: Material) -> str | None:
    about = "Time at each size that was measured; the axis of times is logarithmic."
    return _charts("sizes", "Scaling with size", about, "size", material)


def scaling_with_threads(material: Material) -> str | None:
    about = "Time with each number of threads; the axis of times is logarithmic."
    return _charts("threads", "Scaling with threads", about, "threads", material)


def history(material: Material) -> str | None:
    found = list(comparing.courses(material.now, material.history))
    if not found:
        return None
    found.sort(key=lambda each: -each[1][-1][1] / each[1][0][1])
    about = "Our rows over all files of the same machine, from the oldest to the newest; those that grew most first."
    rows = ((row.place, _course(row, course)) for row, course in found)
    titles = ("row", "first", "last", "factor", "course", "files")
    return section("history", "History", about, table("history", titles, rows))


def _course(row: Row, course: Sequence[tuple[str, float]]) -> Iterator[Cell]:
    seconds = [value for _, value in course]
    yield Cell(f"{place_cell(row.place).html}<small>{escape(row.name)}</small>")
    yield number(duration(seconds[0]))
    yield number(duration(seconds[-1]))
    yield number(times(seconds[-1] / seconds[0]))
    yield Cell(charts.spark(seconds, f"{row.place.words} from {course[0][0]} to {course[-1][0]}"), "n")
    yield number(str(len(seconds)))


def gate(material: Material) -> str | None:
    found = comparing.gate_changes(material.now, material.history)
    if not found:
        return None
    red = sum(row.word == "slower" for row, _ in found)
    about = (
        f"{len(found)} small rows over fixed work of C, Python and LLVM (docs/gate.md), {red} slower than their "
        "limits; those that grew most since the last time first."
    )
    rows = ((None, _gate_row(row.row, row.word, row.ratio, before)) for row, before in found)
    return section("gate", "The gate", about, table("gate", ("row", "verdict", "ratio", "before", "factor"), rows))


def _gate_row(name: str, word: str, ratio: float, before: float | None) -> Sequence[Cell]:
    factor = ratio / before if before else None
    verdict = number(word, "loss-text" if word == "slower" else "")
    return (
        text(name),
        verdict,
        number(f"{ratio:.4g}"),
        number(f"{before:.4g}" if before else NONE),
        number(times(factor)),
    )


def bars(material: Material) -> str | None:
    """Limits that benchmarks set themselves, the missed ones."""
    found = [bar for results in material.now for bar in results.bars]
    if not found:
        return None
    missed = [bar for bar in found if not bar.is_met]
    about = f"{len(found) - len(missed)} of {len(found)} limits are met; these are not."
    rows = ((None, (text(bar.words), number(f"{bar.value:.4g}"), number(bar.limit))) for bar in missed)
    content = table("bars", ("benchmark", "found", "limit"), rows) if missed else ""
    return section("bars", "Limits of the benchmarks themselves", about, content)


def wrong_rows(material: Material) -> str | None:
    """Refusals and results that differ."""
    found = [row for row in material.rows if row.refused or row.agrees is False]
    if not found:
        return None
    found.sort(key=lambda row: (row.refused is not None, row.excused is not None, not row.is_ours))
    differ = sum(not row.refused for row in found)
    known = sum(row.excused is not None for row in found)
    about = (
        f"{differ} results differ from the reference, {known} of them since f32 cannot hold them; "
        f"{len(found) - differ} contestants refuse a program or fail."
    )
    rows = ((row.place, (place_cell(row.place), text(row.name), _fault(row))) for row in found)
    return section(
        "wrong", "Refused, failed, different", about, table("wrong", ("program", "contestant", "what"), rows)
    )


def _fault(row: Row) -> Cell:
    said = row.refused or f"differs by {row.deviation:.1e}" if row.deviation is not None or row.refused else "differs"
    return Cell(f"<pre>{escape(f'{said}: {row.excused}' if row.excused else said)}</pre>")


SECTIONS: dict[str, tuple[str, Callable[[Material], str | None]]] = {
    "worst": ("worst rows", worst_rows),
    "slower": ("slower", slower_rows),
    "spellings": ("spellings", spellings),
    "methods": ("methods", method_times),
    "compile": ("compile time", compile_times),
    "memory": ("memory", memory),
    "code": ("code", code),
    "sizes": ("sizes", scaling_with_size),
    "threads": ("threads", scaling_with_threads),
    "history": ("history", history),
    "gate": ("gate", gate),
    "bars": ("limits", bars),
    "wrong": ("refused", wrong_rows),
}
