"""Partial differential equations on lines: heat, Burgers and advection, stepped explicitly."""

from __future__ import annotations

import numpy as np

import tapeless as tl
from untuned.program import Program

STEPS = 20
NU = 0.1


def line_data(size, dtype, rng):
    return tuple(rng.normal(size=size).astype(dtype) for _ in range(2))


def heat_loops(u, wanted):
    n = len(u)
    for _ in range(STEPS):
        new = u.copy()
        for i in range(1, n - 1):
            new[i] = u[i] + 0.2 * (u[i - 1] - 2.0 * u[i] + u[i + 1])
        u = new
    loss = 0.0
    for i in range(n):
        loss += (u[i] - wanted[i]) ** 2
    return loss


def heat_slices(u, wanted):
    for _ in range(STEPS):
        u[1:-1] += 0.2 * (u[:-2] - 2.0 * u[1:-1] + u[2:])
    return np.sum((u - wanted) ** 2)


def heat_maps(u, wanted):
    n = len(u)
    for _ in range(STEPS):

        def cell(i):
            inner = i > 0 and i < n - 1
            left, right = u[max(i - 1, 0)], u[min(i + 1, n - 1)]
            return u[i] + 0.2 * (left - 2.0 * u[i] + right) if inner else u[i]

        u = tl.map(cell, tl.iota(n))
    return tl.sum(tl.map(lambda a, b: (a - b) ** 2, u, wanted))


def heat_jax(jnp):
    from jax import lax

    def loss(u, wanted):
        def step(u, _):
            return u.at[1:-1].add(0.2 * (u[:-2] - 2.0 * u[1:-1] + u[2:])), None

        u, _ = lax.scan(step, u, None, length=STEPS)
        return jnp.sum((u - wanted) ** 2)

    return loss


def heat_torch(torch):
    def loss(u, wanted):
        for _ in range(STEPS):
            inner = u[1:-1] + 0.2 * (u[:-2] - 2.0 * u[1:-1] + u[2:])
            u = torch.cat((u[:1], inner, u[-1:]))
        return torch.sum((u - wanted) ** 2)

    return loss


def heat_numpy(u, wanted):
    u = u.copy()
    for _ in range(STEPS):
        u[1:-1] += 0.2 * (u[:-2] - 2.0 * u[1:-1] + u[2:])
    bar = 2.0 * (u - wanted)
    for _ in range(STEPS):
        flux = 0.2 * bar[1:-1]
        bar[1:-1] -= 2.0 * flux
        bar[:-2] += flux
        bar[2:] += flux
    return np.sum((u - wanted) ** 2), (bar,)


def burgers_loops(u, wanted):
    n = len(u)
    for _ in range(STEPS):
        new = np.zeros_like(u)
        for i in range(n):
            left, right = u[i - 1], u[(i + 1) % n]
            new[i] = u[i] - 0.05 * u[i] * (right - left) / 2.0 + NU * (left - 2.0 * u[i] + right)
        u = new
    return np.mean((u - wanted) ** 2)


def burgers_roll(u, wanted):
    for _ in range(STEPS):
        left, right = np.roll(u, 1), np.roll(u, -1)
        u = u - 0.05 * u * (right - left) / 2.0 + NU * (left - 2.0 * u + right)
    return np.mean((u - wanted) ** 2)


def burgers_jax(jnp):
    from jax import lax

    def loss(u, wanted):
        def step(u, _):
            left, right = jnp.roll(u, 1), jnp.roll(u, -1)
            return u - 0.05 * u * (right - left) / 2.0 + NU * (left - 2.0 * u + right), None

        u, _ = lax.scan(step, u, None, length=STEPS)
        return jnp.mean((u - wanted) ** 2)

    return loss


def burgers_torch(torch):
    def loss(u, wanted):
        for _ in range(STEPS):
            left, right = torch.roll(u, 1), torch.roll(u, -1)
            u = u - 0.05 * u * (right - left) / 2.0 + NU * (left - 2.0 * u + right)
        return torch.mean((u - wanted) ** 2)

    return loss


def advection_data(size, dtype, rng):
    return tuple(rng.normal(size=size).astype(dtype) for _ in range(3))


def advection_loops(speed, q, wanted):
    n = len(q)
    for _ in range(STEPS):
        before = q.copy()
        for i in range(1, n - 1):
            c = 0.3 * speed[i]
            if c > 0.0:
                q[i] = before[i] - c * (before[i] - before[i - 1])
            else:
                q[i] = before[i] - c * (before[i + 1] - before[i])
    return np.sum((q - wanted) ** 2)


def advection_where(speed, q, wanted):
    c = 0.3 * speed[1:-1]
    for _ in range(STEPS):
        slope = np.where(c > 0.0, q[1:-1] - q[:-2], q[2:] - q[1:-1])
        q[1:-1] -= c * slope
    return np.sum((q - wanted) ** 2)


def advection_jax(jnp):
    from jax import lax

    def loss(speed, q, wanted):
        c = 0.3 * speed[1:-1]

        def step(q, _):
            slope = jnp.where(c > 0.0, q[1:-1] - q[:-2], q[2:] - q[1:-1])
            return q.at[1:-1].add(-c * slope), None

        q, _ = lax.scan(step, q, None, length=STEPS)
        return jnp.sum((q - wanted) ** 2)

    return loss


def advection_torch(torch):
    def loss(speed, q, wanted):
        c = 0.3 * speed[1:-1]
        for _ in range(STEPS):
            slope = torch.where(c > 0.0, q[1:-1] - q[:-2], q[2:] - q[1:-1])
            q = torch.cat((q[:1], q[1:-1] - c * slope, q[-1:]))
        return torch.sum((q - wanted) ** 2)

    return loss


PROGRAMS = (
    Program(
        name="heat on a line",
        field="partial differential equations",
        sizes={"small": 64, "middle": 5000, "large": 200000},
        data=line_data,
        spellings={"loops": heat_loops, "slices": heat_slices, "maps": heat_maps},
        jax=heat_jax,
        torch=heat_torch,
        numpy=heat_numpy,
    ),
    Program(
        name="burgers",
        field="partial differential equations",
        sizes={"small": 64, "middle": 5000, "large": 200000},
        data=line_data,
        spellings={"loops": burgers_loops, "roll": burgers_roll},
        jax=burgers_jax,
        torch=burgers_torch,
    ),
    Program(
        name="upwind advection",
        field="partial differential equations",
        sizes={"small": 64, "middle": 5000, "large": 200000},
        data=advection_data,
        spellings={"loops": advection_loops, "where": advection_where},
        jax=advection_jax,
        torch=advection_torch,
        wrt=(0, 1),
    ),
)
