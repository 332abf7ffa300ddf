"""Whole powers by few multiplications."""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import cache


@cache
def chain(exponent: int) -> tuple[int, ...]:
    """Exponents from 1 to the given one, each the sum of two before it: a shortest chain of those that double or reuse.

    Squares where possible; else the best split into a chain for a factor or into one step more.
    """
    if exponent == 1:
        return (1,)
    candidates = [(*chain(exponent - 1), exponent)]
    for factor in range(2, math.isqrt(exponent) + 1):
        if exponent % factor == 0:
            for first, second in ((factor, exponent // factor), (exponent // factor, factor)):
                candidates.append((*chain(first), *(first * each for each in chain(second)[1:])))
    return min(candidates, key=len)


def multiplications(exponents: Sequence[int]) -> int:
    """How many it takes for the product of different values to exponents, a common power taken outside."""
    if not exponents:
        return 0
    common = math.gcd(*exponents)
    inner = sum(len(chain(each // common)) - 1 for each in exponents) + len(exponents) - 1
    return inner + len(chain(common)) - 1
