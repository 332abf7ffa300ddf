"""The page of the manual with results of each machine: means, what was slower, compile times, refusals."""

from __future__ import annotations

import statistics
from collections import defaultdict
from collections.abc import Iterator, Sequence

from report import comparing
from report.comparing import Comparison, mean
from report.imports import imported_tables
from report.reading import Results
from report.row import OURS, Row
from report.tables import MADE, table
from report.units import NONE, date, duration, times

ABOUT_RESULTS = """\
Times of Tapeless beside JAX, PyTorch, numpy and C, as measured; the files are in `benchmarks/measured`, one for each
machine. A ratio is the time of our fastest spelling and method over that of the peer, so that less than 1 is faster.
Means are geometric. On one processor, times are processor time, the least of several rounds in which contestants take
turns; machines may have been busy with other work, too. `make bench` measures all of it and writes a report with every
row, `make results` this page. Pages of their own say [which spellings are slower than a peer](slower.md), [which method
is how fast](which-method.md), and how fast single kernels are [on GPUs](gpu_results.md).
"""
HOW_TO_ADD = """\
`make bench` and then `make results` on such a machine add it. For a GPU, `benchmarks/gpu.py run FOLDER --json FILE` and
`benchmarks/untuned/run.py --run FOLDER --json FILE` (also `benchmarks/imported/run.py`) write the files; `make results`
takes those in `benchmarks/results`.
"""
# A spelling that fewer places have is not in the table of spellings.
FEWEST = 5


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
    yield from _denormals(rows)
    summaries = comparing.summaries(rows)
    if summaries:
        titles = ("against", "target", "mean ratio", "places", "slower there")
        yield from table(titles, [(s.peer, s.target, times(s.mean), str(s.places), str(s.slower)) for s in summaries])
    worst = comparing.worst_first(rows)
    if worst:
        yield "### By size and dtype, against the fastest peer"
        titles = ("where", "fastest spelling", "slower", "of places", "all spellings", "slower", "of spellings")
        yield from table(titles, [_group(each) for each in comparing.groups(rows)])
        yield "### By field, against the fastest peer"
        yield from table(("field", "mean ratio", "worst", "best", "places"), _fields(worst))
        yield from _spellings(rows)
        slower = [each for each in worst if each.ratio > 1]
        yield f"### Slower than the fastest peer: {len(slower)} of {len(worst)}"
        peers = sorted({name for each in slower for name in each.peers})
        yield from table(("program", "ratio", OURS, *peers), [_worst(each, peers) for each in slower])
    yield from imported_tables(rows)
    yield from _compile_times(rows)
    yield from _refused(rows)


def _denormals(rows: Sequence[Row]) -> Iterator[str]:
    """In how many rows contestants had the mode of JAX."""
    on_cpu = [row for row in rows if row.target == "cpu"]
    flushed = sum(row.denormals == "flush" for row in on_cpu)
    if flushed:
        yield f"Denormal numbers were zeros for all contestants in {flushed} of {len(on_cpu)} rows of the processor, as"
        yield "they always are for JAX; in the others, the rest kept them ([Numbers](numbers.md#denormal-numbers))."
        yield ""


def _version(name: str, version: str) -> str:
    return version if version.startswith(name) else f"{name} {version}"


def _group(each: comparing.Group) -> tuple[str, ...]:
    threads = f"{each.threads} threads" if each.threads != 1 else ""
    where = ", ".join(part for part in (each.dtype, each.size, each.target, threads) if part)
    of_fastest, of_all = ((_mean_of(ratios), str(_losses(ratios)), str(len(ratios))) for ratios in each.ratios)
    return where, *of_fastest, *of_all


def _mean_of(ratios: Sequence[float]) -> str:
    return times(mean(ratios)) if ratios else NONE


def _losses(ratios: Sequence[float]) -> int:
    return sum(each > 1 for each in ratios)


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
    refused, differ = [row for row in ours if row.refused], [row for row in ours if row.differs]
    excused = [row for row in ours if row.excused]
    counts = f"{len(refused)} were refused and {len(differ)} differ from the reference"
    known = f"; of {len(excused)} more it is known that f32 cannot hold their result" if excused else ""
    yield f"Of {len(ours)} rows of Tapeless, {counts}{known}."
    yield ""
    for row in differ:
        yield f"- {row.place.words}, {row.name}: differs by {row.deviation or 0:.1e}"
    for row in excused:
        yield f"- {row.place.words}, {row.name}: differs by {row.deviation or 0:.1e}, since {row.excused}"
    for message, programs in sorted(_by_message(refused).items()):
        yield f"- refused: {', '.join(sorted(programs))}: `{message}`"
    if differ or refused or excused:
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
