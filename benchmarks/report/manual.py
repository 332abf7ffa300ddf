"""Pages of the manual that are made from results: `make results`."""

from __future__ import annotations

import argparse
import statistics
from collections import defaultdict
from collections.abc import Iterator, Sequence
from pathlib import Path

from report import comparing
from report.comparing import Comparison, mean
from report.measured import MEASURED, take_all
from report.reading import Results, read_all
from report.row import METHODS, OURS, Row
from report.units import NONE, date, duration, size, times

DOCS = Path(__file__).parents[2] / "docs"
RESULTS = Path(__file__).parents[1] / "results"
MADE = "<!-- make results writes this page from benchmarks/measured -->"
ABOUT_RESULTS = """\
Times of Tapeless beside JAX, PyTorch, numpy and C, as measured; the files are in `benchmarks/measured`, one for each
machine. A ratio is the time of our fastest spelling and method over that of the peer, so that less than 1 is faster.
Means are geometric. On one processor, times are processor time, the least of several rounds in which contestants take
turns; machines may have been busy with other work, too. `make bench` measures all of it and writes a report with every
row, `make results` this page. Which method is how fast is on [a page of its own](which-method.md).
"""
ABOUT_METHODS = """\
[`redundant`](method_redundant.md), the default, keeps what its reverse sweep needs or computes it again, scope by
scope. [`reversible`](method_reversible.md) runs loops backwards instead of keeping their states.
[`coarsened`](method_coarsened.md) differentiates stretches of scalar code as one expression. What the last two
have nothing to do for, they leave to `redundant`. This page counts what each of them took on the programs of
`benchmarks`; `kernel.explain()` says what a method decided for yours.
"""
HOW_TO_ADD = """\
`make bench` and then `make results` on such a machine add it. For a GPU, `benchmarks/gpu.py run FOLDER --json FILE` and
`benchmarks/untuned/run.py --run FOLDER --json FILE` write the files; `make results` takes those in
`benchmarks/results`.
"""
SHOWN = 20
# A spelling that fewer places have is not in the table of spellings.
FEWEST = 5
# Times that differ by less are called equal.
EQUAL = 1.05
LESS = 1.5


def table(titles: Sequence[str], rows: Sequence[Sequence[str]]) -> Iterator[str]:
    yield f"| {' | '.join(titles)} |"
    yield f"|{'|'.join([' --- ', *[' ---: '] * (len(titles) - 1)])}|"
    yield from (f"| {' | '.join(each.replace('|', '/') for each in row)} |" for row in rows)
    yield ""


def results_page(found: Sequence[Results]) -> str:
    """Tables of the results of each machine."""
    return "\n".join(_results(found))


def _results(found: Sequence[Results]) -> Iterator[str]:
    yield "# Results"
    yield ""
    yield MADE
    yield ABOUT_RESULTS
    for each in found:
        yield from _machine(each)
    yield from _not_measured(found)


def _machine(results: Results) -> Iterator[str]:
    rows = results.rows
    yield f"## {results.machine_words}"
    versions = ", ".join(_version(name, str(version)) for name, version in results.versions.items())
    programs = len({row.program for row in rows})
    yield f"{len(rows)} rows of {programs} programs; last measured {date(results.when)}; {versions}."
    yield ""
    summaries = comparing.summaries(rows)
    if summaries:
        titles = ("against", "target", "mean ratio", "places", "slower there")
        yield from table(titles, [(s.peer, s.target, times(s.mean), str(s.places), str(s.slower)) for s in summaries])
    worst = comparing.worst_first(rows)
    if worst:
        yield "### By field, against the fastest peer"
        yield from table(("field", "mean ratio", "worst", "best", "places"), _fields(worst))
        yield from _spellings(rows)
        yield f"### The worst rows{f', {SHOWN} of {len(worst)}' if len(worst) > SHOWN else ''}"
        peers = sorted({name for each in worst for name in each.peers})
        yield from table(("program", "ratio", OURS, *peers), [_worst(each, peers) for each in worst[:SHOWN]])
    yield from _compile_times(rows)
    yield from _refused(rows)


def _version(name: str, version: str) -> str:
    return version if version.startswith(name) else f"{name} {version}"


def _fields(found: Sequence[Comparison]) -> list[tuple[str, ...]]:
    ratios: dict[str, list[float]] = defaultdict(list)
    for each in found:
        ratios[each.place.field].append(each.ratio)
    ordered = sorted(ratios.items(), key=lambda item: -mean(item[1]))
    return [(field, times(mean(r)), times(max(r)), times(min(r)), str(len(r))) for field, r in ordered]


