"""Values as 64-bit numbers, mixed into one, so that equal sequences of values give equal numbers."""

from __future__ import annotations

from tapeless._mlir import arith, ir
from tapeless.passes.ir.build import dim, is_array, map_, number, reduce_

FACTOR = 0x9E3779B97F4A7C15 - (1 << 64)
SHIFT = 29
NAN = 0x7FC00000


def mixed(digest: ir.Value, value: ir.Value) -> ir.Value:
    """A digest that depends on an earlier one and on a value; accumulators say nothing."""
    if not is_array(value) and not isinstance(value.type, SCALARS):
        return digest
    return _stirred(arith.AddIOp(digest, _fingerprint(value)).result)


def _fingerprint(value: ir.Value) -> ir.Value:
    """A 64-bit number for a scalar or an array; elements count with their places."""
    if not is_array(value):
        return _bits(value)
    width, zero = dim(value, 0), number(ir.IntegerType.get_signless(64), 0)
    rows, _ = map_(width, [value], [], lambda i, row, _: ([_stirred(_placed(i, _fingerprint(row[0])))], []))
    return reduce_(width, rows, [zero], lambda a, b: [arith.AddIOp(a[0], b[0]).result])[0]


def _placed(i: ir.Value, bits: ir.Value) -> ir.Value:
    return arith.AddIOp(bits, _stirred(_bits(i))).result


def _stirred(bits: ir.Value) -> ir.Value:
    """A number whose bits each depend on many bits of another, never the same for two."""
    product = arith.MulIOp(bits, number(bits.type, FACTOR)).result
    return arith.XOrIOp(product, arith.ShRUIOp(product, number(bits.type, SHIFT)).result).result


def _bits(value: ir.Value) -> ir.Value:
    """The bits of a scalar; doubles are rounded to single precision, since computing again may round otherwise."""
    i64, i32 = (ir.IntegerType.get_signless(width) for width in (64, 32))
    if isinstance(value.type, ir.F64Type):
        value = arith.TruncFOp(ir.F32Type.get(), value).result
    if isinstance(value.type, ir.F32Type):
        is_nan = arith.CmpFOp(arith.CmpFPredicate.UNO, value, value).result
        value = arith.SelectOp(is_nan, number(i32, NAN), arith.BitcastOp(i32, value).result).result
    if isinstance(value.type, ir.IndexType):
        return arith.IndexCastOp(i64, value).result
    return value if value.type == i64 else arith.ExtUIOp(i64, value).result


SCALARS = (ir.F64Type, ir.F32Type, ir.IndexType, ir.IntegerType)
