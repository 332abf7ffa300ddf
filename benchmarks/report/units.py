"""Numbers for people."""

from __future__ import annotations

import math

NONE = "\u2013"
_TIMES = ((1.0, "s"), (1e-3, "ms"), (1e-6, "µs"), (1e-9, "ns"))
_BYTES = ((2**30, "GiB"), (2**20, "MiB"), (2**10, "KiB"), (1, "B"))


def duration(seconds: float | None) -> str:
    """Three digits and a unit."""
    return _scaled(seconds, _TIMES)


def size(count: float | None) -> str:
    return _scaled(count, _BYTES)


def _scaled(value: float | None, units: tuple[tuple[float, str], ...]) -> str:
    if value is None:
        return NONE
    if value == 0:
        return f"0 {units[-1][1]}"
    factor, unit = next((each for each in units if value >= 0.9995 * each[0]), units[-1])
    return f"{digits(value / factor)} {unit}"


def digits(value: float) -> str:
    """Three of them, without an exponent."""
    if value == 0 or not math.isfinite(value):
        return f"{value:g}"
    places = max(0, 2 - math.floor(math.log10(abs(float(f"{value:.3g}")))))
    return f"{value:,.{places}f}"


def times(ratio: float | None) -> str:
    """A ratio as a factor."""
    return NONE if ratio is None else f"{digits(ratio)}\u00d7"


def date(when: str) -> str:
    """A date as files have it, to the minute."""
    return when[:16].replace("T", " ") or NONE
