"""Charts as inline SVG: colours are classes, which the style sheet gives for light and for dark."""

from __future__ import annotations

import math
from collections.abc import Sequence
from html import escape

from report.comparing import Curve
from report.units import duration, times

WIDTH, HEIGHT = 280, 170
LEFT, RIGHT, TOP, BOTTOM = 52, 12, 10, 26
MARKS = {"tapeless": "circle", "jax": "square", "torch": "diamond"}


def colour(contestant: str) -> str:
    """The class of a contestant's colour; unknown ones share one."""
    known = {"tapeless", "jax", "torch", "torch.compile", "numpy", "c", "redundant", "reversible", "coarsened"}
    return f"of-{contestant.replace('.', '-')}" if contestant in known else "of-other"


def lines(curves: Sequence[Curve], caption: str) -> str:
    """Times over sizes or threads, both evenly spaced by their order; times by their logarithm."""
    at = list(dict.fromkeys(name for curve in curves for name, _ in curve.points))
    seconds = [value for curve in curves for _, value in curve.points]
    low, high = _decades(min(seconds), max(seconds))
    parts = [_axis(low, high), *(_below(name, _x(k, len(at))) for k, name in enumerate(at))]
    for curve in curves:
        places = [(_x(at.index(name), len(at)), _y(value, low, high)) for name, value in curve.points]
        path = " ".join(f"{x:.1f},{y:.1f}" for x, y in places)
        parts.append(f'<polyline class="line {colour(curve.name)}" points="{path}"/>')
        for (x, y), (name, value) in zip(places, curve.points, strict=True):
            said = escape(f"{curve.name}, {name}: {duration(value)}")
            parts.append(f'<g class="mark {colour(curve.name)}">{_mark(curve.name, x, y)}<title>{said}</title></g>')
    return _svg(parts, WIDTH, HEIGHT, caption)


def _decades(low: float, high: float) -> tuple[int, int]:
    """Powers of ten around a range, at least one apart."""
    first, last = math.floor(math.log10(low)), math.ceil(math.log10(high))
    return first, max(last, first + 1)


def _x(number: int, count: int) -> float:
    inner = WIDTH - LEFT - RIGHT - 24
    return LEFT + 12 + (inner * number / (count - 1) if count > 1 else inner / 2)


def _y(seconds: float, low: int, high: int) -> float:
    return TOP + (HEIGHT - TOP - BOTTOM) * (high - math.log10(seconds)) / (high - low)


def _axis(low: int, high: int) -> str:
    """A line for each power of ten, at most five of them with their names."""
    step = max(1, math.ceil((high - low) / 4))
    parts = []
    for power in range(low, high + 1, step):
        y = _y(10.0**power, low, high)
        parts.append(f'<line class="grid" x1="{LEFT}" x2="{WIDTH - RIGHT}" y1="{y:.1f}" y2="{y:.1f}"/>')
        parts.append(f'<text x="{LEFT - 6}" y="{y + 3.5:.1f}" text-anchor="end">{_power(power)}</text>')
    return "".join(parts)


def _power(power: int) -> str:
    """A power of ten seconds, in short."""
    number, unit = divmod(power, 3)
    return f"{10**unit} {({0: 's', -1: 'ms', -2: 'µs', -3: 'ns'}).get(number, f'e{3 * number} s')}"


def _below(name: str, x: float) -> str:
    shown = name if len(name) <= 12 else f"{name[:11]}…"
    return f'<text x="{x:.1f}" y="{HEIGHT - 8}" text-anchor="middle">{escape(shown)}</text>'


def _mark(name: str, x: float, y: float) -> str:
    """Shapes as well as colours tell contestants apart."""
    shape = MARKS.get(name, "triangle")
    if shape == "circle":
        return f'<circle cx="{x:.1f}" cy="{y:.1f}" r="4"/>'
    corners = {
        "square": ((-3.5, -3.5), (3.5, -3.5), (3.5, 3.5), (-3.5, 3.5)),
        "diamond": ((0, -5), (5, 0), (0, 5), (-5, 0)),
        "triangle": ((0, -4.5), (4.5, 3.5), (-4.5, 3.5)),
    }[shape]
    points = " ".join(f"{x + dx:.1f},{y + dy:.1f}" for dx, dy in corners)
    return f'<polygon points="{points}"/>'


def _svg(parts: Sequence[str], width: int, height: int, caption: str) -> str:
    label = escape(caption, quote=True)
    return f'<svg viewBox="0 0 {width} {height}" role="img" aria-label="{label}">{"".join(parts)}</svg>'


def ratio_bar(ratio: float, most: float = 16.0) -> str:
    """To the right of the middle where we are slower, to the left where faster; by the logarithm."""
    width, height = 120, 12
    share = max(-1.0, min(1.0, math.log(ratio) / math.log(most)))
    middle = width / 2
    x, length = (middle, share * middle) if share >= 0 else (middle + share * middle, -share * middle)
    word = "loss" if ratio > 1 else "win"
    bar = f'<rect class="{word}" x="{x:.1f}" y="1" width="{max(length, 1.0):.1f}" height="{height - 2}" rx="2"/>'
    zero = f'<line class="zero" x1="{middle}" x2="{middle}" y1="0" y2="{height}"/>'
    svg = _svg([bar, zero], width, height, f"{times(ratio)} the time of the fastest peer")
    return f'<span class="bar">{svg}</span>'


def spark(values: Sequence[float], caption: str) -> str:
    """The course of a value, from the first file to the last; its lowest and highest fill the height."""
    width, height, edge = 120, 24, 3
    low, high = min(values), max(values)
    span = (high - low) or 1.0
    last = max(len(values) - 1, 1)
    places = [
        (edge + (width - 2 * edge) * k / last, height - edge - (height - 2 * edge) * (value - low) / span)
        for k, value in enumerate(values)
    ]
    path = " ".join(f"{x:.1f},{y:.1f}" for x, y in places)
    end = f'<circle class="mark of-tapeless" cx="{places[-1][0]:.1f}" cy="{places[-1][1]:.1f}" r="2.5"/>'
    line = f'<polyline class="line of-tapeless" points="{path}"/>'
    return f'<span class="spark">{_svg([line, end], width, height, caption)}</span>'
