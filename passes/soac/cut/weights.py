"""How many bytes a value takes in each iteration, for guesses of the sizes that are not known."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from math import prod
from typing import Any

from tapeless._mlir import ir
from tapeless.passes.ir.sizes.expressions import Arithmetic, Size
from tapeless.passes.ir.sizes.sizes import FOLDS
from tapeless.passes.ir.sizes.terms import ONE, Whole
from tapeless.passes.soac.cut.numbers import Node

SMALL, MIDDLE, LARGE = 24, 1024, 40000
Guess = Callable[[Any], int]


def middle(_: Any) -> int:
    """All sizes alike."""
    return MIDDLE


def guesses(nodes: Iterable[Node]) -> list[Guess]:
    """All sizes small or large, and each of them large by itself."""
    terms = list(dict.fromkeys(term for node in nodes for size in node.sizes for term in _terms(size)))
    return [lambda _: SMALL, middle, lambda _: LARGE, *(_only(term) for term in terms)]


def bytes_of(node: Node, guess: Guess) -> int | None:
    """The bytes of a value; nothing for types that arrays cannot hold."""
    if isinstance(node.type, ir.F64Type | ir.F32Type | ir.IntegerType):
        return prod(max(_evaluated(size, guess), 1) for size in node.sizes) * max(node.type.width // 8, 1)
    return None


def _only(large: Any) -> Guess:
    return lambda term: LARGE if term == large else SMALL


def _terms(size: Size | Whole) -> list[Any]:
    """The sizes that others are computed from."""
    if isinstance(size, int):
        return []
    if isinstance(size, Whole) and size.name in FOLDS:
        return [term for operand in size.operands for term in _terms(operand)]
    if isinstance(size, Arithmetic):
        return [term for what, _ in size.terms if what != ONE for term in _terms(what)]
    return [size]


def _evaluated(size: Size | Whole, guess: Guess) -> int:
    if isinstance(size, int):
        return size
    if isinstance(size, Whole) and size.name in FOLDS:
        return FOLDS[size.name](*(_evaluated(operand, guess) for operand in size.operands))
    if isinstance(size, Arithmetic):
        return sum(times if what == ONE else times * _evaluated(what, guess) for what, times in size.terms)
    return guess(size)
