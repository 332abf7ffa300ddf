"""Particle and saddle in plain Python, with forces and gradients by hand and complex steps."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

STEP = 1e-30


def argmin(f: Callable[[Any], Any], gradient: Callable[[Any], Any], x: np.ndarray) -> np.ndarray:
    value, slope, eta, count = f(x), gradient(x), 1e-5, 0
    while True:
        if np.sqrt(slope @ slope) <= 1e-5:
            return x
        if count == 10:
            eta, count = 2 * eta, 0
            continue
        step = eta * slope
        if np.sqrt(step @ step) <= 1e-5:
            return x
        if f(x - step) < value:
            x, count = x - step, count + 1
            value, slope = f(x), gradient(x)
        else:
            eta, count = eta / 2, 0


def miss(w: complex) -> complex:
    """The squared distance from the origin at which the particle meets the x axis, from a complex w too."""
    (x, y), (vx, vy) = (0j, 8 + 0j), (0.75 + 0j, 0j)
    while True:
        ax = ay = 0j
        for height in (10 - w, 0.0):
            cube = ((x - 10) ** 2 + (y - height) ** 2) ** 1.5
            ax, ay = ax + (x - 10) / cube, ay + (y - height) / cube
        x, y = x + 0.1 * vx, y + 0.1 * vy
        if y.real <= 0:
            return (x - y / vy * vx) ** 2
        vx, vy = vx + 0.1 * ax, vy + 0.1 * ay


def steered(w: float) -> float:
    def by_w(x: np.ndarray) -> np.ndarray:
        return np.array([miss(x[0] + 1j * STEP).imag / STEP])

    return float(argmin(lambda x: miss(complex(x[0])).real, by_w, np.array([w]))[0])


def saddle_point(start: np.ndarray) -> np.ndarray:
    """The inner descent has the same course for every p, and so the height the derivative 2p."""
    highest = argmin(lambda q: q @ q, lambda q: 2 * q, start)
    p = argmin(lambda p: p @ p - highest @ highest, lambda p: 2 * p, start)
    return np.append(p, highest)
