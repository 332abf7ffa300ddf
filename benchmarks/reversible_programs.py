"""Loops of physics whose steps can be undone, as ordinary functions: bodies, waves, and one that cannot, Lorenz."""

from __future__ import annotations

import tapeless as tl

SOFTENING = 1e-2


@tl.function
def attraction(q: tl.f64[:, :], mass: tl.f64[:]) -> tl.f64[:, :]:
    """What every body is accelerated by."""

    def on(at):
        away = q - at
        squared = tl.sum(away * away, axis=1) + SOFTENING
        return (mass / (squared * tl.sqrt(squared))) @ away

    return tl.map(on, q)


@tl.function
def leapfrog(q: tl.f64[:, :], p: tl.f64[:, :], mass: tl.f64[:], dt: tl.f64, steps: tl.i64) -> tl.f64:
    """How far bodies are from the origin after some steps of kick and drift."""
    for _ in range(steps):
        p = p + dt * attraction(q, mass)
        q = q + dt * p
    return tl.sum(q * q)


@tl.function
def leapfrog_in_strips(q: tl.f64[:, :], p: tl.f64[:, :], mass: tl.f64[:], dt: tl.f64, steps: tl.i64) -> tl.f64:
    for _ in tl.range(steps, stripmine=2):
        p = p + dt * attraction(q, mass)
        q = q + dt * p
    return tl.sum(q * q)


@tl.function
def wave_1d(before: tl.f64[:], u: tl.f64[:], speed: tl.f64[:], steps: tl.i64) -> tl.f64:
    """The energy-like norm of a string after some steps; its ends are held."""
    for _ in range(steps):
        after = 2.0 * u - before
        after[1:-1] += speed[1:-1] * (u[2:] - 2.0 * u[1:-1] + u[:-2])
        before, u = u, after
    return tl.sum(u * u)


@tl.function
def wave_1d_in_strips(before: tl.f64[:], u: tl.f64[:], speed: tl.f64[:], steps: tl.i64) -> tl.f64:
    for _ in tl.range(steps, stripmine=2):
        after = 2.0 * u - before
        after[1:-1] += speed[1:-1] * (u[2:] - 2.0 * u[1:-1] + u[:-2])
        before, u = u, after
    return tl.sum(u * u)


@tl.function
def wave_2d(before: tl.f64[:, :], u: tl.f64[:, :], speed: tl.f64[:, :], steps: tl.i64) -> tl.f64:
    """The same for a membrane."""
    for _ in range(steps):
        after = 2.0 * u - before
        inner = u[2:, 1:-1] + u[:-2, 1:-1] + u[1:-1, 2:] + u[1:-1, :-2] - 4.0 * u[1:-1, 1:-1]
        after[1:-1, 1:-1] += speed[1:-1, 1:-1] * inner
        before, u = u, after
    return tl.sum(u * u)


@tl.function
def wave_2d_in_strips(before: tl.f64[:, :], u: tl.f64[:, :], speed: tl.f64[:, :], steps: tl.i64) -> tl.f64:
    for _ in tl.range(steps, stripmine=2):
        after = 2.0 * u - before
        inner = u[2:, 1:-1] + u[:-2, 1:-1] + u[1:-1, 2:] + u[1:-1, :-2] - 4.0 * u[1:-1, 1:-1]
        after[1:-1, 1:-1] += speed[1:-1, 1:-1] * inner
        before, u = u, after
    return tl.sum(u * u)
