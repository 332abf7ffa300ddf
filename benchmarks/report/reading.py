"""Files of results: which machine, when, and the rows in them."""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from report.layouts import LAYOUTS
from report.row import Row


class BrokenResults(ValueError):
    """A file that is not what a benchmark writes."""


@dataclass(frozen=True)
class Bar:
    """A limit that a benchmark set itself, and whether it was met."""

    words: str
    value: float
    limit: str
    is_met: bool


@dataclass(frozen=True)
class GateRow:
    """A row of the gate: its ratio to fixed work, and what the gate says of it."""

    row: str
    word: str
    ratio: float


@dataclass(frozen=True)
class Results:
    """The contents of one file."""

    name: str
    when: str
    machine: Mapping[str, Any]
    versions: Mapping[str, Any]
    rows: tuple[Row, ...] = ()
    bars: tuple[Bar, ...] = ()
    gate: tuple[GateRow, ...] = ()
    left_out: tuple[str, ...] = ()

    @property
    def machine_words(self) -> str:
        """The machine in words, by which files are told apart."""
        return words_of(self.machine)

    @property
    def machine_name(self) -> str:
        """The GPU, or else the processor and how many there are."""
        if self.machine.get("gpu"):
            return str(self.machine["gpu"]).partition(",")[0]
        return f"{self.machine.get('processor') or 'unknown processor'} x{self.machine.get('processors', '?')}"


def told_apart(found: Sequence[Results], several: bool) -> list[Results]:
    """The same with a machine in each row, where there are several."""
    if not several:
        return list(found)
    return [replace(e, rows=tuple(replace(row, machine=e.machine_name) for row in e.rows)) for e in found]


def words_of(machine: Mapping[str, Any]) -> str:
    processor = machine.get("processor") or "unknown processor"
    parts = [f"{processor} ({machine.get('architecture', 'unknown')}, {machine.get('processors', '?')} processors)"]
    return ", ".join([*parts, str(machine["gpu"])] if machine.get("gpu") else parts)


def read(path: Path) -> Results:
    """A file of results; raises BrokenResults with the file's name and what is wrong with it."""
    try:
        content = json.loads(path.read_text())
    except (OSError, UnicodeDecodeError, json.JSONDecodeError) as error:
        raise BrokenResults(f"{path}: {error}; run the benchmark again, or remove the file") from error
    if not isinstance(content, dict) or "machine" not in content:
        raise BrokenResults(f"{path}: names no machine; run the benchmark again, or remove the file")
    try:
        return parsed(path.stem, content)
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        what = f"{type(error).__name__}: {error}"
        raise BrokenResults(f"{path}: a row is not as benchmarks write it ({what}); run the benchmark again") from error


def parsed(name: str, content: Mapping[str, Any]) -> Results:
    """The rows that the object in a file means; lists of unknown names are ignored."""
    return Results(
        name=name,
        when=str(content.get("when", "")),
        machine=dict(content["machine"]),
        versions={key: value for key, value in dict(content.get("versions", {})).items() if value},
        rows=tuple(merged(_rows(content))),
        bars=tuple(_bars(content.get("records", ()))),
        gate=tuple(GateRow(each["row"], each["word"], float(each["ratio"])) for each in content.get("gate", ())),
        left_out=tuple(map(str, content.get("left_out", ()))),
    )


def _rows(content: Mapping[str, Any]) -> Iterator[Row]:
    for name, rows_of in LAYOUTS.items():
        for entry in content.get(name, ()):
            for row in rows_of(entry):
                check(row)
                yield row


def check(row: Row) -> None:
    """Times and sizes are positive numbers: a NaN would be neither the worst row nor the best."""
    for name in ("seconds", "compile_seconds", "peak_bytes"):
        value = getattr(row, name)
        if value is not None and not (math.isfinite(value) and value >= 0):
            raise ValueError(f"{name} of '{row.program}' is {value}")


def merged(rows: Iterable[Row]) -> list[Row]:
    """Records of one thing of a row (its time, its compile time, its memory) put together."""
    found: dict[tuple[Any, ...], dict[str, Any]] = {}
    for row in rows:
        entry = found.setdefault(row.key, {})
        entry.update(row.as_json())
    return [Row(**{"program": key[0].program, "contestant": key[1], **entry}) for key, entry in found.items()]


def _bars(records: Iterable[Mapping[str, Any]]) -> Iterator[Bar]:
    for each in records:
        if "bar" in each:
            limit = each["bar"]
            relation = f"<= {limit['at_most']:g}" if "at_most" in limit else f">= {limit['at_least']:g}"
            words = ", ".join(
                part for part in (each["benchmark"], each["program"], each["size"], each["metric"]) if part
            )
            yield Bar(words, float(each["value"]), f"{relation} {each['unit']}".strip(), bool(limit["met"]))


def read_all(paths: Iterable[Path]) -> tuple[list[Results], list[str]]:
    """All files that can be read, the oldest first, and what is wrong with the others."""
    found, wrong = [], []
    for path in sorted(paths):
        try:
            found.append(read(path))
        except BrokenResults as error:
            wrong.append(str(error))
    return sorted(found, key=lambda each: each.when), wrong
