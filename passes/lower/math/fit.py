"""Writes `coefficients.py`: near-minimax polynomials by Chebyshev interpolation at 90 digits.

Run by hand after changing a degree or an interval: `cd passes/lower/math; python -P fit.py > coefficients.py`.
"""

from collections.abc import Callable

from mpmath import asin, atan, cbrt, chebyfit, cos, erf, erfc, exp, log, mp, mpf, pi, sin, sinh, sqrt, tanh

from tapeless.dataclasses_on_use import dataclass


@dataclass(frozen=True)
class Fit:
    """A function on an interval and the number of terms that reaches double and single precision."""

    name: str
    function: Callable[[mpf], mpf]
    low: mpf
    high: mpf
    terms: tuple[int, int]


def exp_tail(r: mpf) -> mpf:
    """exp(r) = 1 + r + r^2 tail(r)"""
    return (exp(r) - 1 - r) / r**2


def log_tail(z: mpf) -> mpf:
    """log((1 + s) / (1 - s)) = 2 s + s z tail(z), z = s^2"""
    s = sqrt(z)
    return (log((1 + s) / (1 - s)) / s - 2) / z


def log_tail_after_cube(z: mpf) -> mpf:
    """log((1 + s) / (1 - s)) = 2 s + s z (2/3 + z tail(z)), z = s^2"""
    return (log_tail(z) - mpf(2) / 3) / z


def tanh_tail(z: mpf) -> mpf:
    """tanh(x) = x + x z tail(z), z = x^2"""
    return (tanh(sqrt(z)) / sqrt(z) - 1) / z


def sinh_tail(z: mpf) -> mpf:
    """sinh(x) = x + x z tail(z), z = x^2"""
    return (sinh(sqrt(z)) / sqrt(z) - 1) / z


def sin_tail(z: mpf) -> mpf:
    """sin(x) = x + x z tail(z), z = x^2"""
    return (sin(sqrt(z)) / sqrt(z) - 1) / z


def cos_tail(z: mpf) -> mpf:
    """cos(x) = 1 - z/2 + z^2 tail(z), z = x^2"""
    return (cos(sqrt(z)) - 1 + z / 2) / z**2


def asin_tail(z: mpf) -> mpf:
    """asin(x) = x + x z tail(z), z = x^2"""
    return (asin(sqrt(z)) / sqrt(z) - 1) / z


def atan_tail(z: mpf) -> mpf:
    """atan(x) = x + x z tail(z), z = x^2"""
    return (atan(sqrt(z)) / sqrt(z) - 1) / z


def erf_tail(z: mpf) -> mpf:
    """erf(x) = x + x tail(z), z = x^2"""
    return erf(sqrt(z)) / sqrt(z) - 1


def erfc_factor(t: mpf) -> mpf:
    """erfc(x) = exp(-x^2) factor(t) / (1 + 2 x), t = (x - 3) / (x + 3)"""
    x = 3 * (1 + t) / (1 - t)
    return (1 + 2 * x) * exp(x * x) * erfc(x)


def cbrt_start(x: mpf) -> mpf:
    """The cube root, to a few digits."""
    return cbrt(x)


def reciprocal_root_start(d: mpf) -> mpf:
    """reciprocal root of 51/64 + d"""
    return 1 / sqrt(mpf(51) / 64 + d)


mp.dps = 90
HALF_LN2 = log(2) / 2 * mpf("1.0001")
S_MAX = ((sqrt(2) - 1) / (sqrt(2) + 1)) ** 2 * mpf("1.0001")
QUARTER_TURN = (pi / 4 * mpf("1.0001")) ** 2
TINY = mpf("1e-12")

FITS = (
    Fit("EXP_TAIL", exp_tail, -HALF_LN2, HALF_LN2 * mpf("1.0001"), (10, 5)),
    Fit("LOG_TAIL", log_tail, TINY, S_MAX, (7, 3)),
    Fit("LOG_TAIL_AFTER_CUBE", log_tail_after_cube, TINY, S_MAX, (9, 3)),
    Fit("TANH_TAIL", tanh_tail, TINY, mpf("0.3907"), (12, 6)),
    Fit("SINH_TAIL", sinh_tail, TINY, mpf(1), (7, 4)),
    Fit("SIN_TAIL", sin_tail, TINY, QUARTER_TURN, (6, 4)),
    Fit("ASIN_TAIL", asin_tail, TINY, mpf("0.2501"), (14, 6)),
    Fit("ATAN_TAIL", atan_tail, TINY, mpf("0.3601"), (15, 7)),
    Fit("ERF_TAIL", erf_tail, TINY, mpf("1.0001"), (13, 7)),
    Fit("ERFC_FACTOR", erfc_factor, mpf("-0.7145"), mpf("0.8064"), (22, 10)),
    Fit("CBRT_START", cbrt_start, mpf("0.353"), mpf("2.829"), (6, 5)),
    Fit("COS_TAIL", cos_tail, TINY, QUARTER_TURN, (6, 4)),
    Fit("RECIPROCAL_ROOT_START", reciprocal_root_start, -mpf(3) / 64, mpf(3) / 64, (4, 3)),
)


def main() -> None:
    print('"""Polynomial coefficients, lowest first, made by `fit.py`; one tuple per format, `f64` then `f32`."""')
    for fit in FITS:
        print(f"\n# {' '.join((fit.function.__doc__ or '').split())}\n{fit.name} = {{")
        for bits, terms in zip((64, 32), fit.terms, strict=True):
            coefficients = chebyfit(fit.function, [fit.low, fit.high], terms)
            numbers = "".join(f"        {float(c)!r},\n" for c in reversed(coefficients))
            print(f"    {bits}: (\n{numbers}    ),")
        print("}")


if __name__ == "__main__":
    main()
