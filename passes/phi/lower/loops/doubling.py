"""Powers and affine recurrences in as many rounds as their number of steps has binary digits.

In every round, what stands for 2^j steps is put together with itself; where the j-th digit of the number of steps is
one, it is also put together with what is found so far. Nothing is divided or subtracted, also not where a is near 1.
"""

from __future__ import annotations

import math
from collections.abc import Callable

from tapeless._mlir import arith, ir, scf
from tapeless.passes.ir.build import number
from tapeless.passes.phi.graph.loops.affine import matrix_size
from tapeless.passes.phi.graph.nodes import Node
from tapeless.passes.phi.lower.loops.code import Code, Values, counted, index

Combine = Callable[[Values, Values], Values]


def powers(code: Code, node: Node, args: Values) -> Values:
    """a^n and the sum of a^i, with their Taylor coefficients, in pairs."""
    steps, base = args
    orders = int(str(node.data[1])) // 2
    zero, one = (number(base.type, each) for each in (0.0, 1.0))
    start = [one] + [zero] * (2 * orders - 1)
    once = [base] + ([one] + [zero] * (orders - 2) if orders > 1 else []) + [one] + [zero] * (orders - 1)

    def combine(first: Values, second: Values) -> Values:
        """n1 steps and n2 steps: P1 P2, and S1 + P1 S2; products are those of truncated series."""
        power, total = first[:orders], first[orders:]
        moved = _series(code, power, second[orders:])
        return [*_series(code, power, second[:orders]), *map(code.add, total, moved)]

    found = doubled(steps, start, once, combine, combine)
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

    def twice(by: Values, again: Values) -> Values:
        return [*_times(code, by[: count**2], again[: count**2], count), *applied(by, again[count**2 :])]

    return doubled(steps, state, [*matrix, *offset], lambda state, by: applied(by, state), twice)


def matrix_power(code: Code, node: Node, args: Values) -> Values:
    """A^n, and its change with A."""
    half = (len(args) - 1) // 2
    size, type_ = math.isqrt(half), args[1].type
    zero, one = (number(type_, each) for each in (0.0, 1.0))
    unit = [one if row == column else zero for row in range(size) for column in range(size)]

    def combine(first: Values, second: Values) -> Values:
        power = _times(code, first[:half], second[:half], size)
        left, right = _times(code, first[half:], second[:half], size), _times(code, first[:half], second[half:], size)
        return [*power, *map(code.add, left, right)]

    return doubled(args[0], [*unit, *[zero] * half], args[1:], combine, combine)


def _times(code: Code, a: Values, b: Values, size: int) -> Values:
    return [_dot(code, a[row * size :][:size], b[column::size]) for row in range(size) for column in range(size)]


def doubled(steps: ir.Value, start: Values, once: Values, join: Combine, twice: Combine) -> Values:
    """What n steps are, from what none and one of them are."""
    whole = ir.IntegerType.get_signless(64)
    number_of_steps = arith.IndexCastOp(whole, arith.MaxSIOp(steps, index(0)).result).result
    one, zero = (arith.ConstantOp(whole, ir.IntegerAttr.get(whole, each)).result for each in (1, 0))
    count = len(start)

    def step(place: ir.Value, carried: Values) -> Values:
        found, by, left = carried[:count], carried[count:-1], carried[-1]
        is_one = arith.CmpIOp(arith.CmpIPredicate.ne, arith.AndIOp(left, one).result, zero).result
        joined = join(found, by)
        chosen = [arith.SelectOp(is_one, new, old).result for new, old in zip(joined, found, strict=True)]
        return [*chosen, *twice(by, by), arith.ShRSIOp(left, one).result]

    rounds = _digits(number_of_steps, zero, one)
    return counted(index(0), rounds, [*start, *once, number_of_steps], step)[:count]


def _digits(value: ir.Value, zero: ir.Value, one: ir.Value) -> ir.Value:
    """How many binary digits a number has."""
    types = [value.type, ir.IndexType.get()]
    made = scf.WhileOp(types, [value, index(0)])
    places = [ir.Location.unknown()] * 2
    before = ir.Block.create_at_start(made.before, types, places)
    with ir.InsertionPoint(before):
        left, _ = before.arguments
        scf.ConditionOp(arith.CmpIOp(arith.CmpIPredicate.ne, left, zero).result, list(before.arguments))
    after = ir.Block.create_at_start(made.after, types, places)
    with ir.InsertionPoint(after):
        left, count = after.arguments
        scf.YieldOp([arith.ShRSIOp(left, one).result, arith.AddIOp(count, index(1)).result])
    return made.results[1]
