"""Ordinary differential equations stepped by Runge and Kutta's method, fitted to trajectories that were seen."""

from __future__ import annotations

import numpy as np

import tapeless as tl
from untuned.program import Program

DT = 0.02


def prey_data(size, dtype, rng):
    series, steps = size
    return (
        np.array([1.1, 0.4, 0.1, 0.4]).astype(dtype),
        rng.uniform(5.0, 10.0, (series, 2)).astype(dtype),
        rng.uniform(2.0, 10.0, (series, steps, 2)).astype(dtype),
    )


def prey_loops(rates, starts, seen):
    a, b, c, d = rates[0], rates[1], rates[2], rates[3]
    loss = 0.0
    for s in range(len(starts)):
        x, y = starts[s, 0], starts[s, 1]
        for t in range(seen.shape[1]):
            k1, l1 = a * x - b * x * y, c * x * y - d * y
            x2, y2 = x + 0.5 * DT * k1, y + 0.5 * DT * l1
            k2, l2 = a * x2 - b * x2 * y2, c * x2 * y2 - d * y2
            x3, y3 = x + 0.5 * DT * k2, y + 0.5 * DT * l2
            k3, l3 = a * x3 - b * x3 * y3, c * x3 * y3 - d * y3
            x4, y4 = x + DT * k3, y + DT * l3
            k4, l4 = a * x4 - b * x4 * y4, c * x4 * y4 - d * y4
            x += DT / 6.0 * (k1 + 2.0 * k2 + 2.0 * k3 + k4)
            y += DT / 6.0 * (l1 + 2.0 * l2 + 2.0 * l3 + l4)
            loss += (x - seen[s, t, 0]) ** 2 + (y - seen[s, t, 1]) ** 2
    return loss


def prey_maps(rates, starts, seen):
    def slope(state):
        x, y = state[0], state[1]
        return np.array([rates[0] * x - rates[1] * x * y, rates[2] * x * y - rates[3] * y])

    def misfit(start, path):
        state, total = start, 0.0
        for point in path:
            k1 = slope(state)
            k2 = slope(state + 0.5 * DT * k1)
            k3 = slope(state + 0.5 * DT * k2)
            k4 = slope(state + DT * k3)
            state = state + DT / 6.0 * (k1 + 2.0 * k2 + 2.0 * k3 + k4)
            total += np.sum((state - point) ** 2)
        return total

    return tl.sum(tl.map(misfit, starts, seen))


def prey_jax(jnp):
    from jax import lax

    def loss(rates, starts, seen):
        def slope(x, y):
            return rates[0] * x - rates[1] * x * y, rates[2] * x * y - rates[3] * y

        def step(state, points):
            x, y = state
            k1, l1 = slope(x, y)
            k2, l2 = slope(x + 0.5 * DT * k1, y + 0.5 * DT * l1)
            k3, l3 = slope(x + 0.5 * DT * k2, y + 0.5 * DT * l2)
            k4, l4 = slope(x + DT * k3, y + DT * l3)
            x = x + DT / 6.0 * (k1 + 2.0 * k2 + 2.0 * k3 + k4)
            y = y + DT / 6.0 * (l1 + 2.0 * l2 + 2.0 * l3 + l4)
            return (x, y), jnp.sum((x - points[:, 0]) ** 2 + (y - points[:, 1]) ** 2)

        return jnp.sum(lax.scan(step, (starts[:, 0], starts[:, 1]), seen.swapaxes(0, 1))[1])

    return loss


def lorenz_data(size, dtype, rng):
    pieces, steps = size
    return (
        np.array([10.0, 28.0, 8.0 / 3.0]).astype(dtype),
        rng.normal(size=(pieces, 3)).astype(dtype),
        rng.normal(size=(pieces, steps, 3)).astype(dtype),
    )


def lorenz_loops(parameters, starts, seen):
    sigma, rho, beta = parameters[0], parameters[1], parameters[2]
    pieces, steps = seen.shape[0], seen.shape[1]
    loss = 0.0
    for k in range(pieces):
        x, y, z = starts[k, 0], starts[k, 1], starts[k, 2]
        for t in range(steps):
            dx = sigma * (y - x)
            dy = x * (rho - z) - y
            dz = x * y - beta * z
            x += 0.002 * dx
            y += 0.002 * dy
            z += 0.002 * dz
            loss += (x - seen[k, t, 0]) ** 2 + (y - seen[k, t, 1]) ** 2 + (z - seen[k, t, 2]) ** 2
    return loss / (pieces * steps)


def lorenz_maps(parameters, starts, seen):
    def slope(s):
        return np.array(
            [parameters[0] * (s[1] - s[0]), s[0] * (parameters[1] - s[2]) - s[1], s[0] * s[1] - parameters[2] * s[2]]
        )

    def misfit(start, path):
        state, total = start, 0.0
        for point in path:
            state += 0.002 * slope(state)
            total += np.sum((state - point) ** 2)
        return total / len(path)

    return np.mean(tl.map(misfit, starts, seen))


def lorenz_jax(jnp):
    from jax import lax

    def loss(parameters, starts, seen):
        sigma, rho, beta = parameters

        def step(state, points):
            x, y, z = state
            x, y, z = x + 0.002 * sigma * (y - x), y + 0.002 * (x * (rho - z) - y), z + 0.002 * (x * y - beta * z)
            return (x, y, z), (x - points[:, 0]) ** 2 + (y - points[:, 1]) ** 2 + (z - points[:, 2]) ** 2

        return jnp.mean(lax.scan(step, tuple(starts.T), seen.swapaxes(0, 1))[1])

    return loss


