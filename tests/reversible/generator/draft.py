"""A procedure that is being written: its random choices, its lines, and what is in scope."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, TypeVar

from fuzz.draft import INDENT, Stuck
from reversible.generator.cells import Cell, Counter, Procedure, Shape, Temporary

Choice = TypeVar("Choice")


@dataclass
class Draft:
    """The state of the generator.

    `locked` cells must not be written, `hidden` ones not be read where the next expression stands, and with `only` no
    other cells than these are written. `reads` and `changes` hold the sets that learn what is read and written, and
    `failing` is the chance of a check that may fail.
    """

    rng: random.Random
    sizes: dict[str, int]
    cells: list[Cell] = field(default_factory=list)
    counters: list[Counter] = field(default_factory=list)
    temporaries: list[Temporary] = field(default_factory=list)
    procedures: list[Procedure] = field(default_factory=list)
    functions: list[str] = field(default_factory=list)
    locked: frozenset[str] = frozenset()
    hidden: frozenset[str] = frozenset()
    only: frozenset[str] | None = None
    reads: list[set[str]] = field(default_factory=list)
    changes: list[set[str]] = field(default_factory=list)
    lines: list[str] = field(default_factory=list)
    indent: int = 1
    depth: int = 0
    counter: int = 9
    failing: float = 0.0
    is_simple: bool = False

    def fresh(self, stem: str) -> str:
        self.counter += 1
        return f"{stem}{self.counter}"

    def add(self, line: str) -> None:
        self.lines.append(INDENT * self.indent + line)

    def pick(self, choices: Sequence[Choice]) -> Choice:
        if not choices:
            raise Stuck
        return self.rng.choice(choices)

    def chance(self, probability: float) -> bool:
        return self.rng.random() < probability

    def may_fail(self) -> bool:
        """Whether a check that fails is wanted here."""
        return self.chance(self.failing)

    def first_that_works(self, table: dict[Callable[..., Any], int], *arguments: Any, tries: int = 8) -> Any:
        """The outcome of a random entry of the table; entries that get stuck leave no trace."""
        for _ in range(tries):
            length = len(self.lines)
            chosen = self.rng.choices(list(table), list(table.values()))[0]
            try:
                return chosen(self, *arguments)
            except Stuck:
                del self.lines[length:]
        raise Stuck

    def readable(self, dtype: str, shape: Shape | None = None) -> list[Cell]:
        """Cells whose value may be used here."""
        return [
            each
            for each in self.cells
            if each.dtype == dtype and (shape is None or each.shape == shape) and each.name not in self.hidden
        ]

    def writable(self, dtype: str, shape: Shape | None = None) -> list[Cell]:
        """Cells that may be changed here."""
        return [each for each in self.cells if each.dtype == dtype and self._may_write(each, shape)]

    def _may_write(self, cell: Cell, shape: Shape | None) -> bool:
        is_free = not cell.is_read_only and cell.name not in self.locked
        return is_free and (shape is None or cell.shape == shape) and (self.only is None or cell.name in self.only)

    def read(self, *names: str) -> None:
        """Books that cells are read."""
        for each in self.reads:
            each.update(names)

    def written(self, *names: str) -> None:
        """Books that cells are changed: temporaries that read them end."""
        self.temporaries = [each for each in self.temporaries if not each.reads & set(names)]
        for each in self.changes:
            each.update(names)
        self.read(*names)

    def number(self) -> str:
        return repr(self.rng.choice((0.37, -0.83, 0.5, 1.5, -0.25, 0.6180339887, 1.0, -1.25)))

    @contextmanager
    def recording(self) -> Iterator[set[str]]:
        """Learns which cells are read inside."""
        found: set[str] = set()
        self.reads.append(found)
        try:
            yield found
        finally:
            self.reads.pop()

    @contextmanager
    def hiding(self, *names: str) -> Iterator[None]:
        """Expressions inside do not read these cells, nor temporaries that do."""
        before = self.hidden
        self.hidden = before | set(names)
        try:
            yield
        finally:
            self.hidden = before

    @contextmanager
    def restricted(self, only: Sequence[str] | None = None, locked: Sequence[str] = ()) -> Iterator[None]:
        """Inside, some cells must not be written."""
        before = self.only, self.locked
        self.only = self.only if only is None else frozenset(only)
        self.locked = self.locked | set(locked)
        try:
            yield
        finally:
            self.only, self.locked = before

    @contextmanager
    def block(self, *added: Cell | Counter, repeats: bool = False) -> Iterator[None]:
        """One level deeper; what is named inside is forgotten outside.

        Where a block repeats, temporaries of outside must hold in every iteration: what they read is locked.
        """
        before = self.cells, self.counters, self.temporaries, self.locked
        self.changes.append(set())
        self.cells = [*self.cells, *(each for each in added if isinstance(each, Cell))]
        self.counters = [*self.counters, *(each for each in added if isinstance(each, Counter))]
        if repeats and self.chance(0.5):
            self.temporaries = []
        if repeats:
            self.locked = self.locked.union(*(each.reads for each in self.temporaries))
        self.indent, self.depth, length = self.indent + 1, self.depth + 1, len(self.lines)
        try:
            yield
            if len(self.lines) == length:
                self.add("pass")
        finally:
            changed = self.changes.pop()
            self.cells, self.counters, self.locked = before[0], before[1], before[3]
            self.temporaries = [each for each in before[2] if not each.reads & changed]
            self.indent, self.depth = self.indent - 1, self.depth - 1
