"""Conditions on sizes: decided now where sizes are known, else computed at run time."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TypeAlias

from tapeless._mlir import arith, ir
from tapeless.passes.ir.sizes.sizes import constant_int

# Known now, or at run time.
Condition: TypeAlias = ir.Value | bool
Index: TypeAlias = ir.Value | int


def known_index(value: ir.Value) -> Index:
    """The number that an index is, if that is known now."""
    known = constant_int(value)
    return value if known is None else known


def are_equal(one: ir.Value, other: ir.Value) -> Condition:
    """Whether two sizes are equal."""
    known = constant_int(one), constant_int(other)
    if one == other or None not in known:
        return one == other or known[0] == known[1]
    return arith.cmpi(arith.CmpIPredicate.eq, one, other)


def negated(condition: Condition) -> Condition:
    """Whether a condition does not hold."""
    if isinstance(condition, bool):
        return not condition
    return arith.xori(condition, arith.constant(condition.type, 1))


def are_at_least(counts: Sequence[ir.Value], least: int) -> Condition:
    """Whether a product of sizes is large enough."""
    known = [constant_int(count) for count in counts]
    if None not in known:
        return math.prod(max(count or 0, 0) for count in known) >= least
    total = _value(1)
    for number, count in enumerate(counts):
        positive = arith.maxsi(count, _value(0))
        total = positive if number == 0 else arith.muli(total, positive)
    return arith.cmpi(arith.CmpIPredicate.sge, total, _value(least))


def is_known_below(count: Index, bound: int) -> Condition:
    """Whether a size is below a bound."""
    known = count if isinstance(count, int) else constant_int(count)
    return arith.cmpi(arith.CmpIPredicate.slt, _value(count), _value(bound)) if known is None else known < bound


def _value(number: Index) -> ir.Value:
    return arith.constant(ir.IndexType.get(), number) if isinstance(number, int) else number


def all_of(conditions: Sequence[Condition]) -> Condition:
    """Whether all conditions hold, if that is known now."""
    if any(each is False for each in conditions):
        return False
    found: Condition = True
    for each in conditions:
        if not isinstance(each, bool):
            found = each if isinstance(found, bool) else arith.andi(found, each)
    return found


def any_of(conditions: Sequence[Condition]) -> Condition:
    """Whether one of the conditions holds, if that is known now."""
    return negated(all_of([negated(each) for each in conditions]))
