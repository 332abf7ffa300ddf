"""Quotients of vectors by Newton's method: processors divide one vector of doubles in the time of many products.

The reciprocal of the divisor starts as that of its single-precision value, and two steps make it exact but for its last
rounding. A quotient that is off by less than a unit in its last place, corrected by its exact remainder times such a
reciprocal, is rounded as the division rounds it (Markstein's theorem). Operands that overflow, underflow or leave the
range of single precision on the way, zeros, infinities and NaNs among them, are divided: their first reciprocals are
far from the true ones.
"""

from __future__ import annotations

from tapeless._mlir import ir, scf
from tapeless.passes.lower.math.lanes import Lanes

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
        scf.YieldOp([_refined(dividend, minus, error.fma(first, first)).value])
    with ir.InsertionPoint(choice.else_block):
        scf.YieldOp([(dividend / divisor).value])
    return Lanes(choice.results[0])


def _refined(dividend: Lanes, minus_divisor: Lanes, reciprocal: Lanes) -> Lanes:
    """The quotient, given the reciprocal to half the digits."""
    exact = minus_divisor.fma(reciprocal, 1.0).fma(reciprocal, reciprocal)
    nearly = dividend * exact
    return minus_divisor.fma(nearly, dividend).fma(exact, nearly)
