"""Fixed-point numbers: integers that count multiples of 2**-43, rounded to from floats and read as floats."""

from __future__ import annotations

from tapeless._mlir import arith, ir
from tapeless._mlir import math as functions
from tapeless.dialects import ad
from tapeless.dialects.rev.cells import is_fixed
from tapeless.passes.ir.build import elementwise, number
from tapeless.passes.rev.checks.checks import is_on, require
from tapeless.passes.rev.to_core.state import Held, Indices, State

FRACTION_BITS = 43
UNIT = 2.0**-FRACTION_BITS
LIMIT = 2.0 ** (63 - FRACTION_BITS)
BEYOND = "{} is no fixed-point number: those are smaller than 2**20"
OVERFLOW = "a fixed-point number leaves its range of 2**20: {} is added to {}"


def value_of(state: State, cell: ir.Value, indices: Indices = ()) -> ir.Value:
    """The value that reading a cell gives: a fixed-point number is read as a float."""
    if not is_fixed(cell.type.element_type):
        return state.read(cell, indices)
    return state.read(cell, indices, 1) if state.is_differentiated else from_grid(state.read(cell, indices))


def accumulate(state: State, op: ir.OpView, value: ir.Value) -> None:
    """A fixed-point number with a float, rounded, added to it or subtracted."""
    cell, indices, is_subtraction = op.target, list(op.indices), op.kind.value == "sub"
    new = added(op, state.read(cell, indices), to_grid(op, value), is_subtraction=is_subtraction)
    if state.is_differentiated:
        make = arith.SubFOp if is_subtraction else arith.AddFOp
        total = elementwise(lambda a, b: make(a, b).result, state.read(cell, indices, 1), value)
        state.write(cell, with_derivative_of(from_grid(new), total), indices, 1)
    state.write(cell, new, indices)


def started(state: State, statement: ir.OpView, value: ir.Value) -> Held:
    """The initial contents of an ancilla of fixed-point numbers."""
    units = to_grid(statement, value)
    return (units, from_grid(units)) if state.is_differentiated else (units,)


def taken(state: State, given: Held) -> Held:
    """The contents of a fixed-point cell that comes as the number of its units and a float with its derivative."""
    units, value = given
    return (units, with_derivative_of(from_grid(units), value)) if state.is_differentiated else (units,)


def given(held: Held) -> Held:
    """A fixed-point number for a function: as integer and float."""
    return held if len(held) == 2 else (held[0], from_grid(held[0]))


def to_grid(statement: ir.OpView, value: ir.Value) -> ir.Value:
    """The nearest fixed-point number, ties to even; ends the call when it is out of range or not a number."""

    def rounded(x: ir.Value) -> ir.Value:
        if is_on(statement):
            size = functions.AbsFOp(x).result
            is_inside = arith.CmpFOp(arith.CmpFPredicate.OLT, size, number(x.type, LIMIT)).result
            require(statement, is_inside, BEYOND, [x], is_needed=True)
        units = functions.RoundEvenOp(arith.MulFOp(x, number(x.type, 1.0 / UNIT)).result).result
        return arith.FPToSIOp(ir.IntegerType.get_signless(64), units).result

    return elementwise(rounded, value)


def from_grid(units: ir.Value) -> ir.Value:
    """The float nearest to a fixed-point number; exact below 2**10."""

    def scaled(count: ir.Value) -> ir.Value:
        float_ = arith.SIToFPOp(ir.F64Type.get(), count).result
        return arith.MulFOp(float_, number(float_.type, UNIT)).result

    return elementwise(scaled, units)


def added(statement: ir.OpView, old: ir.Value, change: ir.Value, *, is_subtraction: bool) -> ir.Value:
    """The sum or difference of two fixed-point numbers; ends the call when it is out of range."""

    def combine(a: ir.Value, b: ir.Value) -> ir.Value:
        result = (arith.SubIOp if is_subtraction else arith.AddIOp)(a, b).result
        if is_on(statement):
            # The result is on the wrong side of a: smaller although b adds to it, or the other way round.
            zero = number(b.type, 0)
            towards = arith.CmpIOp(arith.CmpIPredicate.sgt if is_subtraction else arith.CmpIPredicate.slt, b, zero)
            is_smaller = arith.CmpIOp(arith.CmpIPredicate.slt, result, a).result
            fits = arith.CmpIOp(arith.CmpIPredicate.eq, towards.result, is_smaller).result
            shown = arith.SubIOp(zero, b).result if is_subtraction else b
            require(statement, fits, OVERFLOW, [from_grid(shown), from_grid(a)])
        return result

    return elementwise(combine, old, change)


def with_derivative_of(exact: ir.Value, carrier: ir.Value) -> ir.Value:
    """A value that differentiation takes for another one, which differs from it by rounding only."""

    def attached(x: ir.Value, y: ir.Value) -> ir.Value:
        nothing = arith.SubFOp(y, ad.StopGradientOp(y, y.type).result).result
        return arith.AddFOp(x, nothing).result

    return elementwise(attached, exact, carrier)


def require_equal(op: ir.OpView, found: ir.Value, wanted: ir.Value, message: str) -> None:
    """Ends the call unless two fixed-point numbers, or all numbers of two arrays, are equal."""

    def compare(a: ir.Value, b: ir.Value) -> ir.Value:
        is_equal = arith.CmpIOp(arith.CmpIPredicate.eq, a, b).result
        require(op, is_equal, message + ": it is {} and not {}", [from_grid(a), from_grid(b)])
        return is_equal

    elementwise(compare, found, wanted)
