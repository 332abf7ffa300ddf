"""Powers of scalars: products for small whole exponents that are constant, else a function, or a loop for integers."""

from __future__ import annotations

from collections.abc import Sequence

from tapeless._mlir import arith, ir
from tapeless.passes.imports.emit import scalars
from tapeless.passes.imports.emit.regions import repeated
from tapeless.passes.ir.build import number
from tapeless.passes.ir.constants import constant_of

LARGEST_PRODUCT = 4


def power(base: ir.Value, exponent: ir.Value) -> ir.Value:
    """`base` to the power of `exponent`."""
    if not scalars.is_float(base):
        return _of_integers(base, exponent)
    known = constant_of(exponent)
    whole = known.value if isinstance(known, ir.FloatAttr) else 0.5
    if float(whole).is_integer() and abs(whole) <= LARGEST_PRODUCT:
        return _product(base, int(whole))
    return scalars.floating("math.powf", base, exponent)


def _product(base: ir.Value, exponent: int) -> ir.Value:
    if exponent == 0:
        return number(base.type, 1.0)
    result = base
    for _ in range(abs(exponent) - 1):
        result = scalars.floating("arith.mulf", result, base)
    return result if exponent > 0 else scalars.floating("arith.divf", number(base.type, 1.0), result)


def _of_integers(base: ir.Value, exponent: ir.Value) -> ir.Value:
    """By repeated squaring; a negative exponent gives the integer part of 1 / base: 0 unless the base is 1 or -1."""
    kind = base.type
    one = number(kind, 1)

    def goes_on(state: Sequence[ir.Value]) -> ir.Value:
        return arith.CmpIOp(arith.CmpIPredicate.sgt, state[2], number(kind, 0)).result

    def step(state: Sequence[ir.Value]) -> list[ir.Value]:
        result, square, left = state
        odd = scalars.equals(arith.AndIOp(left, one).result, 1)
        longer = scalars.select(odd, arith.MulIOp(result, square).result, result)
        return [longer, arith.MulIOp(square, square).result, arith.ShRSIOp(left, one).result]

    negative = arith.CmpIOp(arith.CmpIPredicate.slt, exponent, number(kind, 0)).result
    parity = arith.AndIOp(exponent, one).result
    found = repeated([one, base, scalars.select(negative, parity, exponent)], goes_on, step)[0]
    is_unit = arith.OrIOp(scalars.equals(base, 1), scalars.equals(base, -1)).result
    lost = arith.AndIOp(negative, scalars.logical_not(is_unit)).result
    return scalars.select(lost, number(kind, 0), found)
