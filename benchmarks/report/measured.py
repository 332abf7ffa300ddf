"""Results that the manual shows: one file per machine in `measured`, kept with the sources, newer rows over older."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

from report.reading import Results, read
from report.row import Row

MEASURED = Path(__file__).parents[1] / "measured"
DIGITS = 4


def file_of(results: Results, folder: Path) -> Path:
    """The file of a machine, named after its GPU, or else its processor."""
    name = results.machine.get("gpu") or f"{results.machine.get('architecture')} {results.machine.get('processor')}"
    return folder / f"{re.sub(r'[^a-z0-9]+', '-', str(name).split(',')[0].lower()).strip('-')}.json"


def take(results: Results, folder: Path = MEASURED) -> Path:
    """Adds rows to the file of their machine."""
    path = file_of(results, folder)
    rows = {row.key: row for row in read(path).rows} if path.exists() else {}
    rows |= {row.key: row for row in results.rows}
    content = {
        "when": results.when,
        "machine": dict(results.machine),
        "versions": dict(results.versions),
        "rows": [rounded(row).as_json() for row in sorted(rows.values(), key=_order)],
    }
    folder.mkdir(parents=True, exist_ok=True)
    path.write_text(_text(content))
    return path


def take_all(found: Iterable[Results], folder: Path = MEASURED) -> list[Path]:
    """Files in the order of their dates, so that the newest row stays."""
    ordered = sorted(found, key=lambda each: each.when)
    return [take(part, folder) for each in ordered for part in by_device(each)]


def by_device(results: Results) -> Iterator[Results]:
    """Rows of the processor, for which a GPU beside it does not count, and rows of the GPU, where there are any."""
    on_gpu = tuple(row for row in results.rows if row.target != "cpu")
    on_cpu = tuple(row for row in results.rows if row.target == "cpu")
    if on_cpu:
        yield replace(results, machine={**results.machine, "gpu": None}, rows=on_cpu)
    if on_gpu:
        yield replace(results, rows=on_gpu)


def _order(row: Row) -> tuple[Any, ...]:
    parts = (row.field, row.program, row.quantity, row.dtype, row.size, row.target, row.threads)
    return (*parts, row.contestant, row.spelling or "", row.method or "")


def rounded(row: Row) -> Row:
    """Times with as many digits as they are worth."""
    names = ("seconds", "compile_seconds", "deviation")
    values = {name: getattr(row, name) for name in names}
    return replace(
        row, **{name: None if value is None else float(f"{value:.{DIGITS}g}") for name, value in values.items()}
    )


def _text(content: dict[str, Any]) -> str:
    """A line for each row, so that a change of one is a change of one line."""
    rows = ",\n".join(json.dumps(row, ensure_ascii=False) for row in content.pop("rows"))
    head = json.dumps(content, indent=1, ensure_ascii=False).removesuffix("\n}")
    return f'{head},\n "rows": [\n{rows}\n]}}\n'
