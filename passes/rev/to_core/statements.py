"""Statements that change cells, as new values of these cells."""

from __future__ import annotations

import math
from collections.abc import Callable

from tapeless._mlir import arith, ir
from tapeless._mlir import math as functions
from tapeless.dialects.rev.cells import is_fixed
from tapeless.passes.ir.build import any_order, element_type, elementwise, number
from tapeless.passes.rev.adjoint.shadows import LAST
from tapeless.passes.rev.checks.aliasing import SAME_CELL, require_apart
from tapeless.passes.rev.to_core import fixed
from tapeless.passes.rev.to_core.parallel.sums import add_to, is_accumulator
from tapeless.passes.rev.to_core.pure import run_pure
from tapeless.passes.rev.to_core.state import State, Target

Scalar = Callable[[ir.Value, ir.Value], ir.Value]


def is_float(value: ir.Value) -> bool:
    """Whether a value is a float, or an array of them."""
    return isinstance(element_type(value.type), ir.F64Type | ir.F32Type)


# No operation on values gets fast-math flags: both directions must round in the same way.
FLOATS: dict[str, Scalar] = {
    "add": lambda a, b: arith.AddFOp(a, b).result,
    "sub": lambda a, b: arith.SubFOp(a, b).result,
}
# Nothing takes adjoints of the last order back.
LAST_SUMS: dict[str, Scalar] = {
    "add": lambda a, b: arith.AddFOp(a, b, fastmath=any_order()).result,
    "sub": lambda a, b: arith.SubFOp(a, b, fastmath=any_order()).result,
}
INTEGERS: dict[str, Scalar] = {
    "add": lambda a, b: arith.AddIOp(a, b).result,
    "sub": lambda a, b: arith.SubIOp(a, b).result,
    "xor": lambda a, b: arith.XOrIOp(a, b).result,
}


def accum(state: State, op: ir.OpView) -> None:
    """The target with the value of the region added, subtracted, ..."""
    (value,) = run_pure(state, op.value, Target(op, op.target, list(op.indices)))
    if is_fixed(op.target.type.element_type):
        fixed.accumulate(state, op, value)
        return
    if is_accumulator(state, op.target):
        add_to(state, op, value)
        return
    old = state.read(op.target, list(op.indices))
    combine = (LAST_SUMS if LAST in op.attributes else FLOATS if is_float(old) else INTEGERS)[op.kind.value]
    state.write(op.target, elementwise(combine, old, value), list(op.indices))


def scale(state: State, op: ir.OpView) -> None:
    """The cell times a constant, or divided by it."""
    factor = ir.FloatAttr(op.factor).value
    make = arith.DivFOp if op.divide.value else arith.MulFOp
    old = state.read(op.cell)
    state.write(op.cell, elementwise(lambda x: make(x, number(x.type, factor)).result, old))


def stretch(state: State, op: ir.OpView) -> None:
    """The cell times a value, or divided by it."""
    make = arith.DivFOp if op.divide.value else arith.MulFOp
    old = state.read(op.cell)
    (factor,) = run_pure(state, op.factor, Target(op, op.cell, ()))
    state.write(op.cell, elementwise(lambda x, y: make(x, y).result, old, factor))


def swap(state: State, op: ir.OpView) -> None:
    """Each cell with the value of the other."""
    _require_two(state, op)
    for part in state.parts(op.a):
        first, second = (state.read(cell, (), part) for cell in (op.a, op.b))
        state.write(op.a, second, (), part)
        state.write(op.b, first, (), part)


def neg(state: State, op: ir.OpView) -> None:
    """The cell with the other sign."""
    for part in state.parts(op.cell):
        old = state.read(op.cell, (), part)
        if is_float(old):
            new = elementwise(lambda x: arith.NegFOp(x).result, old)
        else:
            new = elementwise(lambda x: arith.SubIOp(number(x.type, 0), x).result, old)
        state.write(op.cell, new, (), part)


def recip(state: State, op: ir.OpView) -> None:
    """One divided by the cell."""
    state.write(op.cell, elementwise(lambda x: arith.DivFOp(number(x.type, 1.0), x).result, state.read(op.cell)))


def hadamard(state: State, op: ir.OpView) -> None:
    """Sum and difference, divided by the square root of two."""
    _require_two(state, op)
    a, b = state.read(op.a), state.read(op.b)

    def scaled(combine: Scalar) -> ir.Value:
        return elementwise(lambda x, y: arith.MulFOp(combine(x, y), number(x.type, math.sqrt(0.5))).result, a, b)

    state.write(op.a, scaled(FLOATS["add"]))
    state.write(op.b, scaled(FLOATS["sub"]))


def rot(state: State, op: ir.OpView) -> None:
    """Both cells rotated by the angle, or back."""
    _require_two(state, op)
    a, b = state.read(op.a), state.read(op.b)
    (angle,) = run_pure(state, op.angle, Target(op, op.a, ()), Target(op, op.b, ()))
    cos, sin = functions.CosOp(angle).result, functions.SinOp(angle).result
    if op.inv.value:
        sin = arith.NegFOp(sin).result

    def product(left: ir.Value, right: ir.Value) -> ir.Value:
        return arith.MulFOp(left, right).result

    state.write(op.a, elementwise(lambda x, y: FLOATS["sub"](product(x, cos), product(y, sin)), a, b))
    state.write(op.b, elementwise(lambda x, y: FLOATS["add"](product(x, sin), product(y, cos)), a, b))


def _require_two(state: State, op: ir.OpView) -> None:
    require_apart(op, (op.a, ()), (op.b, ()), SAME_CELL, state.translate)


STATEMENTS: dict[str, Callable[[State, ir.OpView], None]] = {
    "rev.accum": accum,
    "rev.scale": scale,
    "rev.stretch": stretch,
    "rev.swap": swap,
    "rev.neg": neg,
    "rev.recip": recip,
    "rev.hadamard": hadamard,
    "rev.rot": rot,
}
