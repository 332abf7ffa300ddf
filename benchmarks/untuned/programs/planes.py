"""Partial differential equations on planes: heat, Poisson and shallow water, stepped explicitly."""

from __future__ import annotations

import numpy as np

from untuned.program import Program

STEPS = 20
GRAVITY = 9.81


def plane_data(size, dtype, rng):
    return (
        rng.normal(size=(size, size)).astype(dtype),
        rng.uniform(0.05, 0.2, size=(size, size)).astype(dtype),
        rng.normal(size=(size, size)).astype(dtype),
    )


def plane_loops(u, conductivity, wanted):
    n, m = u.shape
    for _ in range(STEPS):
        new = u.copy()
        for i in range(1, n - 1):
            for j in range(1, m - 1):
                around = u[i - 1, j] + u[i + 1, j] + u[i, j - 1] + u[i, j + 1]
                new[i, j] = u[i, j] + conductivity[i, j] * (around - 4.0 * u[i, j])
        u = new
    return np.sum((u - wanted) ** 2)


def plane_slices(u, conductivity, wanted):
    for _ in range(STEPS):
        around = u[:-2, 1:-1] + u[2:, 1:-1] + u[1:-1, :-2] + u[1:-1, 2:]
        u[1:-1, 1:-1] += conductivity[1:-1, 1:-1] * (around - 4.0 * u[1:-1, 1:-1])
    return np.sum((u - wanted) ** 2)


def plane_jax(jnp):
    from jax import lax

    def loss(u, conductivity, wanted):
        def step(u, _):
            around = u[:-2, 1:-1] + u[2:, 1:-1] + u[1:-1, :-2] + u[1:-1, 2:]
            return u.at[1:-1, 1:-1].add(conductivity[1:-1, 1:-1] * (around - 4.0 * u[1:-1, 1:-1])), None

        u, _ = lax.scan(step, u, None, length=STEPS)
        return jnp.sum((u - wanted) ** 2)

    return loss


def plane_torch(torch):
    def loss(u, conductivity, wanted):
        inside = conductivity[1:-1, 1:-1]
        for _ in range(STEPS):
            around = u[:-2, 1:-1] + u[2:, 1:-1] + u[1:-1, :-2] + u[1:-1, 2:]
            u = u + torch.nn.functional.pad(inside * (around - 4.0 * u[1:-1, 1:-1]), (1, 1, 1, 1))
        return torch.sum((u - wanted) ** 2)

    return loss


def poisson_data(size, dtype, rng):
    return tuple(rng.normal(size=(size, size)).astype(dtype) for _ in range(2))


def poisson_loops(source, seen):
    n = len(source)
    p = np.zeros((n + 2, n + 2), dtype=source.dtype)
    for _ in range(STEPS):
        old = p.copy()
        for i in range(1, n + 1):
            for j in range(1, n + 1):
                around = old[i - 1, j] + old[i + 1, j] + old[i, j - 1] + old[i, j + 1]
                p[i, j] = 0.25 * (around + source[i - 1, j - 1])
    loss = 0.0
    for i in range(n):
        for j in range(n):
            loss += (p[i + 1, j + 1] - seen[i, j]) ** 2
    return loss


def poisson_slices(source, seen):
    p = np.pad(np.zeros_like(source), 1)
    for _ in range(STEPS):
        p[1:-1, 1:-1] = 0.25 * (p[:-2, 1:-1] + p[2:, 1:-1] + p[1:-1, :-2] + p[1:-1, 2:] + source)
    return np.sum((p[1:-1, 1:-1] - seen) ** 2)


def poisson_jax(jnp):
    from jax import lax

    def loss(source, seen):
        def sweep(p, _):
            around = p[:-2, 1:-1] + p[2:, 1:-1] + p[1:-1, :-2] + p[1:-1, 2:]
            return jnp.pad(0.25 * (around + source), 1), None

        p, _ = lax.scan(sweep, jnp.pad(jnp.zeros_like(source), 1), None, length=STEPS)
        return jnp.sum((p[1:-1, 1:-1] - seen) ** 2)

    return loss


