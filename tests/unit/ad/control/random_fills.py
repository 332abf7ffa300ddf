"""Random loops that fill an array at sums of counters, and whether they overwrite what they read, by running them."""

from __future__ import annotations

from dataclasses import dataclass, field
from random import Random
from typing import Any

COUNTERS = "ijk"


def source(random: Random) -> str:
    """A function of a vector and a size; places lie between 0 and 8 n + 40, whatever counters are."""
    rank = random.choice((1, 1, 2))
    lines = ["def f(x, n):", f"    a = np.full(({', '.join(['8 * n + 40'] * rank)},), x[0])"]
    lines += _loops(random, rank, 0, random.choice((1, 2, 2, 3)), 1)
    return "\n".join([*lines, "    return np.sum(a)"])


def _loops(random: Random, rank: int, depth: int, deepest: int, indent: int) -> list[str]:
    outer = COUNTERS[:depth]
    lines = [f"{'    ' * indent}for {COUNTERS[depth]} in {_range(random, outer)}:"]
    if depth + 1 < deepest:
        if random.random() < 0.3:
            lines += _statement(random, rank, COUNTERS[: depth + 1], indent + 1)
        lines += _loops(random, rank, depth + 1, deepest, indent + 1)
        if random.random() < 0.3:
            lines += _statement(random, rank, COUNTERS[: depth + 1], indent + 1)
        return lines
    for _ in range(random.choice((1, 1, 2))):
        lines += _statement(random, rank, COUNTERS[: depth + 1], indent + 1)
    return lines


def _range(random: Random, outer: str) -> str:
    bounds = ["n", "n", "1, n + 1", "n - 1, -1, -1", "0, n, 2", "3, n + 3, 3", "2, n"]
    bounds += [text for c in outer for text in (f"{c}", f"{c} + 1", f"{c}, n", f"max(0, {c} - 2), min(n, {c} + 2)")]
    return f"range({random.choice(bounds)})"


def _statement(random: Random, rank: int, counters: str, indent: int) -> list[str]:
    before = "    " * indent
    reads = " + ".join(f"np.sin(a[{_place(random, rank, counters)}])" for _ in range(random.choice((1, 1, 2))))
    write = f"a[{_place(random, rank, counters)}] = {reads} * x[1]"
    if random.random() < 0.3:
        return [f"{before}if {_condition(random, counters)}:", f"{before}    {write}"]
    return [before + write]


def _place(random: Random, rank: int, counters: str) -> str:
    return ", ".join(_sum(random, counters) for _ in range(rank))


def _sum(random: Random, counters: str) -> str:
    terms = [random.choice((f"{c}", f"{c}", f"2 * {c}", f"-{c}")) for c in counters if random.random() < 0.6]
    return " + ".join([*terms, random.choice(("3 * n + 10", "4 * n + 12")), str(random.randint(0, 3))])


def _condition(random: Random, counters: str) -> str:
    left, right = random.choice(counters), random.choice([*counters, "0", "1", "n - 1", "2"])
    return f"{left} {random.choice(('<', '<=', '>', '>=', '==', '!='))} {right}"


@dataclass
class Traced:
    """An array that notes whether an element is written after it was read."""

    read: set[Any] = field(default_factory=set)
    is_overwritten: bool = False

    def __getitem__(self, place: Any) -> float:
        self.read.add(place)
        return 0.5

    def __setitem__(self, place: Any, value: float) -> None:
        self.is_overwritten |= place in self.read


class TracingNumpy:
    """What the programs use of numpy, with one array that is traced."""

    def __init__(self) -> None:
        self.array = Traced()

    def full(self, _shape: Any, _value: float) -> Traced:
        """The array."""
        return self.array

    def sin(self, value: float) -> float:
        """Any number."""
        return value

    def sum(self, _array: Traced) -> float:
        """Any number."""
        return 0.0


def overwrites(text: str, n: int) -> bool:
    """Whether a program of this text writes an element after it read it."""
    traced = TracingNumpy()
    names: dict[str, Any] = {"np": traced}
    exec(text, names)
    names["f"]([0.5, 0.5, 0.5], n)
    return traced.array.is_overwritten
