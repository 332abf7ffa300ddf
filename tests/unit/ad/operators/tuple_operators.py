"""Associative operators on pairs and triples: what each component needs of the others, on which side."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from itertools import combinations
from typing import Any


@dataclass(frozen=True)
class TupleOperator:
    """An operator on 2k arguments and its neutral element."""

    combine: Callable[..., Any]
    neutral: tuple[float, ...]

    @property
    def name(self) -> str:
        return self.combine.__name__

    @property
    def subsets(self) -> list[tuple[int, ...]]:
        """Every choice of components of which at least one is left out, and at least one is not."""
        count = len(self.neutral)
        return [chosen for size in range(1, count) for chosen in combinations(range(count), size)]


def right_factor(a, b, c, d):
    """The second component reads the first one of the right operand: maps x -> a x + b, applied left to right."""
    return a * c, b * c + d


def left_factor(a, b, c, d):
    """The second component reads the first one of the left operand."""
    return a * c, b + a * d


def factor_last(a, b, c, d):
    """The first component reads the second one of the right operand."""
    return a * d + c, b * d


def complex_product(a, b, c, d):
    """Both components read both."""
    return a * c - b * d, a * d + b * c


def winner(a, b, c, d):
    """A value and what belongs to it."""
    return (a, b) if a >= c else (c, d)


def triangular(a, b, c, d, e, f):
    """Triangular matrices: the middle component reads the first of the left and the last of the right."""
    return a * d, a * e + b * f, c * f


def area(a, b, c, d, e, f):
    """Only the last component reads others: the first of the left, the second of the right."""
    return a + d, b + e, c + f + a * e


OPERATORS = [
    TupleOperator(right_factor, (1.0, 0.0)),
    TupleOperator(left_factor, (1.0, 0.0)),
    TupleOperator(factor_last, (0.0, 1.0)),
    TupleOperator(complex_product, (1.0, 0.0)),
    TupleOperator(winner, (-100.0, 0.0)),
    TupleOperator(triangular, (1.0, 0.0, 1.0)),
    TupleOperator(area, (0.0, 0.0, 0.0)),
]
