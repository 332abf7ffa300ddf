"""Branches: conditions that bodies leave alone, and pairs of conditions that are right by construction."""

from __future__ import annotations

from collections.abc import Callable

from reversible.generator.draft import Draft
from reversible.generator.expressions.integers import condition
from reversible.generator.expressions.places import element

Body = Callable[[Draft], None]


def branch(d: Draft, body: Body) -> None:
    """What the conditions read, no body writes."""
    with d.recording() as reads:
        tests = [condition(d) for _ in range(d.rng.choice((1, 1, 1, 2)))]
    with d.restricted(locked=list(reads)):
        for word, test in zip(("if", "elif"), tests, strict=False):
            d.add(f"{word} {test}:")
            _block(d, body)
        if d.chance(0.5):
            d.add("else:")
            _block(d, body)


def _block(d: Draft, body: Body) -> None:
    with d.block():
        body(d)


def parity(d: Draft, body: Body) -> None:
    """Adding an odd number to an integer turns odd into even."""
    place = element(d, d.pick([each for each in d.writable("i64")]))
    step = d.rng.choice((1, 3)) if not d.may_fail() else 2
    _both(d, body, place.cell.name, f"{place.text} % 2 == 1", f"{place.text} % 2 == 0", f"{place.text} += {step}")


def flag(d: Draft, body: Body) -> None:
    """A bool that both branches turn round."""
    place = element(d, d.pick(d.writable("bool_")))
    change = f"{place.text} ^= {d.rng.choice(('True', 'True', 'False') if d.may_fail() else ('True',))}"
    _both(d, body, place.cell.name, place.text, f"not {place.text}", change)


def direction(d: Draft, body: Body) -> None:
    """A number that both branches negate."""
    place = element(d, d.pick(d.writable("f64")))
    after = f"{place.text} < {d.rng.choice(('0.4', '-0.4')) if d.may_fail() else '0.0'}"
    _both(d, body, place.cell.name, f"{place.text} > 0.0", after, f"{place.text} = -{place.text}")


def _both(d: Draft, body: Body, name: str, before: str, after: str, change: str) -> None:
    d.add(f"if tl.cond({before}, {after}):")
    d.written(name)
    for word in ("", "else:"):
        if word:
            d.add(word)
        with d.block(), d.restricted(locked=[name]):
            body(d)
            d.lines.insert(d.rng.choice((_begin(d), len(d.lines))), "    " * d.indent + change)


def _begin(d: Draft) -> int:
    """Where the block began: after the last line that is less indented."""
    indent = "    " * d.indent
    return next(k + 1 for k in range(len(d.lines) - 1, -1, -1) if not d.lines[k].startswith(indent))


def shifted(d: Draft, body: Body) -> None:
    """An integer that the first branch lifts beyond what the second one leaves."""
    place = element(d, d.pick(d.writable("i64")))
    lift = 2 if d.may_fail() else 6
    d.add(f"if tl.cond({place.text} > 1, {place.text} > 7):")
    d.written(place.cell.name)
    with d.block(), d.restricted(locked=[place.cell.name]):
        body(d)
        d.add(f"{place.text} += {lift}")
    d.add("else:")
    with d.block(), d.restricted(locked=[place.cell.name]):
        body(d)


BRANCHES = {branch: 6, parity: 2, flag: 2, direction: 1, shifted: 1}
