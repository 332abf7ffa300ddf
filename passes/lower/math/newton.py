"""Roots of vectors by Newton's method: processors take as long for one of doubles as for dozens of products.

It begins at the processor's own estimate of the reciprocal root, 14 bits. Two steps, for the root and for half of its
reciprocal together (Goldschmidt), leave errors of the last rounding. The root corrected by its exact remainder times
the other is then off by less than 2^-50 of its last place before it is rounded (Markstein), and so rounded as the
instruction does, but for roots as near to the middle between two doubles: `tests/unit/lower_math/test_roots.py`
walks all that are within 2^-44. What would overflow or underflow on the way, zeros, infinities, NaNs and negative
numbers among it, is left to the instruction.
"""

from __future__ import annotations

from functools import reduce

from tapeless._mlir import ir, llvm, scf, vector
from tapeless.passes.lower.math.lanes import Lanes, emit

LARGEST = 2.0**600
# What gives an estimate for a register of doubles, where the bits of the last operand are 1.
ESTIMATE, LANES, ALL = "llvm.x86.avx512.rsqrt14.pd.512", 8, -1


def can_be_estimated(kind: ir.Type) -> bool:
    """Whether values of this type are whole registers of doubles."""
    is_vector = isinstance(kind, ir.VectorType) and kind.element_type == ir.F64Type.get()
    return is_vector and kind.rank == 1 and kind.shape[0] % LANES == 0


def root(x: Lanes) -> Lanes:
    """The square roots of a vector of doubles, on a processor with estimates."""
    is_ordinary = x.compare("oge", 1.0 / LARGEST) & x.compare("ole", LARGEST)
    choice = scf.IfOp(is_ordinary.everywhere(), [x.type], has_else=True)
    with ir.InsertionPoint(choice.then_block):
        scf.YieldOp([_refined_root(x, _estimate(x)).value])
    with ir.InsertionPoint(choice.else_block):
        scf.YieldOp([x.sqrt().value])
    return Lanes(choice.results[0])


def _refined_root(x: Lanes, reciprocal: Lanes) -> Lanes:
    """The root, given its reciprocal to 14 bits."""
    nearly, half = x * reciprocal, reciprocal * 0.5
    for _ in range(2):
        error = (-half).fma(nearly, 0.5)
        nearly, half = nearly.fma(error, nearly), half.fma(error, half)
    return (-nearly).fma(nearly, x).fma(half, nearly)


def _estimate(x: Lanes) -> Lanes:
    register = ir.VectorType.get([LANES], ir.F64Type.get())
    mask = emit("arith.constant", byte := ir.IntegerType.get_signless(8), value=ir.IntegerAttr.get(byte, ALL))

    def with_part(whole: ir.Value, offset: int) -> ir.Value:
        part = vector.extract_strided_slice(register, x.value, [offset], [LANES], [1])
        found = llvm.call_intrinsic(register, ESTIMATE, [part, part, mask.value], [], [])
        return vector.insert_strided_slice(found, whole, [offset], [1])

    return Lanes(reduce(with_part, range(0, x.type.shape[0], LANES), x.value))


LARGEST_DIVIDEND = 2.0**700
LARGEST_ERROR = 2.0**-20


def quotient(dividend: Lanes, divisor: Lanes) -> Lanes:
    """dividend / divisor of two vectors of doubles."""
    minus, size = -divisor, dividend.abs()
    first = (1.0 / divisor.narrowed()).widened()
    error = minus.fma(first, 1.0)
    is_ordinary = size.compare("oge", 1.0 / LARGEST_DIVIDEND) & size.compare("ole", LARGEST_DIVIDEND)
    is_near = error.abs().compare("ole", LARGEST_ERROR)
    choice = scf.IfOp((is_ordinary & is_near).everywhere(), [dividend.type], has_else=True)
    with ir.InsertionPoint(choice.then_block):
        scf.YieldOp([_refined_reciprocal(dividend, minus, error.fma(first, first)).value])
    with ir.InsertionPoint(choice.else_block):
        scf.YieldOp([(dividend / divisor).value])
    return Lanes(choice.results[0])


def _refined_reciprocal(dividend: Lanes, minus_divisor: Lanes, reciprocal: Lanes) -> Lanes:
    """The quotient, given the reciprocal to half the digits."""
    exact = minus_divisor.fma(reciprocal, 1.0).fma(reciprocal, reciprocal)
    nearly = dividend * exact
    return minus_divisor.fma(nearly, dividend).fma(exact, nearly)
