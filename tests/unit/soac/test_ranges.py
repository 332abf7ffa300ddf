"""Intervals of integers: their arithmetic against all numbers in them, and tests that they decide."""

from __future__ import annotations

import operator
import random
from collections.abc import Callable

import pytest

from tapeless._mlir import ir
from tapeless.dialects.context import make_context
from tapeless.passes.soac.ranges.int_ranges import IntRanges
from tapeless.passes.soac.ranges.interval import (
    BIT,
    NAMES,
    OPERATIONS,
    SWAPPED,
    Interval,
    all_of,
    bounded,
    decided,
    widened,
)

MEANINGS: dict[str, Callable[[int, int], int]] = {
    "arith.addi": operator.add,
    "arith.subi": operator.sub,
    "arith.muli": operator.mul,
    "arith.divsi": lambda a, b: int(a / b),
    "arith.divui": lambda a, b: (a & 15) // (b & 15),
    "arith.floordivsi": operator.floordiv,
    "arith.remsi": lambda a, b: a - b * int(a / b),
    "arith.remui": lambda a, b: (a & 15) % (b & 15),
    "arith.andi": operator.and_,
    "arith.ori": operator.or_,
    "arith.xori": operator.xor,
    "arith.minsi": min,
    "arith.maxsi": max,
}
SIGNED = {"slt": operator.lt, "sle": operator.le, "sgt": operator.gt, "sge": operator.ge}


def intervals(count: int) -> list[tuple[Interval, Interval]]:
    """Pairs of intervals of integers of four bits."""
    source = random.Random(count)
    ends = [sorted(source.choices(range(-8, 8), k=2)) for _ in range(2 * count)]
    return [(Interval(*first), Interval(*second)) for first, second in zip(ends[::2], ends[1::2], strict=True)]


def members(interval: Interval) -> range:
    return range(interval.low, interval.high + 1)


def meaning(name: str, a: int, b: int) -> bool:
    if name in ("eq", "ne"):
        return (a == b) == (name == "eq")
    return SIGNED[name](a, b) if name in SIGNED else SIGNED["s" + name[1:]](a & 15, b & 15)


@pytest.mark.parametrize("name", OPERATIONS)
def test_arithmetic_holds_all_results(name: str) -> None:
    for a, b in intervals(120):
        found = OPERATIONS[name](a, b)
        if found is not None:
            for x in members(a):
                for y in members(b):
                    assert found.low <= MEANINGS[name](x, y) <= found.high


@pytest.mark.parametrize("name", NAMES)
def test_comparisons(name: str) -> None:
    for a, b in intervals(120):
        outcomes = {meaning(name, x, y) for x in members(a) for y in members(b)}
        found = decided(name, a, b)
        assert outcomes == {bool(found.low)} if found.is_one else found == BIT
        if name in SWAPPED:
            left, right = bounded(name, a, b), bounded(SWAPPED[name], b, a)
            pairs = [(x, y) for x in members(a) for y in members(b) if meaning(name, x, y)]
            assert all(x in members(left) and y in members(right) for x, y in pairs)


def test_widening_ends() -> None:
    """A bound moves to few places, whatever happens."""
    for a, b in intervals(50):
        wide = widened(a, b, 64)
        assert wide.holds(a) and wide.holds(b)
        steps = 0
        while wide != all_of(64):
            wide, steps = widened(wide, Interval(wide.low - 1, min(wide.high + 1, all_of(64).high)), 64), steps + 1
        assert steps <= 3


# Where a loop starts, the smaller and the larger side of its condition, what a step adds, and whether `%a` is known not
# to be negative at its end.
LOOPS = {
    "counts up": ("%c0", "%a, %n", "%a, %c1", True),
    "counts down": ("%c0", "%a, %n", "%a, %m1", False),
    "counts down to one": ("%n", "%c1, %a", "%a, %m1", True),
    "grows beyond all integers": ("%c1", "%m1, %a", "%a, %a", False),
}


@pytest.mark.parametrize("kind", LOOPS)
def test_what_loops_carry(kind: str) -> None:
    start, compared, added, is_known = LOOPS[kind]
    text = f"""
    func.func @f(%x: tensor<?xf64>) -> i1 {{
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %m1 = arith.constant -1 : index
      %n = tensor.dim %x, %c0 : tensor<?xf64>
      %end = scf.while (%a = {start}) : (index) -> index {{
        %more = arith.cmpi slt, {compared} : index
        scf.condition(%more) %a : index
      }} do {{
      ^bb0(%a: index):
        %next = arith.addi {added} : index
        scf.yield %next : index
      }}
      %negative = arith.cmpi slt, %end, %c0 : index
      return %negative : i1
    }}"""
    with make_context():
        module = ir.Module.parse(text)
        IntRanges().run(module)
        assert ("cmpi slt, %0" not in str(module)) == is_known, str(module)
