"""The report: one HTML file that opens without a server and refers to nothing outside of itself."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from pathlib import Path

from report import comparing
from report.html import FILTERS
from report.reading import Results, told_apart
from report.sections import SECTIONS, Material
from report.units import date, times

HERE = Path(__file__).parent


def page(now: Sequence[Results], history: Sequence[Results] = (), wrong: Sequence[str] = ()) -> str:
    """The whole file; `wrong` says which files could not be read."""
    several = len({each.machine_name for each in now}) > 1
    material = Material(told_apart(now, several), told_apart(history, several))
    made = {name: text for name, (_, make) in SECTIONS.items() if (text := make(material)) is not None}
    links = "".join(f'<a href="#{name}">{escape(SECTIONS[name][0])}</a>' for name in made)
    return f"""<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Tapeless: benchmarks</title>
<style>
{(HERE / "style.css").read_text()}</style>
</head>
<body>
<header><h1>Benchmarks of Tapeless</h1>
{_machines(now)}
{_chips(material)}
{_warnings([f"not read: {each}" for each in wrong])}
{_warnings(_left_out(now))}
</header>
<nav><div><div class="links">{links}</div>{_form(material)}</div></nav>
<main>
{_nothing(made)}{"".join(made.values())}
</main>
<footer>{_versions(now)}</footer>
<script>
{(HERE / "filter.js").read_text()}</script>
</body>
</html>
"""


def _nothing(made: dict[str, str]) -> str:
    return "" if made else "<p>No file of results has a row. Run make bench.</p>"


def _machines(now: Sequence[Results]) -> str:
    """Which machine which files are of."""
    files: dict[str, list[str]] = {}
    for each in now:
        files.setdefault(each.machine_words, []).append(f"{each.name} ({date(each.when)})")
    lines = (
        f"<p>{escape(machine)}: <span class=soft>{escape(', '.join(names))}</span></p>"
        for machine, names in files.items()
    )
    return "".join(lines)


def _chips(material: Material) -> str:
    """The means against each peer, and how many rows there are."""
    rows = material.rows
    chips = [
        (times(each.mean), f"time of {_where(each)}, mean of {each.places} places, {each.slower} slower")
        for each in comparing.summaries(rows)
    ]
    chips.append((str(len(rows)), "rows"))
    chips += [(str(count), words) for count, words in _faults(material) if count]
    return f'<ul class="chips">{"".join(f"<li><b>{escape(a)}</b><span>{escape(b)}</span></li>" for a, b in chips)}</ul>'


def _where(each: comparing.Summary) -> str:
    return f"{each.peer} on {each.target}{f' of {each.machine}' if each.machine else ''}"


def _faults(material: Material) -> list[tuple[int, str]]:
    ours = [row for row in material.rows if row.is_ours]
    slow = comparing.slower(comparing.changes(material.now, material.history))
    return [
        (sum(row.refused is not None for row in ours), "rows of ours refused"),
        (sum(row.differs for row in ours), "rows of ours that differ"),
        (len(slow), "slower than the last time"),
    ]


def _left_out(now: Sequence[Results]) -> list[str]:
    """How many programs there was no time for, by file, in one sentence."""
    counts = [f"{len(each.left_out)} of {each.name} ({each.left_out[0]}, \u2026)" for each in now if each.left_out]
    return [f"left out for lack of time: {', '.join(counts)}"] if counts else []


def _warnings(said: Sequence[str]) -> str:
    return "".join(f'<p class="warning">{escape(each)}</p>' for each in said)


def _form(material: Material) -> str:
    """Choices of what is shown; hidden until the script is there to act on them."""
    selects = []
    for name in FILTERS:
        values = sorted({str(getattr(row, name)) for row in material.rows if getattr(row, name)})
        if len(values) > 1:
            options = "".join(f"<option>{escape(value)}</option>" for value in values)
            selects.append(
                f'<select name="{name}" aria-label="{name}"><option value="">any {name}</option>{options}</select>'
            )
    search = '<input name="text" type="search" placeholder="words in a row" aria-label="words in a row">'
    return f"<form hidden>{''.join(selects)}{search}</form>"


def _versions(now: Sequence[Results]) -> str:
    found = sorted({f"{name} {version}" for each in now for name, version in each.versions.items()})
    return escape(", ".join(found))
