"""Arithmetic on indices for kernels: numbers from Python or values, and positions in nests from one number."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

from tapeless._mlir import arith, ir

Index: TypeAlias = ir.Value | int


def number(value: Index) -> ir.Value:
    return arith.constant(ir.IndexType.get(), value) if isinstance(value, int) else value


def add(left: Index, right: Index) -> ir.Value:
    return number(left) if right == 0 else arith.addi(number(left), number(right))


def sub(left: Index, right: Index) -> ir.Value:
    return arith.subi(number(left), number(right))


def mul(left: Index, right: Index) -> ir.Value:
    return number(left) if right == 1 else arith.muli(number(left), number(right))


def quotient(left: Index, right: Index) -> ir.Value:
    return arith.divui(number(left), number(right))


def remainder(left: Index, right: Index) -> ir.Value:
    return arith.remui(number(left), number(right))


def smaller(left: Index, right: Index) -> ir.Value:
    return arith.minsi(number(left), number(right))


def at_least(value: Index, least: int) -> ir.Value:
    return arith.maxsi(number(value), number(least))


def rounded_up(value: Index, divisor: int) -> ir.Value:
    """How many times a divisor fits, the last time perhaps not wholly."""
    return quotient(add(value, divisor - 1), divisor)


def product(factors: Sequence[ir.Value]) -> ir.Value:
    total = number(1) if not factors else factors[0]
    for factor in factors[1:]:
        total = arith.muli(total, factor)
    return total


def is_below(left: Index, right: Index) -> ir.Value:
    return arith.cmpi(arith.CmpIPredicate.slt, number(left), number(right))


def is_at_least(left: Index, right: Index) -> ir.Value:
    return arith.cmpi(arith.CmpIPredicate.sge, number(left), number(right))


def positions(place: ir.Value, counts: Sequence[ir.Value]) -> list[ir.Value]:
    """The index in each loop of a nest from the number of an iteration; the last loop runs fastest."""
    found: list[ir.Value] = []
    for count in counts[:0:-1]:
        found.append(remainder(place, count))
        place = quotient(place, count)
    return [place, *found[::-1]] if counts else []
