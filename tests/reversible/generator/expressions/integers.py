"""Integers and conditions."""

from __future__ import annotations

from fuzz.writing import Stuck
from reversible.generator.draft import Draft
from reversible.generator.expressions.places import element


def integer(d: Draft, depth: int = 1) -> str:
    """An integer of moderate size."""
    if depth and d.chance(0.5):
        a, b = integer(d, depth - 1), integer(d, depth - 1)
        return d.rng.choice(
            (f"({a} + {b})", f"({a} - {b})", f"({a} * 2)", f"({a} % 3)", f"({a} // 2)", f"({a} ^ {b})", f"(-{a})")
        )
    return integer_atom(d)


def integer_atom(d: Draft) -> str:
    found = d.readable("i64")
    counters = [each.name for each in d.counters]
    if counters and d.chance(0.4):
        return d.pick(counters)
    if found and d.chance(0.7):
        cell = d.pick(found)
        d.read(cell.name)
        return element(d, cell).text
    return str(d.rng.randint(0, 4))


def condition(d: Draft, depth: int = 1) -> str:
    """A bool of integers, bools and floats."""
    if depth and d.chance(0.25):
        word = d.rng.choice(("and", "or"))
        return f"({condition(d, 0)} {word} {condition(d, 0)})"
    if depth and d.chance(0.1):
        return f"(not {condition(d, 0)})"
    return d.first_that_works({_of_integers: 3, _of_bools: 2, _of_floats: 3})


def _of_integers(d: Draft) -> str:
    a, b = integer(d), integer(d, 0)
    return f"({a} {d.rng.choice(('<', '<=', '>', '>=', '==', '!='))} {b})"


def _of_bools(d: Draft) -> str:
    cell = d.pick(d.readable("bool_"))
    d.read(cell.name)
    return element(d, cell).text


def _of_floats(d: Draft) -> str:
    """A number against a constant, or against another number."""
    cells = d.readable("f64")
    if not cells:
        raise Stuck
    a, b = d.pick(cells), d.pick(cells)
    d.read(a.name)
    if d.chance(0.5):
        return f"({element(d, a).text} {d.rng.choice('<>')} {d.number()})"
    d.read(b.name)
    return f"({element(d, a).text} {d.rng.choice('<>')} 0.5 * {element(d, b).text})"
