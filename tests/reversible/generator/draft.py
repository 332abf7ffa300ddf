"""A procedure that is being written: its random choices, its lines, and what is in scope."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field

from fuzz.writing import Writing
from reversible.generator.cells import Cell, Counter, Procedure, Shape, Temporary


@dataclass
class Draft(Writing):
    """The state of the generator.

    `locked` cells must not be written, `hidden` ones not be read where the next expression stands, and with `only` no
    other cells than these are written. `reads` and `changes` hold the sets that learn what is read and written, and
    `failing` is the chance of a check that may fail.
    """

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
    depth: int = 0
    failing: float = 0.0
    is_simple: bool = False

    def may_fail(self) -> bool:
        """Whether a check that fails is wanted here."""
        return self.chance(self.failing)

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
        self.depth += 1
        try:
            with self.indented():
                yield
        finally:
            changed = self.changes.pop()
            self.cells, self.counters, self.locked = before[0], before[1], before[3]
            self.temporaries = [each for each in before[2] if not each.reads & changed]
            self.depth -= 1