def _spellings(rows: Sequence[Row]) -> Iterator[str]:
    """Each spelling for itself: what a user gets who writes that one."""
    found = comparing.behind(rows)
    ratios: dict[str, list[float]] = defaultdict(list)
    for ratio, row, _ in found:
        ratios[row.spelling or ""].append(ratio)
    several = {name: given for name, given in ratios.items() if len(given) >= FEWEST}
    if several:
        yield "### By spelling, against the fastest peer"
        titles = ("spelling", "mean ratio", "worst", "slower there", "places")
        lines = [
            (name, times(mean(r)), times(max(r)), str(sum(each > 1 for each in r)), str(len(r)))
            for name, r in sorted(several.items(), key=lambda item: -mean(item[1]))
        ]
        yield from table(titles, lines)
        yield f"### Spellings that are furthest behind, {min(SHOWN, len(found))} of {len(found)}"
        lines = [
            (row.place.words, row.spelling or "", times(ratio), duration(row.seconds), duration(peer.seconds))
            for ratio, row, peer in found[:SHOWN]
        ]
        yield from table(("program", "spelling", "ratio", OURS, "fastest peer"), lines)


def _worst(each: Comparison, peers: Sequence[str]) -> tuple[str, ...]:
    theirs = (duration(each.peers[peer].seconds) if peer in each.peers else NONE for peer in peers)
    return each.place.words, times(each.ratio), duration(each.ours.seconds), *theirs


def _compile_times(rows: Sequence[Row]) -> Iterator[str]:
    found: dict[str, list[float]] = defaultdict(list)
    for row in rows:
        if row.compile_seconds is not None:
            found[row.name.replace(f"{row.spelling}, ", "") if row.spelling else row.name].append(row.compile_seconds)
    if found:
        yield "### Compile time"
        lines = [
            (name, duration(statistics.median(seconds)), duration(max(seconds)), str(len(seconds)))
            for name, seconds in sorted(found.items())
        ]
        yield from table(("contestant", "median", "longest", "rows"), lines)


def _refused(rows: Sequence[Row]) -> Iterator[str]:
    ours = [row for row in rows if row.is_ours]
    refused, differ = [row for row in ours if row.refused], [row for row in ours if row.agrees is False]
    yield f"Of {len(ours)} rows of Tapeless, {len(refused)} were refused and {len(differ)} differ from the reference."
    yield ""
    for row in differ:
        yield f"- {row.place.words}, {row.name}: differs by {row.deviation or 0:.1e}"
    for message, programs in sorted(_by_message(refused).items()):
        yield f"- refused: {', '.join(sorted(programs))}: `{message}`"
    if differ or refused:
        yield ""


def _by_message(refused: Sequence[Row]) -> dict[str, set[str]]:
    found: dict[str, set[str]] = defaultdict(set)
    for row in refused:
        found[(row.refused or "").splitlines()[0][:160].replace("`", "'")].add(row.program)
    return found


KINDS = {"aarch64": "aarch64", "x86_64": "x86_64", "gpu": "an NVIDIA GPU"}


def _not_measured(found: Sequence[Results]) -> Iterator[str]:
    """Kinds of machines that no file is of: said rather than left out."""
    kinds = {str(each.machine.get("architecture")) for each in found if not each.machine.get("gpu")}
    kinds |= {"gpu" for each in found if any(row.target == "cuda" for row in each.rows)}
    missing = [name for kind, name in KINDS.items() if kind not in kinds]
    if missing:
        yield "## Not measured yet"
        yield f"No file of `benchmarks/measured` is of {' or of '.join(missing)}."
        yield HOW_TO_ADD
        yield ""


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


PAGES = {"results.md": results_page, "which-method.md": methods_page}


def texts(folder: Path = MEASURED) -> dict[str, str]:
    """The pages by file name, from the files of a folder."""
    found, wrong = read_all(folder.glob("*.json"))
    if wrong:
        raise SystemExit("\n".join(wrong))
    ordered = sorted(found, key=lambda each: each.machine_words)
    return {name: make(ordered).rstrip("\n") + "\n" for name, make in PAGES.items()}


def main() -> None:
    parser = argparse.ArgumentParser(prog="report.manual", description=__doc__)
    parser.add_argument("files", nargs="*", type=Path, help="JSON of benchmarks; without any, those of results")
    given = parser.parse_args()
    found, wrong = read_all(given.files or RESULTS.glob("*.json"))
    for each in wrong:
        print(f"not read: {each}")
    for path in dict.fromkeys(take_all(found)):
        print(path)
    for name, text in texts().items():
        (DOCS / name).write_text(text)
        print(DOCS / name)


if __name__ == "__main__":
    main()
