"""Runs of terms that threads add up side by side, and runs of the sums that they leave.

A sum of `n` terms for each of few owners takes `n` steps in one thread. By runs of 16 terms, and runs of 16 of their
sums, it takes 16, 16 and `n / 256` steps; where there are many sums, runs of them are longer: a thread took 0.2 us for
a sum that others had left, so that 6250 of them took 27 us by runs of 128.
"""

from __future__ import annotations

from tapeless._mlir import arith, ir
from tapeless.passes.ir import build

FEWEST_TERMS = 16
# From so many sums on, longer runs of them are added up, so that few are left.
SHORT_RUNS, LONG_RUN = 2048, 64


def runs_of_terms(count: ir.Value, most: ir.Value) -> ir.Value:
    """How many runs so many terms are divided into, at most so many, and one at least."""
    wanted = arith.minsi(most, arith.ceildivsi(count, build.index(FEWEST_TERMS)))
    return arith.maxsi(wanted, build.index(1))


def runs_of_sums(count: ir.Value) -> ir.Value:
    """How many runs so many sums are divided into, one at least."""
    are_few = arith.cmpi(arith.CmpIPredicate.slt, count, build.index(SHORT_RUNS))
    length = arith.select(are_few, build.index(FEWEST_TERMS), build.index(LONG_RUN))
    return arith.maxsi(arith.ceildivsi(count, length), build.index(1))
