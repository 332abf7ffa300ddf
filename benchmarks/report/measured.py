"""Results that the manual shows: one file per machine in `measured`, kept with the sources, newer rows over older.

`python -m report.measured FILES` in the folder `benchmarks` adds what benchmarks wrote, here or on another machine, in
part or whole; `make results` does so, too, and makes the pages.
"""

from __future__ import annotations

import argparse
import json
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from report.reading import Results, read, read_all
from report.row import Row

MEASURED = Path(__file__).parents[1] / "measured"
DIGITS = 4


def file_of(results: Results, folder: Path) -> Path:
    """The file of a machine, named after its GPU, or else its processor."""
    name = results.machine.get("gpu") or f"{results.machine.get('architecture')} {results.machine.get('processor')}"
    return folder / f"{re.sub(r'[^a-z0-9]+', '-', str(name).split(',')[0].lower()).strip('-')}.json"


@dataclass(frozen=True)
class Taken:
    """How many rows of a file were new to the one of their machine, replaced older ones, or were older themselves."""

    path: Path
    new: int
    replaced: int
    older: int
    kept: int

    @property
    def words(self) -> str:
        parts = f"{self.new} rows new, {self.replaced} replaced, {self.kept} kept"
        return f"{self.path}: {parts}{f', {self.older} older than those there' if self.older else ''}"


def take(results: Results, folder: Path = MEASURED) -> Taken:
    """Adds rows to the file of their machine, in place of older ones of the same key; all others stay."""
    path = file_of(results, folder)
    before = read(path) if path.exists() else replace(results, when="", rows=())
    rows = {row.key: row for row in before.rows}
    given = {row.key: row if row.when else replace(row, when=results.when) for row in results.rows}
    newer = {key: row for key, row in given.items() if key not in rows or row.when >= rows[key].when}
    replaced = sum(key in rows for key in newer)
    newest = max(before, results, key=lambda each: each.when)
    merged = sorted((rows | newer).values(), key=_order)
    content = {
        "when": newest.when,
        "machine": dict(newest.machine),
        "versions": dict(newest.versions),
        "rows": [rounded(row).as_json() for row in merged],
    }
    folder.mkdir(parents=True, exist_ok=True)
    path.write_text(_text(content))
    return Taken(path, len(newer) - replaced, replaced, len(given) - len(newer), len(rows) - replaced)


def take_all(found: Iterable[Results], folder: Path = MEASURED) -> list[Taken]:
    """Files in the order of their dates, with what became of their rows."""
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


def main() -> None:
    parser = argparse.ArgumentParser(prog="report.measured", description=__doc__)
    parser.add_argument("files", nargs="+", type=Path, help="JSON of benchmarks")
    parser.add_argument("--into", type=Path, default=MEASURED, metavar="FOLDER", help="where the files of machines are")
    given = parser.parse_args()
    found, wrong = read_all(given.files)
    for each in take_all(found, given.into):
        print(each.words)
    if wrong:
        raise SystemExit("\n".join(wrong))


if __name__ == "__main__":
    main()