def oscillator_data(size, dtype, rng):
    return (np.array([2.0, 0.0, 1.5]).astype(dtype), np.zeros(size, dtype))


def oscillator_loops(start, times):
    x, v, mu = start[0], start[1], start[2]
    for _ in range(len(times)):
        xm = x + 0.5 * DT * v
        vm = v + 0.5 * DT * (mu * (1.0 - x * x) * v - x)
        x, v = x + DT * vm, v + DT * (mu * (1.0 - xm * xm) * vm - xm)
    return np.array([x, v])


def oscillator_arrays(start, times):
    mu = start[2]

    def slope(s):
        return np.stack((s[1], mu * (1.0 - s[0] ** 2) * s[1] - s[0]))

    state = start[:2]
    for _ in times:
        state = state + DT * slope(state + 0.5 * DT * slope(state))
    return state


def oscillator_jax(jnp):
    from jax import lax

    def last(start, times):
        mu = start[2]

        def slope(s):
            return jnp.stack((s[1], mu * (1.0 - s[0] ** 2) * s[1] - s[0]))

        def step(s, _):
            return s + DT * slope(s + 0.5 * DT * slope(s)), None

        return lax.scan(step, start[:2], times)[0]

    return last


def neural_data(size, dtype, rng):
    steps, batch, width, hidden = size
    return (
        (rng.normal(size=(width, hidden)) / np.sqrt(width)).astype(dtype),
        rng.normal(size=hidden).astype(dtype),
        (rng.normal(size=(hidden, width)) / np.sqrt(hidden)).astype(dtype),
        rng.normal(size=(batch, width)).astype(dtype),
        rng.normal(size=(steps, batch, width)).astype(dtype),
    )


def neural_arrays(w1, b1, w2, start, seen):
    def slope(z):
        return np.tanh(z @ w1 + b1) @ w2

    z, loss = start, 0.0
    for wanted in seen:
        k1 = slope(z)
        k2 = slope(z + 0.05 * k1)
        k3 = slope(z + 0.05 * k2)
        k4 = slope(z + 0.1 * k3)
        z = z + 0.1 / 6.0 * (k1 + 2.0 * k2 + 2.0 * k3 + k4)
        loss += np.mean((z - wanted) ** 2)
    return loss / len(seen)


def neural_maps(w1, b1, w2, start, seen):
    def slope(z):
        return np.tanh(z @ w1 + b1) @ w2

    def misfit(first, n):
        z, loss = first, 0.0
        for t in range(len(seen)):
            k1 = slope(z)
            k2 = slope(z + 0.05 * k1)
            k3 = slope(z + 0.05 * k2)
            k4 = slope(z + 0.1 * k3)
            z = z + 0.1 / 6.0 * (k1 + 2.0 * k2 + 2.0 * k3 + k4)
            loss += np.mean((z - seen[t, n]) ** 2)
        return loss / len(seen)

    return np.mean(tl.map(misfit, start, np.arange(len(start))))


def neural_jax(jnp):
    from jax import lax

    def loss(w1, b1, w2, start, seen):
        def slope(z):
            return jnp.tanh(z @ w1 + b1) @ w2

        def step(z, wanted):
            k1 = slope(z)
            k2 = slope(z + 0.05 * k1)
            k3 = slope(z + 0.05 * k2)
            k4 = slope(z + 0.1 * k3)
            z = z + 0.1 / 6.0 * (k1 + 2.0 * k2 + 2.0 * k3 + k4)
            return z, jnp.mean((z - wanted) ** 2)

        return jnp.mean(lax.scan(step, start, seen)[1])

    return loss


def neural_torch(torch):
    def loss(w1, b1, w2, start, seen):
        def slope(z):
            return torch.tanh(z @ w1 + b1) @ w2

        z, total = start, 0.0
        for wanted in seen:
            k1 = slope(z)
            k2 = slope(z + 0.05 * k1)
            k3 = slope(z + 0.05 * k2)
            k4 = slope(z + 0.1 * k3)
            z = z + 0.1 / 6.0 * (k1 + 2.0 * k2 + 2.0 * k3 + k4)
            total = total + torch.mean((z - wanted) ** 2)
        return total / len(seen)

    return loss


PROGRAMS = (
    Program(
        name="hunters and prey",
        field="ordinary differential equations",
        sizes={"small": (2, 20), "middle": (20, 200), "large": (200, 1000)},
        data=prey_data,
        spellings={"loops": prey_loops, "maps": prey_maps},
        jax=prey_jax,
        wrt=(0, 1),
    ),
    Program(
        name="lorenz",
        field="ordinary differential equations",
        sizes={"small": (2, 30), "middle": (20, 500), "large": (500, 1000)},
        data=lorenz_data,
        spellings={"loops": lorenz_loops, "maps": lorenz_maps},
        jax=lorenz_jax,
    ),
    Program(
        name="van der Pol",
        field="ordinary differential equations",
        sizes={"small": 50, "middle": 10000, "large": 500000},
        data=oscillator_data,
        spellings={"loops": oscillator_loops, "arrays": oscillator_arrays},
        jax=oscillator_jax,
        quantity="jacobian",
    ),
    Program(
        name="neural differential equation",
        field="ordinary differential equations",
        sizes={"small": (4, 4, 2, 8), "middle": (20, 32, 2, 32), "large": (50, 128, 4, 64)},
        data=neural_data,
        spellings={"arrays": neural_arrays, "maps": neural_maps},
        jax=neural_jax,
        torch=neural_torch,
        wrt=(0, 1, 2),
    ),
)
