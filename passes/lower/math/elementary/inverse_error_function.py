"""The inverse of erf: polynomials in w = -log(1 - x^2) near 0, and in its square root in the tails.

The coefficients are those of M. Giles, "Approximating the erfinv function" (GPU Computing Gems, 2011), which XLA and
others use, too: normal random numbers made of the same bits are the same but for rounding.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from tapeless.dataclasses_on_use import dataclass
from tapeless.passes.lower.math.elementary.logarithm import log1p
from tapeless.passes.lower.math.lanes import Lanes


@dataclass(frozen=True)
class Piece:
    """A polynomial, the highest power first, in w - centre or sqrt(w) - centre, for w below a limit."""

    limit: float
    is_of_root: bool
    centre: float
    coefficients: tuple[float, ...]


PIECES: dict[int, tuple[Piece, ...]] = {
    32: (
        Piece(
            5.0,
            False,
            2.5,
            (
                *(2.81022636e-08, 3.43273939e-07, -3.5233877e-06, -4.39150654e-06, 0.00021858087),
                *(-0.00125372503, -0.00417768164, 0.246640727, 1.50140941),
            ),
        ),
        Piece(
            math.inf,
            True,
            3.0,
            (
                *(-0.000200214257, 0.000100950558, 0.00134934322, -0.00367342844, 0.00573950773),
                *(-0.0076224613, 0.00943887047, 1.00167406, 2.83297682),
            ),
        ),
    ),
    64: (
        Piece(
            6.25,
            False,
            3.125,
            (
                *(-3.6444120640178197e-21, -1.6850591381820166e-19, 1.28584807152564e-18, 1.1157877678025181e-17),
                *(-1.3331716628546209e-16, 2.0972767875968562e-17, 6.6376381343583238e-15, -4.0545662729752069e-14),
                *(-8.1519341976054721e-14, 2.6335093153082323e-12, -1.2975133253453532e-11, -5.4154120542946279e-11),
                *(1.0512122733215323e-09, -4.1126339803469837e-09, -2.9070369957882005e-08, 4.2347877827932404e-07),
                *(-1.3654692000834679e-06, -1.3882523362786469e-05, 0.00018673420803405714, -0.00074070253416626698),
                *(-0.0060336708714301491, 0.24015818242558962, 1.6536545626831027),
            ),
        ),
        Piece(
            16.0,
            True,
            3.25,
            (
                *(2.2137376921775787e-09, 9.075656193888539e-08, -2.7517406297064545e-07, 1.8239629214389228e-08),
                *(1.5027403968909828e-06, -4.013867526981546e-06, 2.9234449089955446e-06, 1.2475304481671779e-05),
                *(-4.7318229009055734e-05, 6.8284851459573175e-05, 2.4031110387097894e-05, -0.00035503752036284748),
                *(0.00095328937973738049, -0.0016882755560235047, 0.0024914420961078508, -0.0037512085075692412),
                *(0.0053709145535900636, 1.0052589676941592, 3.0838856104922208),
            ),
        ),
        Piece(
            math.inf,
            True,
            5.0,
            (
                *(-2.7109920616438573e-11, -2.5556418169965252e-10, 1.5076572693500548e-09, -3.789465440126737e-09),
                *(7.6157012080783394e-09, -1.496002662714924e-08, 2.9147953450901081e-08, -6.7711997758452339e-08),
                *(2.2900482228026655e-07, -9.9298272942317003e-07, 4.5260625972231537e-06, -1.9681778105531671e-05),
                *(7.5995277030017761e-05, -0.00021503011930044477, -0.00013871931833623122, 1.0103004648645344),
                *(4.8499064014085844,),
            ),
        ),
    ),
}


def erfinv(x: Lanes) -> Lanes:
    """Infinite at -1 and 1, NaN beyond them."""
    w = -log1p(x * -x)
    factor = _piecewise(w, PIECES[x.format.bits])
    return (factor * x).replace(x.abs().compare("oeq", 1.0), x * math.inf)


def _piecewise(w: Lanes, pieces: Sequence[Piece]) -> Lanes:
    """The polynomial of the piece that w is in: all are computed at once, with the coefficients that are chosen."""
    root = w.sqrt()
    is_below = [w.compare("olt", piece.limit) for piece in pieces[:-1]]

    def chosen(values: Sequence[Lanes]) -> Lanes:
        *first, result = values
        for condition, value in zip(reversed(is_below), reversed(first), strict=True):
            result = condition.choose(value, result)
        return result

    argument = chosen([(root if piece.is_of_root else w) - piece.centre for piece in pieces])
    length = max(len(piece.coefficients) for piece in pieces)
    padded = [(0.0,) * (length - len(piece.coefficients)) + piece.coefficients for piece in pieces]
    result = chosen([w.constant(number) for number in (each[0] for each in padded)])
    for numbers in list(zip(*padded, strict=True))[1:]:
        result = result.fma(argument, chosen([w.constant(number) for number in numbers]))
    return result
