"""Integers as sums of symbols, and proofs about them: which sizes are equal, which indices are in range.

A `Symbol` stands for an SSA value (a size, a loop variable, an unknown integer) with bounds that hold wherever it can
be used. `Affine` is a constant plus multiples of symbols. Proofs replace symbols by their bounds, newest symbol first;
bounds only mention older symbols, so this ends.

Proofs are about integers without limits. They hold for what a program computes because symbols are the 64-bit integers
themselves, and because facts are only taken from sums that are known not to wrap (`fits`, `exactness.py`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import field
from itertools import count
from typing import Any

from tapeless.dataclasses_on_use import dataclass

_serials = count()
_MOST_STEPS = 200

LOWEST, HIGHEST = -(2**63), 2**63 - 1


@dataclass(eq=False, slots=True)
class Symbol:
    """An integer that is not known when compiling; `value` is its SSA value, or `recipe` says how to compute one."""

    value: Any = None
    lower: tuple[Affine, ...] = ()
    upper: tuple[Affine, ...] = ()
    scope: int = 0
    recipe: tuple[Any, ...] | None = None
    serial: int = field(default_factory=lambda: next(_serials))


class Affine:
    """`constant + sum(coefficient * symbol)`, immutable and comparable."""

    __slots__ = ("_hash", "constant", "terms")

    def __init__(self, constant: int, terms: dict[Symbol, int] | None = None) -> None:
        self.constant = constant
        self.terms = terms or {}
        self._hash = hash((constant, frozenset(self.terms.items())))

    @property
    def is_constant(self) -> bool:
        return not self.terms

    def symbol(self) -> Symbol | None:
        """The symbol this is, when it is exactly one."""
        if self.constant == 0 and len(self.terms) == 1:
            [(symbol, coefficient)] = self.terms.items()
            return symbol if coefficient == 1 else None
        return None

    def plus(self, other: Affine, factor: int = 1) -> Affine:
        terms = dict(self.terms)
        for symbol, coefficient in other.terms.items():
            total = terms.get(symbol, 0) + factor * coefficient
            if total:
                terms[symbol] = total
            else:
                terms.pop(symbol, None)
        return Affine(self.constant + factor * other.constant, terms)

    def __add__(self, other: Affine | int) -> Affine:
        return Affine(self.constant + other, self.terms) if isinstance(other, int) else self.plus(other)

    def __sub__(self, other: Affine | int) -> Affine:
        return Affine(self.constant - other, self.terms) if isinstance(other, int) else self.plus(other, -1)

    def __neg__(self) -> Affine:
        return self.times(-1)

    def times(self, factor: int) -> Affine:
        if factor == 0:
            return Affine(0)
        return Affine(self.constant * factor, {symbol: value * factor for symbol, value in self.terms.items()})

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Affine) and self.constant == other.constant and self.terms == other.terms

    def __hash__(self) -> int:
        return self._hash

    def __repr__(self) -> str:
        terms = [f"{value}*s{symbol.serial}" for symbol, value in self.terms.items()]
        return " + ".join([*terms, str(self.constant)])


def constant(value: int) -> Affine:
    return Affine(value)


def of_symbol(symbol: Symbol) -> Affine:
    return Affine(0, {symbol: 1})


def is_nonnegative(value: Affine, facts: Iterable[Affine] = ()) -> bool:
    """Whether `value >= 0` follows from the bounds of its symbols, or from one of the facts (each `fact >= 0`)."""
    return _is_proved(value, facts, _own_bounds)


def fits(value: Affine, facts: Iterable[Affine] = (), lowest: int = LOWEST, highest: int = HIGHEST) -> bool:
    """Whether `lowest <= value <= highest` follows, given also that every symbol is a 64-bit integer."""
    known = list(facts)
    return all(_is_proved(side, known, _word_bounds) for side in (value - lowest, Affine(highest) - value))


_Bounds = Callable[[Symbol, int], tuple[Affine, ...]]


def _own_bounds(symbol: Symbol, sign: int) -> tuple[Affine, ...]:
    return symbol.lower if sign > 0 else symbol.upper


def _word_bounds(symbol: Symbol, sign: int) -> tuple[Affine, ...]:
    return (*_own_bounds(symbol, sign), Affine(LOWEST if sign > 0 else HIGHEST))


def _is_proved(value: Affine, facts: Iterable[Affine], bounds: _Bounds) -> bool:
    if value.is_constant:
        return value.constant >= 0
    return _follows(value, bounds, iter(range(_MOST_STEPS))) or any(
        not fact.terms.keys().isdisjoint(value.terms) and _follows(value - fact, bounds, iter(range(_MOST_STEPS)))
        for fact in facts
    )


def _follows(value: Affine, bounds: _Bounds, steps: Iterator[int]) -> bool:
    if value.is_constant:
        return value.constant >= 0
    if next(steps, None) is None:
        return False
    newest = max(value.terms, key=lambda symbol: symbol.serial)
    coefficient = value.terms[newest]
    rest = Affine(value.constant, {symbol: each for symbol, each in value.terms.items() if symbol is not newest})
    return any(_follows(rest.plus(bound, coefficient), bounds, steps) for bound in bounds(newest, coefficient))
