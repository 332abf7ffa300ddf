"""Loops of physics as ordinary functions: steps that can be undone, and two that cannot, absorbed waves and Lorenz."""

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


@tl.function
def step_3d(before: tl.f64[:, :, :], u: tl.f64[:, :, :], speed: tl.f64[:, :, :]):
    """The next state of a wave in a body."""
    after = 2.0 * u - before
    around = u[2:, 1:-1, 1:-1] + u[:-2, 1:-1, 1:-1] + u[1:-1, 2:, 1:-1] + u[1:-1, :-2, 1:-1]
    around += u[1:-1, 1:-1, 2:] + u[1:-1, 1:-1, :-2]
    after[1:-1, 1:-1, 1:-1] += speed[1:-1, 1:-1, 1:-1] * (around - 6.0 * u[1:-1, 1:-1, 1:-1])
    return after


@tl.function
def wave_3d(before: tl.f64[:, :, :], u: tl.f64[:, :, :], speed: tl.f64[:, :, :], steps: tl.i64) -> tl.f64:
    """The same for a body."""
    for _ in range(steps):
        before, u = u, step_3d(before, u, speed)
    return tl.sum(u * u)


@tl.function
def wave_3d_in_strips(before: tl.f64[:, :, :], u: tl.f64[:, :, :], speed: tl.f64[:, :, :], steps: tl.i64) -> tl.f64:
    for _ in tl.range(steps, stripmine=2):
        before, u = u, step_3d(before, u, speed)
    return tl.sum(u * u)


@tl.function
def turned(x: tl.f64, y: tl.f64, cos: tl.f64, sin: tl.f64):
    return cos * x - sin * y, sin * x + cos * y


@tl.function
def rotations(a: tl.f64[:], b: tl.f64[:], angles: tl.f64[:], steps: tl.i64) -> tl.f64:
    """Planes are turned, each by its angle, and then exchanged: a unitary matrix, some steps long."""
    cos, sin = tl.cos(angles), tl.sin(angles)
    for _ in range(steps):
        a, b = tl.map(turned, a, b, cos, sin)
        a, b = b, tl.reverse(a)
    return tl.sum(a * a * a)


@tl.function
def rotations_in_strips(a: tl.f64[:], b: tl.f64[:], angles: tl.f64[:], steps: tl.i64) -> tl.f64:
    cos, sin = tl.cos(angles), tl.sin(angles)
    for _ in tl.range(steps, stripmine=2):
        a, b = tl.map(turned, a, b, cos, sin)
        a, b = b, tl.reverse(a)
    return tl.sum(a * a * a)


@tl.function
def absorbed_step(before: tl.f64[:, :, :], u: tl.f64[:, :, :], speed: tl.f64[:, :, :], damping: tl.f64[:, :, :]):
    """The next state of a wave in a body whose outer layer absorbs."""
    after = (2.0 - damping) * u - (1.0 - damping) * before
    around = u[2:, 1:-1, 1:-1] + u[:-2, 1:-1, 1:-1] + u[1:-1, 2:, 1:-1] + u[1:-1, :-2, 1:-1]
    around += u[1:-1, 1:-1, 2:] + u[1:-1, 1:-1, :-2]
    after[1:-1, 1:-1, 1:-1] += speed[1:-1, 1:-1, 1:-1] * (around - 6.0 * u[1:-1, 1:-1, 1:-1])
    return after


@tl.function
def absorbed_wave_3d(
    before: tl.f64[:, :, :], u: tl.f64[:, :, :], speed: tl.f64[:, :, :], damping: tl.f64[:, :, :], steps: tl.i64
) -> tl.f64:
    """What is left of a wave; what was swallowed does not come back, so some states are kept."""
    for _ in tl.range(steps, budget=20):
        before, u = u, absorbed_step(before, u, speed, damping)
    return tl.sum(u * u)


@tl.function
def absorbed_wave_3d_in_strips(
    before: tl.f64[:, :, :], u: tl.f64[:, :, :], speed: tl.f64[:, :, :], damping: tl.f64[:, :, :], steps: tl.i64
) -> tl.f64:
    for _ in tl.range(steps, stripmine=2):
        before, u = u, absorbed_step(before, u, speed, damping)
    return tl.sum(u * u)


@tl.function
def convection(s: tl.f64[3], p: tl.f64[3]) -> tl.f64[3]:
    return tl.stack((p[0] * (s[1] - s[0]), s[0] * (p[1] - s[2]) - s[1], s[0] * s[1] - p[2] * s[2]))


@tl.function
def runge_kutta(s: tl.f64[3], p: tl.f64[3], dt: tl.f64) -> tl.f64[3]:
    k1 = convection(s, p)
    k2 = convection(s + 0.5 * dt * k1, p)
    k3 = convection(s + 0.5 * dt * k2, p)
    k4 = convection(s + dt * k3, p)
    return s + dt / 6.0 * (k1 + 2.0 * k2 + 2.0 * k3 + k4)


@tl.function
def lorenz(s: tl.f64[3], p: tl.f64[3], dt: tl.f64, steps: tl.i64) -> tl.f64:
    """Where Lorenz' weather ends, by steps that have no inverse; states are kept within a budget."""
    for _ in tl.range(steps, budget=100):
        s = runge_kutta(s, p, dt)
    return tl.sum(s * s)


@tl.function
def lorenz_in_strips(s: tl.f64[3], p: tl.f64[3], dt: tl.f64, steps: tl.i64) -> tl.f64:
    for _ in tl.range(steps, stripmine=2):
        s = runge_kutta(s, p, dt)
    return tl.sum(s * s)
