"""Powers and affine recurrences in as many rounds as their number of steps has binary digits.

Powers: what stands for so many steps is put together with itself in every round, and one step is added where the next
digit is one, from the highest digit on. Systems of which only a state is wanted: their steps are put together with
themselves, and the state goes through them where the digit is one, from the lowest digit on. Nothing is divided or
subtracted, also not where a is near 1.
"""

from __future__ import annotations

from collections.abc import Callable
from math import isqrt

from tapeless._mlir import arith, ir, math, scf
from tapeless.dataclasses_on_use import dataclass
from tapeless.passes.ir.build import number
from tapeless.passes.phi.graph.loops.affine import matrix_size
from tapeless.passes.phi.graph.nodes import Node
from tapeless.passes.phi.lower.loops.code import Code, Values, counted, index

Change = Callable[[Values], Values]
Combine = Callable[[Values, Values], Values]
WIDTH = 64


def powers(code: Code, node: Node, args: Values) -> Values:
    """a^n and the sum of a^i, with their Taylor coefficients, in pairs: P and S."""
    steps, base = args
    orders = int(str(node.data[1])) // 2
    zero, one = (number(base.type, each) for each in (0.0, 1.0))
    start = [one] + [zero] * (2 * orders - 1)
    once = [base] + ([one] + [zero] * (orders - 2) if orders > 1 else []) + [one] + [zero] * (orders - 1)

    def twice(state: Values) -> Values:
        """P P, and S + P S; products are those of truncated series."""
        power, total = state[:orders], state[orders:]
        moved = _series(code, power, total)
        return [*_series(code, power, power), *map(code.add, total, moved)]

    def one_more(state: Values) -> Values:
        """P a, where the series of `a` is a and 1; and S + P."""
        power, total = state[:orders], state[orders:]
        moved = [code.multiply(each, base) for each in power]
        higher = [code.add(each, before) for each, before in zip(moved[1:], power, strict=False)]
        return [moved[0], *higher, *map(code.add, total, power)]

    found = squared(steps, start, once, twice, one_more)
    return [each for pair in zip(found[:orders], found[orders:], strict=True) for each in pair]


def _series(code: Code, a: Values, b: Values) -> Values:
    """The product of two truncated power series."""
    return [_dot(code, a[: order + 1], b[order::-1]) for order in range(len(a))]


def _dot(code: Code, a: Values, b: Values) -> ir.Value:
    result = code.multiply(a[0], b[0])
    for x, y in zip(a[1:], b[1:], strict=False):
        result = code.add(result, code.multiply(x, y))
    return result


def system(code: Code, node: Node, args: Values) -> Values:
    """The state after n steps of x = A x + b: the map of 2^j steps is applied to the state where the digit is one."""
    count = matrix_size(node)
    steps, matrix = args[0], args[1 : 1 + count**2]
    offset, state = args[1 + count**2 :][:count], args[-count:]

    def applied(by: Values, state: Values) -> Values:
        rows = [_dot(code, by[row * count :][:count], state) for row in range(count)]
        return [code.add(row, given) for row, given in zip(rows, by[count**2 :], strict=True)]

    def twice(by: Values) -> Values:
        return [*_times(code, by[: count**2], by[: count**2], count), *applied(by, by[count**2 :])]

    return doubled(steps, state, [*matrix, *offset], lambda state, by: applied(by, state), twice)


def matrix_power(code: Code, node: Node, args: Values) -> Values:
    """A^n, and its change with A."""
    half = (len(args) - 1) // 2
    size, type_ = isqrt(half), args[1].type
    zero, one = (number(type_, each) for each in (0.0, 1.0))
    unit = [one if row == column else zero for row in range(size) for column in range(size)]

    def combine(first: Values, second: Values) -> Values:
        power = _times(code, first[:half], second[:half], size)
        left, right = _times(code, first[half:], second[:half], size), _times(code, first[:half], second[half:], size)
        return [*power, *map(code.add, left, right)]

    def twice(state: Values) -> Values:
        return combine(state, state)

    return squared(args[0], [*unit, *[zero] * half], args[1:], twice, lambda state: combine(state, args[1:]))


def _times(code: Code, a: Values, b: Values, size: int) -> Values:
    return [_dot(code, a[row * size :][:size], b[column::size]) for row in range(size) for column in range(size)]


def squared(steps: ir.Value, start: Values, once: Values, twice: Change, one_more: Change) -> Values:
    """n steps by repeated squaring, from none and one of them, a doubling, and a single further step."""
    digits = Digits.of(steps)
    has_steps = arith.CmpIOp(arith.CmpIPredicate.sgt, digits.count, index(0)).result
    first = [arith.SelectOp(has_steps, new, old).result for new, old in zip(once, start, strict=True)]
    after_first = arith.SubIOp(digits.count, index(1)).result

    def step(place: ir.Value, carried: Values) -> Values:
        below = arith.SubIOp(after_first, arith.AddIOp(place, index(1)).result).result
        return digits.where_one(below, twice(carried), one_more)

    return counted(index(0), after_first, first, step)


def doubled(steps: ir.Value, start: Values, once: Values, join: Combine, twice: Change) -> Values:
    """The state after n steps from a start, by one step, its application, and the doubling of steps."""
    digits = Digits.of(steps)
    count = len(start)

    def step(place: ir.Value, carried: Values) -> Values:
        found, by = carried[:count], carried[count:]
        return [*digits.where_one(place, found, lambda state: join(state, by)), *twice(by)]

    return counted(index(0), digits.count, [*start, *once], step)[:count]


@dataclass(frozen=True)
class Digits:
    """A number that is not negative, and how many digits it has; the lowest is the digit 0."""

    number: ir.Value
    count: ir.Value

    @staticmethod
    def of(steps: ir.Value) -> Digits:
        """Those of a number of steps; fewer than none are none."""
        number = arith.IndexCastOp(_whole(), arith.MaxSIOp(steps, index(0)).result).result
        count = arith.SubIOp(_constant(WIDTH), math.CountLeadingZerosOp(number).result).result
        return Digits(number, arith.IndexCastOp(ir.IndexType.get(), count).result)

    def where_one(self, place: ir.Value, values: Values, change: Callable[[Values], Values]) -> Values:
        """Values changed where a digit is one.

        A branch, since the digits are those of a number of steps, the same for all that is done side by side.
        """
        shifted = arith.ShRSIOp(self.number, arith.IndexCastOp(_whole(), place).result).result
        digit = arith.AndIOp(shifted, _constant(1)).result
        is_one = arith.CmpIOp(arith.CmpIPredicate.ne, digit, _constant(0)).result
        made = scf.IfOp(is_one, [each.type for each in values], has_else=True)
        with ir.InsertionPoint(made.then_block):
            scf.YieldOp(change(values))
        with ir.InsertionPoint(made.else_block):
            scf.YieldOp(values)
        return list(made.results)


def _whole() -> ir.Type:
    return ir.IntegerType.get_signless(WIDTH)


def _constant(value: int) -> ir.Value:
    return arith.ConstantOp(_whole(), ir.IntegerAttr.get(_whole(), value)).result
