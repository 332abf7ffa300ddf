"""Programs of two loops, as text: every kind with every number of trips, one behind the other or one in the other.

A program is a function of a number `x`, an array `a`, a number of trips `n`, an array of trips `e` (ones) and weights
`w`. It has one case for each pair of what the loops carry, and gives the sum of what the cases give, weighted: the
derivative in the weights is the values of all cases.
"""

from __future__ import annotations

from itertools import product

KINDS = ("range", "tl.range", "array", "while")
TRIPS = ("0", "1", "3", "n")
CARRIED = ("nothing", "dead", "constant", "live")

# What a loop does in each step with the value that it may carry, and what is read behind it.
BODIES = {
    "nothing": ("t{k} = x * {own}", "x * 1.5"),
    "dead": ("d{k} = d{k} * x + {own}", "x * 0.5"),
    "constant": ("y{k} = 0.25", "y{k} * x"),
    "live": ("y{k} = y{k} * x + {own}", "y{k}"),
}
FIRST_VALUES = "d{k} = x * 0.5\ny{k} = x * x"


def headers(kind: str, trips: str, k: str) -> tuple[list[str], list[str], str]:
    """Lines up to the first of a loop, lines at the end of its body, and what changes from step to step."""
    if kind == "while":
        return [f"c{k} = {trips}", f"while c{k} > 0:"], [f"c{k} = c{k} - 1"], f"(x * c{k})"
    if kind == "array":
        part = "e" if trips == "n" else f"a[:{trips}]"
        return [f"for v{k} in {part}:"], [], f"v{k}"
    bounds = "5, 2" if trips == "0" else trips
    return [f"for i{k} in {kind}({bounds}):"], [], f"(x + i{k})"


def indented(lines: list[str]) -> list[str]:
    """Lines one level deeper."""
    return [f"    {line}" for line in lines]


def loop(kind: str, trips: str, carried: str, k: str, inner: list[str], factor: str) -> list[str]:
    """One loop with other statements in its body, and a factor of what changes from step to step."""
    before, after, own = headers(kind, trips, k)
    body = BODIES[carried][0].format(k=k, own=own + factor)
    return [*before, *indented([body, *inner, *after])]


def case(place: int, arrangement: str, kinds: list[str], trips: list[str], carried: tuple[str, str]) -> list[str]:
    """Two loops, and the weighted value of what is read behind them."""
    names = [f"{place}p", f"{place}q"]
    lines = [line for name in names for line in FIRST_VALUES.format(k=name).split("\n")]
    second = loop(kinds[1], trips[1], carried[1], names[1], [], f" * y{names[0]}")
    if arrangement == "nested":
        lines += loop(kinds[0], trips[0], carried[0], names[0], second, "")
    else:
        lines += loop(kinds[0], trips[0], carried[0], names[0], [], "") + second
    values = [BODIES[each][1].format(k=name) for each, name in zip(carried, names, strict=True)]
    return [*lines, f"total += w[{place}] * ({values[0]} + 2.0 * {values[1]})"]


def program(arrangement: str, kinds: list[str], trips: list[str]) -> str:
    """All cases of two loops in one function."""
    lines = ["total = 0.0"]
    for place, carried in enumerate(product(CARRIED, CARRIED)):
        lines += case(place, arrangement, kinds, trips, carried)
    return "\n".join(["def program(x, a, n, e, w):", *indented([*lines, "return total"]), ""])


def table() -> list[tuple[str, ...]]:
    """Every arrangement of two kinds with their trips."""
    return list(product(("behind", "nested"), KINDS, TRIPS, KINDS, TRIPS))
