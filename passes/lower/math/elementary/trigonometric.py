"""sin, cos and tan of moderate arguments: x = q pi/2 + r with r to twice the precision, and two polynomials in r.

`f32` is computed in double precision, where the reduction needs no second part and short polynomials are enough.
"""

from __future__ import annotations

from tapeless.dataclasses_on_use import dataclass
from tapeless.passes.lower.math.coefficients import COS_TAIL, SIN_TAIL
from tapeless.passes.lower.math.lanes import Lanes, horner
from tapeless.passes.lower.math.libm import Guarded

TWO_OVER_PI = 0.6366197723675814
HALF_PI = (1.5707963267948966, 6.123233995736766e-17, -1.4973849048591833e-33)
# Below this the quotient is small enough for the three parts of pi/2 to leave r right to its last bit.
EASY_RANGE = 2.0**30


@dataclass(frozen=True)
class Angle:
    """x = quadrant pi/2 + high + low; the two low bits of `quadrant` count, `bits` is the precision wanted."""

    quadrant: Lanes
    high: Lanes
    low: Lanes | None
    bits: int


def reduce(x: Lanes) -> Angle:
    """Splits off the nearest multiple of pi/2."""
    return _reduce_single(x.widened()) if x.format.bits == 32 else _reduce_double(x)


def _reduce_single(x: Lanes) -> Angle:
    shifted = x.fma(TWO_OVER_PI, x.format.shifter)
    n = shifted - x.format.shifter
    return Angle(shifted.bits(), n.fma(-HALF_PI[1], n.fma(-HALF_PI[0], x)), None, 32)


def _reduce_double(x: Lanes) -> Angle:
    first, second, third = HALF_PI
    shifted = x.fma(TWO_OVER_PI, x.format.shifter)
    n = shifted - x.format.shifter
    exact = n.fma(-first, x)
    step = n * second
    high = exact - step
    low = ((exact - high) - step) - n.fma(second, -step)
    return Angle(shifted.bits(), high, n.fma(-third, low), 64)


def sin_parts(angle: Angle) -> tuple[Lanes, Lanes]:
    """The sine as a leading term and a small one, still to be added."""
    r, z = angle.high, angle.high * angle.high
    tail = horner(z, SIN_TAIL[angle.bits])
    return r, (r * z).fma(tail, angle.low.fma(z * -0.5, angle.low)) if angle.low else r * z * tail


def cos_parts(angle: Angle) -> tuple[Lanes, Lanes]:
    """The cosine as a leading term and a small one, still to be added."""
    z = angle.high * angle.high
    tail = horner(z, COS_TAIL[angle.bits])
    head = z.fma(-0.5, 1.0)
    if angle.low is None:
        return head, z * z * tail
    rest = z.fma(-0.5, 1.0 - head)
    return head, (z * z).fma(tail, angle.high.fma(-angle.low, rest))


def sin_kernel(angle: Angle) -> Lanes:
    head, rest = sin_parts(angle)
    return head + rest


def cos_kernel(angle: Angle) -> Lanes:
    head, rest = cos_parts(angle)
    return head + rest


def rounded(result: Lanes, angle: Angle) -> Lanes:
    """The result in the format the angle was given in."""
    return result.narrowed() if angle.bits == 32 else result


def is_odd(quadrant: Lanes) -> Lanes:
    return (quadrant & 1).compare("ne", 0)


def on_circle(angle: Angle, quadrant: Lanes) -> Lanes:
    """The sine of the angle, counted from the given quadrant."""
    magnitude = is_odd(quadrant).choose(cos_kernel(angle), sin_kernel(angle))
    return rounded((magnitude.bits() ^ ((quadrant & 2) << 62)).as_float(), angle)


def sin(x: Lanes) -> Lanes:
    angle = reduce(x)
    return on_circle(angle, angle.quadrant).replace(x.compare("oeq", 0.0), x)


def cos(x: Lanes) -> Lanes:
    angle = reduce(x)
    return on_circle(angle, angle.quadrant + 1)


def tan(x: Lanes) -> Lanes:
    """sin / cos, or -cos / sin in odd quadrants, corrected for the rounding of both."""
    angle = reduce(x)
    odd = is_odd(angle.quadrant)
    sine, sine_low = normalised(*sin_parts(angle))
    cosine, cosine_low = normalised(*cos_parts(angle))
    top, top_low = odd.choose(-cosine, sine), odd.choose(-cosine_low, sine_low)
    bottom, bottom_low = odd.choose(sine, cosine), odd.choose(sine_low, cosine_low)
    inverse = 1.0 / bottom
    quotient = top * inverse
    remainder = quotient.fma(-bottom_low, quotient.fma(-bottom, top) + top_low)
    return rounded(remainder.fma(inverse, quotient), angle).replace(x.compare("oeq", 0.0), x)


def normalised(head: Lanes, rest: Lanes) -> tuple[Lanes, Lanes]:
    """The rounded sum of two terms, the first one larger, and its error."""
    total = head + rest
    return total, rest - (total - head)


GUARDED_SIN, GUARDED_COS, GUARDED_TAN = (Guarded(code, EASY_RANGE, f"math.{code.__name__}") for code in (sin, cos, tan))
