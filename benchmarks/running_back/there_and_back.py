"""Steps there and back: how far from the start they end, in floats and in fixed point."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
from harness import Run

import tapeless as tl
from running_back.cases import bodies, pairs, string
from running_back.programs import attraction

STEPS = 10_000
MOST = 1e-12


@tl.reversible
def leapfrog(q: tl.f64[:, :], p: tl.f64[:, :], mass: tl.In[tl.f64[:]], dt: tl.In[tl.f64], steps: tl.In[tl.i64]):
    for _ in range(steps):
        p += dt * attraction(q, mass)
        q += dt * p


@tl.reversible
def fixed_leapfrog(
    q: tl.fixed43[:, :], p: tl.fixed43[:, :], mass: tl.In[tl.f64[:]], dt: tl.In[tl.f64], steps: tl.In[tl.i64]
):
    for _ in range(steps):
        p += dt * attraction(q, mass)
        q += dt * p


@tl.reversible
def wave(before: tl.f64[:], u: tl.f64[:], speed: tl.In[tl.f64[:]], steps: tl.In[tl.i64]):
    for _ in range(steps):
        before = -before
        before += 2.0 * u
        before[1:-1] += speed[1:-1] * (u[2:] - 2.0 * u[1:-1] + u[:-2])
        before, u = u, before


@tl.reversible
def fixed_wave(before: tl.fixed43[:], u: tl.fixed43[:], speed: tl.In[tl.f64[:]], steps: tl.In[tl.i64]):
    for _ in range(steps):
        before = -before
        before += 2.0 * u
        before[1:-1] += speed[1:-1] * (u[2:] - 2.0 * u[1:-1] + u[:-2])
        before, u = u, before


@tl.reversible
def rotations(a: tl.f64[:], b: tl.f64[:], angles: tl.In[tl.f64[:]], steps: tl.In[tl.i64]):
    for _ in range(steps):
        for i in range(len(a)):
            tl.rot(a[i], b[i], angles[i])


@tl.reversible
def fixed_rotations(a: tl.fixed43[:], b: tl.fixed43[:], angles: tl.In[tl.f64[:]], steps: tl.In[tl.i64]):
    """Each rotation as three shears, which are exact on the grid."""
    for _ in range(steps):
        a -= tl.tan(0.5 * angles) * b
        b += tl.sin(angles) * a
        a -= tl.tan(0.5 * angles) * b


def measure(run: Run, folder: Path | None) -> None:
    data = {"leapfrog": bodies(True), "wave_1d": string(True), "rotations": pairs(True)}
    floats = {"leapfrog": leapfrog, "wave_1d": wave, "rotations": rotations}
    grid = {"leapfrog": fixed_leapfrog, "wave_1d": fixed_wave, "rotations": fixed_rotations}
    steps = STEPS // 10 if run.quick else STEPS
    for name, given in data.items():
        if run.wants(name):
            for number, procedure, limit in (("f64", floats[name], MOST), ("fixed43", grid[name], 0.0)):
                off, moved = there_and_back(procedure, (*given, steps))
                run.record(name, f"{number}, {steps} steps", "largest_change", moved, "")
                run.bar(name, f"{number}, {steps} steps", "off_after_return", off, at_most=limit)


def there_and_back(procedure: Any, cells: tuple[Any, ...]) -> tuple[float, float]:
    """How far two cells end from their start, relative to the largest of them, and how far away they have been."""
    first, second, *rest = cells
    if procedure in (fixed_leapfrog, fixed_wave, fixed_rotations):
        first, second = tl.fixed43(first), tl.fixed43(second)
    there = procedure(first, second, *rest)
    back = (~procedure)(*there)
    starts = [np.asarray(cell) for cell in (first, second)]
    scale = max(np.abs(start).max() for start in starts)
    moved = max(np.abs(np.asarray(end) - start).max() for end, start in zip(there, starts, strict=False))
    off = max(np.abs(np.asarray(end) - start).max() for end, start in zip(back, starts, strict=False))
    return float(off / scale), float(moved)
