"""exp, exp2 and expm1: x = n ln 2 + r, a polynomial in r, and a scaling by 2^n in two steps that gets overflow and
subnormal results right without a branch."""

from __future__ import annotations

from tapeless.dataclasses_on_use import dataclass
from tapeless.passes.lower.math.coefficients import EXP_TAIL
from tapeless.passes.lower.math.lanes import Lanes, horner

LOG2_E = 1.4426950408889634
LN2 = {64: (0.6931471805599453, 2.3190468138462996e-17), 32: (0.6931471824645996, -1.904654299957768e-09)}
# Beyond these every result overflows to infinity or underflows to zero; n stays small enough to halve and encode.
EXP_RANGE = {64: (-746.0, 710.0), 32: (-104.0, 89.0)}
EXP2_RANGE = {64: (-1076.0, 1025.0), 32: (-151.0, 129.0)}


@dataclass(frozen=True)
class Reduced:
    """x = n ln 2 + high + low with |high| at most half of ln 2."""

    n: Lanes
    high: Lanes
    low: Lanes | None = None


def reduce(x: Lanes) -> Reduced:
    """Splits off the nearest multiple of ln 2; `x` must be clamped."""
    high_part, low_part = LN2[x.format.bits]
    n = nearest(x.fma(LOG2_E, x.format.shifter))
    return Reduced(n, n.fma(-low_part, n.fma(-high_part, x)))


def reduce_exactly(x: Lanes, x_low: Lanes | float = 0.0) -> Reduced:
    """As `reduce`, for x + x_low, with the rounding error of `high` in `low`."""
    high_part, low_part = LN2[x.format.bits]
    n = nearest(x.fma(LOG2_E, x.format.shifter))
    exact = n.fma(-high_part, x)
    small = n.fma(-low_part, x_low)
    high = exact + small
    return Reduced(n, high, small - (high - exact))


def nearest(shifted: Lanes) -> Lanes:
    """The integer in a sum with the shifter."""
    return shifted - shifted.format.shifter


def power_of_two(n: Lanes) -> Lanes:
    """2^n for an integer within the exponent range."""
    shape = n.format
    return (((n + shape.shifter).bits() << shape.mantissa) + shape.encode(1.0)).as_float()


def curvature(reduced: Reduced) -> Lanes:
    """exp(high + low) - 1 - high."""
    r = reduced.high
    tail = horner(r, EXP_TAIL[r.format.bits])
    square = r * r
    return square.fma(tail, reduced.low) if reduced.low else square * tail


def excess(reduced: Reduced) -> Lanes:
    """exp(high + low) - 1."""
    return reduced.high + curvature(reduced)


def scaled(significand: Lanes, n: Lanes) -> Lanes:
    """significand 2^n, where 2^n itself may lie outside the format."""
    half = nearest(n.fma(0.5, n.format.shifter))
    return significand * power_of_two(half) * power_of_two(n - half)


def clamped(x: Lanes, ranges: dict[int, tuple[float, float]]) -> Lanes:
    low, high = ranges[x.format.bits]
    return x.at_least(low).at_most(high)


def exp(x: Lanes) -> Lanes:
    reduced = reduce(clamped(x, EXP_RANGE))
    return scaled(excess(reduced) + 1.0, reduced.n)


def exp2(x: Lanes) -> Lanes:
    x = clamped(x, EXP2_RANGE)
    high_part, low_part = LN2[x.format.bits]
    n = nearest(x + x.format.shifter)
    fraction = x - n
    high = fraction * high_part
    low = fraction.fma(low_part, fraction.fma(high_part, -high))
    return scaled(excess(Reduced(n, high, low)) + 1.0, n)


def expm1(x: Lanes) -> Lanes:
    """2^n ((1 - 2^-n) + r + (exp(r) - 1 - r)), the first sum without error; -1 when the rest cannot be seen."""
    low, high = EXP_RANGE[x.format.bits]
    reduced = reduce_exactly(x.at_least(low / 4).at_most(high))
    half = nearest(reduced.n.fma(0.5, x.format.shifter))
    first, second = power_of_two(half), power_of_two(reduced.n - half)
    leading = 1.0 - 1.0 / (first * second)
    total = leading + reduced.high
    rest = reduced.high - (total - leading)
    result = (total + (rest + curvature(reduced))) * first * second
    return result.replace(x.compare("oeq", 0.0), x)
