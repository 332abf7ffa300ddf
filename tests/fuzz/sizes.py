"""Sizes of axes, known for several sets of arguments at once.

A size is a tuple with one number per set of arguments. Two axes fit if their sizes are equal for every set: what a
slice leaves of an axis is computed with Python's own slices, so no symbolic arithmetic is needed. The last sets are
never run; their large odd sizes keep axes apart that have equal sizes only by chance.
"""

from __future__ import annotations

import random
from dataclasses import dataclass

Size = tuple[int, ...]

NEVER_RUN = 2
WITNESSES = {"n": (41, 67), "k": (29, 53), "q": (37, 83)}
SLICES = ("1:", ":-1", "::2", "1::2", "::-1", "2:", ":2", ":3", "-2:", "1:-1", "::3", "::-2", ":-1:2", "-1:0:-1")
LARGE = (2100, 5000, 9001, 20000, 70000, 300000)


@dataclass(frozen=True)
class Axis:
    """One of a program's independent sizes: fixed in the text or free."""

    name: str
    size: Size
    is_static: bool


def sliced(size: Size, text: str) -> Size:
    """The size that `x[text]` has on an axis of this size."""
    bounds = [int(part) if part else None for part in text.split(":")]
    return tuple(len(range(each)[slice(*bounds)]) for each in size)


def is_constant(size: Size) -> bool:
    return len(set(size)) == 1


def constant(value: int, sets: int) -> Size:
    return (value,) * sets


def make_axes(rng: random.Random) -> dict[str, Axis]:
    """The axes of a program: main sizes, and sizes of further calls of the same compiled program."""
    smallest = rng.choice((0, 1, 1, 2, 2, 2, 3))
    large = rng.choice(LARGE) if rng.random() < 0.1 else None
    main = {"n": large or rng.randint(4, 9), "k": rng.randint(max(2, smallest), 4), "q": rng.randint(2, 3)}
    others = [{name: rng.choice((smallest, smallest, value, value + 1)) for name, value in main.items()}]
    if smallest < 2:
        others.append({"n": smallest, "k": main["k"], "q": smallest})
    return {name: _axis(rng, name, [each[name] for each in (main, *others)], large) for name in main}


def _axis(rng: random.Random, name: str, sizes: list[int], large: int | None) -> Axis:
    if rng.random() < 0.3 and sizes[0] != large:
        return Axis(name, constant(sizes[0], len(sizes) + NEVER_RUN), True)
    if large:
        sizes = [sizes[0], *(min(size, 9) for size in sizes[1:])]
    return Axis(name, (*sizes, *WITNESSES[name]), False)
