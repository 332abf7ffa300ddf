"""rsqrt, reciprocal roots of normal numbers, cbrt and hypot."""

from __future__ import annotations

import math

from tapeless._mlir import ir
from tapeless.passes.lower.math.coefficients import CBRT_START, RECIPROCAL_ROOT_START
from tapeless.passes.lower.math.elementary.exponential import nearest, power_of_two
from tapeless.passes.lower.math.elementary.logarithm import decompose
from tapeless.passes.lower.math.lanes import Lanes, emit, horner

# Squares of larger numbers overflow, squares of smaller ones lose bits: hypot moves both into the middle first.
LARGE, SMALL, SHIFT = 2.0**500, 2.0**-500, 2.0**600
# How many steps LLVM makes from its estimates: two in double precision, one in single.
ESTIMATED = ("reciprocal-estimates", "sqrtd:2,vec-sqrtd:2,sqrtf:1,vec-sqrtf:1")
# Around which the square of the first reciprocal root times the number lies, and how far away it may be.
MIDDLE, FARTHEST = 51 / 64, 0.05


def rsqrt(x: Lanes) -> Lanes:
    return 1.0 / x.sqrt()


def reciprocal_root(x: Lanes) -> Lanes:
    """1 / sqrt(x) of a normal number, by products and sums alone; of any other it is not finite, and overflows.

    Half of the bits, taken from a constant, turn the exponent round and halve it: x * first^2 is between 48/64 and
    54/64. A polynomial in what that is beyond the middle gives 21 bits (16 in single precision), a step of third
    (second) order the rest, to less than a unit in the last place. Where a number is not normal, that polynomial gets
    an argument at which it overflows, which the processor notes.
    """
    bits, form = x.bits(), x.format
    first = (bits.constant(int((1.5 * form.bias - 0.25) * 2**form.mantissa)) - (bits >> 1)).as_float()
    beyond = (x * first).fma(first, -MIDDLE)
    beyond = beyond.replace(~beyond.abs().compare("olt", FARTHEST), 2.0 ** (form.bias - 7))
    nearly = first * horner(beyond, RECIPROCAL_ROOT_START[form.bits])
    error = (x * nearly).fma(-nearly, 1.0)
    return (nearly * error).fma(0.5 if form.bits == 32 else error.fma(0.375, 0.5), nearly)


def reciprocal_root_by_steps(x: Lanes) -> Lanes:
    """The same for LLVM that makes estimates of 8 bits and steps from them of a root that something is divided by.

    So says the attribute `ESTIMATED` of the function around it; half of the digits are enough for the last step.
    """
    may_estimate = ir.Attribute.parse("#arith.fastmath<arcp>")
    root = emit("math.sqrt", x.type, x.value, fastmath=may_estimate)
    nearly = emit("arith.divf", x.type, x.constant(1.0).value, root.value, fastmath=may_estimate)
    error = (x * nearly).fma(-nearly, 1.0)
    return (nearly * error).fma(0.5, nearly)


def cbrt(x: Lanes) -> Lanes:
    """2^n times the cube root of a number between 1/3 and 3, by two steps of Halley's iteration."""
    a = x.abs()
    parts = decompose(a)
    n = nearest(parts.exponent.fma(1.0 / 3.0, x.format.shifter))
    y = (parts.fraction + 1.0) * power_of_two(n.fma(-3.0, parts.exponent))
    root = horner(y, CBRT_START[x.format.bits])
    for _ in range(2):
        cube = root * root * root
        root = root - root * ((cube - y) / (cube * 2.0 + y))
    is_itself = a.compare("oeq", 0.0) | a.compare("oeq", math.inf) | x.compare("uno", x)
    return (root * power_of_two(n)).with_sign_of(x).replace(is_itself, x)


def hypot(x: Lanes, y: Lanes) -> Lanes:
    if x.format.bits == 32:
        wide_x, wide_y = x.widened(), y.widened()
        length = wide_x.fma(wide_x, wide_y * wide_y).sqrt().narrowed()
    else:
        length = hypot_double(x, y)
    is_infinite = x.abs().compare("oeq", math.inf) | y.abs().compare("oeq", math.inf)
    return length.replace(is_infinite, math.inf)


def hypot_double(x: Lanes, y: Lanes) -> Lanes:
    sum_of_sizes = x.abs() + y.abs()
    is_large, is_small = sum_of_sizes.compare("ogt", LARGE), sum_of_sizes.compare("olt", SMALL)
    factor = x.constant(1.0).replace(is_large, 1.0 / SHIFT).replace(is_small, SHIFT)
    inverse = x.constant(1.0).replace(is_large, SHIFT).replace(is_small, 1.0 / SHIFT)
    u, v = x * factor, y * factor
    return u.fma(u, v * v).sqrt() * inverse
