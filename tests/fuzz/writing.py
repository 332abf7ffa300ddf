"""A program that is being written at random: its choices and its lines."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, TypeVar

INDENT = "    "
Choice = TypeVar("Choice")


class Stuck(Exception):
    """What was begun cannot be written here; something else is tried."""


@dataclass
class Writing:
    """What every generator of programs needs. Names end in numbers from ten on; parameters are numbered below."""

    rng: random.Random
    lines: list[str] = field(default_factory=list, kw_only=True)
    indent: int = field(default=1, kw_only=True)
    counter: int = field(default=9, kw_only=True)

    def fresh(self, stem: str) -> str:
        """A name that nothing has."""
        self.counter += 1
        return f"{stem}{self.counter}"

    def add(self, line: str) -> None:
        self.lines.append(INDENT * self.indent + line)

    def pick(self, choices: Sequence[Choice]) -> Choice:
        """One of the choices, if there are any."""
        if not choices:
            raise Stuck
        return self.rng.choice(choices)

    def chance(self, probability: float) -> bool:
        return self.rng.random() < probability

    def weighted(self, table: dict[Choice, int]) -> Choice:
        return self.rng.choices(list(table), list(table.values()))[0]

    def first_that_works(self, table: dict[Callable[..., Any], int], *arguments: Any, tries: int = 8) -> Any:
        """The outcome of a random entry of the table; entries that get stuck leave no trace."""
        for _ in range(tries):
            before = self.mark()
            try:
                return self.weighted(table)(self, *arguments)
            except Stuck:
                self.undo(before)
        raise Stuck

    def mark(self) -> Any:
        """What `undo` needs to forget what is written from here on."""
        return len(self.lines)

    def undo(self, mark: Any) -> None:
        del self.lines[mark:]

    @contextmanager
    def indented(self) -> Iterator[None]:
        """One level deeper; a block without lines gets one."""
        self.indent, length = self.indent + 1, len(self.lines)
        try:
            yield
            if len(self.lines) == length:
                self.add("pass")
        finally:
            self.indent -= 1
