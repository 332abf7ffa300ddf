"""Arithmetic on known values of the host: numbers are computed at once, anything else is an expression of the plan."""

from __future__ import annotations

from collections.abc import Sequence

from tapeless.passes.lower.launches.plan.plan import Expr


def added(left: Expr, right: Expr) -> Expr:
    return left + right if isinstance(left, int) and isinstance(right, int) else ["addi", "index", left, right]


def product(factors: Sequence[Expr]) -> Expr:
    total = factors[0]
    for each in factors[1:]:
        total = total * each if isinstance(total, int) and isinstance(each, int) else ["muli", "index", total, each]
    return total


def quotient(number: Expr, divisor: Expr) -> Expr:
    """Rounded up."""
    if isinstance(number, int) and isinstance(divisor, int):
        return -(-number // divisor)
    return ["ceildivsi", "index", number, divisor]


def largest(numbers: Sequence[Expr]) -> Expr:
    """The largest of some numbers, at least one."""
    found: Expr = 1
    for number in numbers:
        if isinstance(found, int) and isinstance(number, int):
            found = max(found, number)
        elif number != found:
            found = number if found == 1 else ["maxsi", "index", found, number]
    return found


def steps(low: Expr, high: Expr, step: Expr) -> Expr:
    """How many iterations a loop has, at least none."""
    if isinstance(low, int) and isinstance(high, int) and isinstance(step, int):
        return len(range(low, high, step))
    distance = high if low == 0 else ["subi", "index", high, low]
    distance = ["maxsi", "index", distance, 0]
    return distance if step == 1 else ["ceildivsi", "index", distance, step]
