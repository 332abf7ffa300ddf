"""Numbers that do not change in a loop of the host are computed before it, once (loop-invariant code motion).

A plan that reads numbers in a loop is carried out launch by launch, and sizes in its loops are often those of
arguments: without this, most of the time of a step would go to them. Numbers of branches go as well: which of them are
taken follows from sizes, too. What might fail, a division by a number that may be zero, stays.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

LOOPS = frozenset({"for", "while"})
HOLDING = LOOPS | {"if"}
REGIONS = ("body", "before", "after", "then", "else")
HANDED_ON = ("carried", "results", "arguments")
BINDING = frozenset({"let", "allocate", "read", "constant"})
DIVISIONS = frozenset({"divsi", "divui", "remsi", "remui", "floordivsi", "ceildivsi"})


def with_invariants_before_loops(steps: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The steps, with expressions that are the same in all iterations of a loop before it."""
    found: list[dict[str, Any]] = []
    for step in steps:
        for key in _regions(step):
            step[key] = with_invariants_before_loops(step[key])
        if step["do"] in LOOPS:
            changing = set(_bound([step]))
            for key in _regions(step):
                step[key] = _taken_out(step[key], changing, found)
        found.append(step)
    return found


def _regions(step: dict[str, Any]) -> list[str]:
    if step["do"] not in HOLDING:
        return []
    return [key for key in REGIONS if isinstance(step.get(key), list)]


def _bound(steps: list[dict[str, Any]]) -> Iterator[str]:
    """The names that steps bind."""
    for step in steps:
        if step["do"] in BINDING:
            yield step["name"]
        elif step["do"] == "for":
            yield step["index"]
        regions = _regions(step)
        for key in HANDED_ON if regions else ():
            yield from (each[0] if isinstance(each, list) else each for each in step.get(key, ()))
        for key in regions:
            yield from _bound(step[key])


def _taken_out(steps: list[dict[str, Any]], changing: set[str], found: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The steps of a loop that stay in it; the others are added to `found`, and no longer among the `changing`."""
    kept = []
    for step in steps:
        if step["do"] == "let" and _is_safe(step["value"]) and changing.isdisjoint(_names(step["value"])):
            changing.discard(step["name"])
            found.append(step)
            continue
        if step["do"] == "if":
            for key in _regions(step):
                step[key] = _taken_out(step[key], changing, found)
        kept.append(step)
    return kept


def _names(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, list):
        for operand in value[2:]:
            yield from _names(operand)


def _is_safe(value: Any) -> bool:
    """Whether an expression has a value whatever its names are."""
    if not isinstance(value, list):
        return True
    is_division = value[0] in DIVISIONS and not (isinstance(value[3], int) and value[3] > 0)
    return not is_division and all(map(_is_safe, value[2:]))