def poisson_torch(torch):
    def loss(source, seen):
        p = torch.nn.functional.pad(torch.zeros_like(source), (1, 1, 1, 1))
        for _ in range(STEPS):
            around = p[:-2, 1:-1] + p[2:, 1:-1] + p[1:-1, :-2] + p[1:-1, 2:]
            p = torch.nn.functional.pad(0.25 * (around + source), (1, 1, 1, 1))
        return torch.sum((p[1:-1, 1:-1] - seen) ** 2)

    return loss


def water_data(size, dtype, rng):
    place = np.linspace(0.0, 1.0, size)
    height = 1.0 + 0.2 * np.exp(-50.0 * (place[:, None] - 0.5) ** 2 - 50.0 * (place - 0.4) ** 2)
    return (height.astype(dtype), (1.0 + 0.1 * rng.normal(size=(size, size))).astype(dtype))


def water_loops(h, seen):
    n, m = h.shape
    u, v = np.zeros_like(h), np.zeros_like(h)
    for _ in range(STEPS):
        for i in range(n):
            for j in range(m):
                u[i, j] -= 0.02 * GRAVITY * (h[(i + 1) % n, j] - h[i, j])
                v[i, j] -= 0.02 * GRAVITY * (h[i, (j + 1) % m] - h[i, j])
        before = h.copy()
        for i in range(n):
            for j in range(m):
                flow = before[i, j] * (u[i, j] - u[i - 1, j] + v[i, j] - v[i, j - 1])
                h[i, j] = before[i, j] - 0.02 * flow
    return np.mean((h - seen) ** 2)


def water_roll(h, seen):
    u, v = np.zeros_like(h), np.zeros_like(h)
    for _ in range(STEPS):
        u -= 0.02 * GRAVITY * (np.roll(h, -1, axis=0) - h)
        v -= 0.02 * GRAVITY * (np.roll(h, -1, axis=1) - h)
        h = h - 0.02 * h * (u - np.roll(u, 1, axis=0) + v - np.roll(v, 1, axis=1))
    return np.mean((h - seen) ** 2)


def water_jax(jnp):
    from jax import lax

    def loss(h, seen):
        def step(state, _):
            h, u, v = state
            u = u - 0.02 * GRAVITY * (jnp.roll(h, -1, axis=0) - h)
            v = v - 0.02 * GRAVITY * (jnp.roll(h, -1, axis=1) - h)
            return (h - 0.02 * h * (u - jnp.roll(u, 1, axis=0) + v - jnp.roll(v, 1, axis=1)), u, v), None

        (h, _, _), _ = lax.scan(step, (h, jnp.zeros_like(h), jnp.zeros_like(h)), None, length=STEPS)
        return jnp.mean((h - seen) ** 2)

    return loss


def water_torch(torch):
    def loss(h, seen):
        u, v = torch.zeros_like(h), torch.zeros_like(h)
        for _ in range(STEPS):
            u = u - 0.02 * GRAVITY * (torch.roll(h, -1, 0) - h)
            v = v - 0.02 * GRAVITY * (torch.roll(h, -1, 1) - h)
            h = h - 0.02 * h * (u - torch.roll(u, 1, 0) + v - torch.roll(v, 1, 1))
        return torch.mean((h - seen) ** 2)

    return loss


PROGRAMS = (
    Program(
        name="heat on a plane",
        field="partial differential equations",
        sizes={"small": 12, "middle": 80, "large": 500},
        data=plane_data,
        spellings={"loops": plane_loops, "slices": plane_slices},
        jax=plane_jax,
        torch=plane_torch,
        wrt=(0, 1),
    ),
    Program(
        name="poisson by Jacobi",
        field="partial differential equations",
        sizes={"small": 12, "middle": 80, "large": 500},
        data=poisson_data,
        spellings={"loops": poisson_loops, "slices": poisson_slices},
        jax=poisson_jax,
        torch=poisson_torch,
    ),
    Program(
        name="shallow water",
        field="partial differential equations",
        sizes={"small": 12, "middle": 60, "large": 400},
        data=water_data,
        spellings={"loops": water_loops, "roll": water_roll},
        jax=water_jax,
        torch=water_torch,
    ),
)
