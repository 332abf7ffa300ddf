"""Measuring how long each part of a run takes."""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import field
from typing import NamedTuple

from tapeless._mlir import ir
from tapeless.dataclasses_on_use import dataclass
from tapeless.passes.driver.steps import Step

RULE = "===" + "-" * 73 + "==="


class Entry(NamedTuple):
    """The wall time of one pass, or of another part of the run; that of passes which it runs itself is part of it."""

    anchors: tuple[str, ...]
    name: str
    seconds: float
    inner: tuple[Entry, ...] = ()


@dataclass
class Timer:
    """An instrument that measures every pass; `measure` measures other parts, such as parsing."""

    entries: list[Entry] = field(default_factory=list)
    _created: float = field(default_factory=time.perf_counter, init=False)
    _running: list[tuple[float, list[Entry]]] = field(default_factory=list, init=False)

    def before(self, step: Step, module: ir.Module) -> None:
        """Starts a clock."""
        self._running.append((time.perf_counter(), []))

    def after(self, step: Step, module: ir.Module) -> None:
        """Stops the clock; the time includes verifying the result of the pass."""
        started, inner = self._running.pop()
        entry = Entry(step.anchors, step.name, time.perf_counter() - started, tuple(inner))
        (self._running[-1][1] if self._running else self.entries).append(entry)

    failed = after

    @contextmanager
    def measure(self, name: str) -> Iterator[None]:
        """Measures the time inside the `with`."""
        started = time.perf_counter()
        try:
            yield
        finally:
            self.entries.append(Entry((), name, time.perf_counter() - started))

    def report(self, as_list: bool = False) -> str:
        """The times as a table, in order and nested as the pipeline is, or summed by name and sorted."""
        total = time.perf_counter() - self._created
        rows = list(_list_rows(self.entries) if as_list else _tree_rows(self.entries))
        rest = total - sum(entry.seconds for entry in self.entries)
        rows += [(0, "Rest", rest), (0, "Total", total)]
        body = "\n".join(_row(indent, name, seconds, total) for indent, name, seconds in rows)
        title = "... Execution time report ...".center(len(RULE)).rstrip()
        heading = f"{RULE}\n{title}\n{RULE}\n  Total Execution Time: {total:.4f} seconds"
        return f"{heading}\n\n  ----Wall Time----  ----Name----\n{body}\n"


Row = tuple[int, str, float]


def _row(indent: int, name: str, seconds: float, total: float) -> str:
    share = 100 * seconds / total if total else 0.0
    return f"  {seconds:8.4f} ({share:5.1f}%)  {'  ' * indent}{name}"


def _list_rows(entries: list[Entry]) -> Iterator[Row]:
    sums: dict[str, float] = {}
    for name, seconds in _own_times(entries):
        sums[name] = sums.get(name, 0.0) + seconds
    return ((0, name, seconds) for name, seconds in sorted(sums.items(), key=lambda item: -item[1]))


def _own_times(entries: Iterable[Entry]) -> Iterator[tuple[str, float]]:
    """The times of passes without those of the passes that they run."""
    for entry in entries:
        yield entry.name, entry.seconds - sum(inner.seconds for inner in entry.inner)
        yield from _own_times(entry.inner)


def _inner_rows(entries: Iterable[Entry], depth: int) -> Iterator[Row]:
    """The passes that a pass runs, each name once, with their own inner passes."""
    by_name: dict[str, list[Entry]] = {}
    for entry in entries:
        by_name.setdefault(entry.name, []).append(entry)
    for name, same in by_name.items():
        yield depth, name, sum(entry.seconds for entry in same)
        yield from _inner_rows((inner for entry in same for inner in entry.inner), depth + 1)


def _tree_rows(entries: list[Entry], depth: int = 0) -> Iterator[Row]:
    """Entries in order; neighbours under the same anchor are gathered under one row for their pipeline."""
    position = 0
    while position < len(entries):
        anchors = entries[position].anchors[depth : depth + 1]
        if not anchors:
            yield depth, entries[position].name, entries[position].seconds
            yield from _inner_rows(entries[position].inner, depth + 1)
            position += 1
            continue
        end = position
        while end < len(entries) and entries[end].anchors[depth : depth + 1] == anchors:
            end += 1
        inner = entries[position:end]
        yield depth, f"'{anchors[0]}' Pipeline", sum(entry.seconds for entry in inner)
        yield from _tree_rows(inner, depth + 1)
        position = end
