"""Control: filters, rollouts of linear systems, predictive control of a pendulum, and tuned controllers."""

from __future__ import annotations

import numpy as np

import tapeless as tl
from untuned.program import Program


# The likelihood of measurements by a Kalman filter, by transition and noise.
def measured(size, dtype, rng):
    n, m, steps = size
    transition = (0.9 * np.eye(n) + 0.05 * rng.normal(size=(n, n))).astype(dtype)
    observe = rng.normal(size=(m, n)).astype(dtype)
    return transition, np.full(n, 0.1, dtype), observe, rng.normal(size=(steps, m)).astype(dtype)


def kalman_arrays(transition, noise, observe, measurements):
    n, m = transition.shape[0], observe.shape[0]
    mean = np.zeros(n, dtype=transition.dtype)
    covariance = np.eye(n, dtype=transition.dtype)
    likelihood = 0.0
    for y in measurements:
        mean = transition @ mean
        covariance = transition @ covariance @ transition.T + np.diag(noise)
        residual = y - observe @ mean
        spread = observe @ covariance @ observe.T + 0.5 * np.eye(m, dtype=y.dtype)
        gain = np.linalg.solve(spread, observe @ covariance).T
        likelihood -= 0.5 * (residual @ np.linalg.solve(spread, residual) + np.linalg.slogdet(spread)[1])
        mean = mean + gain @ residual
        covariance = covariance - gain @ observe @ covariance
    return likelihood


def kalman_inverse(transition, noise, observe, measurements):
    n, m = transition.shape[0], observe.shape[0]
    mean = tl.zeros(n, dtype=transition.dtype)
    covariance = tl.eye(n, dtype=transition.dtype)
    likelihood = 0.0
    for t in range(len(measurements)):
        mean = transition @ mean
        covariance = transition @ covariance @ transition.T
        for i in range(n):
            covariance[i, i] += noise[i]
        residual = measurements[t] - observe @ mean
        spread = observe @ covariance @ observe.T
        for i in range(m):
            spread[i, i] += 0.5
        inverse = tl.linalg.inv(spread)
        gain = covariance @ observe.T @ inverse
        likelihood -= 0.5 * (tl.dot(residual, inverse @ residual) + tl.log(tl.linalg.det(spread)))
        mean += gain @ residual
        covariance -= gain @ observe @ covariance
    return likelihood


def kalman_jax(jnp):
    from jax import lax

    def likelihood(transition, noise, observe, measurements):
        n, m = transition.shape[0], observe.shape[0]
        dtype = transition.dtype

        def step(state, y):
            mean, covariance = state
            mean = transition @ mean
            covariance = transition @ covariance @ transition.T + jnp.diag(noise)
            residual = y - observe @ mean
            spread = observe @ covariance @ observe.T + 0.5 * jnp.eye(m, dtype=dtype)
            gain = jnp.linalg.solve(spread, observe @ covariance).T
            score = residual @ jnp.linalg.solve(spread, residual) + jnp.linalg.slogdet(spread)[1]
            return (mean + gain @ residual, covariance - gain @ observe @ covariance), -0.5 * score

        begin = jnp.zeros(n, dtype), jnp.eye(n, dtype=dtype)
        return jnp.sum(lax.scan(step, begin, measurements)[1])

    return likelihood


# The cost of a linear system under feedback, by the feedback matrix.
def system(size, dtype, rng):
    n, m, steps = size
    a = (0.9 * np.eye(n) + 0.3 / np.sqrt(n) * rng.normal(size=(n, n)) / 3).astype(dtype)
    b = rng.normal(size=(n, m)).astype(dtype) / dtype(np.sqrt(n))
    return (0.01 * rng.normal(size=(m, n))).astype(dtype), a, b, rng.normal(size=n).astype(dtype), steps


def rollout_loops(gain, a, b, start, steps):
    n, m = b.shape
    x = start
    cost = 0.0
    for _ in range(steps):
        u = tl.zeros(m, dtype=start.dtype)
        for i in range(m):
            for j in range(n):
                u[i] -= gain[i, j] * x[j]
        new = tl.zeros_like(x)
        for i in range(n):
            for j in range(n):
                new[i] += a[i, j] * x[j]
            for j in range(m):
                new[i] += b[i, j] * u[j]
        cost += tl.sum(x * x) + 0.1 * tl.sum(u * u)
        x = new
    return cost


def rollout_arrays(gain, a, b, start, steps):
    x = start
    cost = 0.0
    for _ in range(steps):
        u = -(gain @ x)
        cost += x @ x + 0.1 * (u @ u)
        x = a @ x + b @ u
    return cost


def rollout_jax(jnp):
    from jax import lax

    def cost(gain, a, b, start, steps):
        def step(x, _):
            u = -gain @ x
            return a @ x + b @ u, x @ x + 0.1 * u @ u

        return jnp.sum(lax.scan(step, start, length=steps)[1])

    return cost


# Predictive control of a pendulum on a cart: the cost of a plan, by its forces; many plans at once.
def plans(size, dtype, rng):
    count, steps = size
    return (0.5 * rng.normal(size=(count, steps))).astype(dtype), np.array([0.0, 0.0, 3.0, 0.0], dtype)


def pendulum_step(x, speed, angle, turn, force):
    s, c = tl.sin(angle), tl.cos(angle)
    push = force + 0.2 * s * (0.5 * turn**2 + 9.81 * c)
    acceleration = push / (1.0 + 0.2 * s**2)
    twist = (-force * c - 0.1 * turn**2 * c * s - 11.8 * s) / (0.5 + 0.1 * s**2)
    return x + 0.02 * speed, speed + 0.02 * acceleration, angle + 0.02 * turn, turn + 0.02 * twist


def pendulum_loops(forces, start):
    cost = 0.0
    for p in range(forces.shape[0]):
        x, speed, angle, turn = start[0], start[1], start[2], start[3]
        for t in range(forces.shape[1]):
            x, speed, angle, turn = pendulum_step(x, speed, angle, turn, forces[p, t])
            cost += 1.0 + tl.cos(angle) + 0.1 * x**2 + 0.01 * forces[p, t] ** 2
    return cost


def pendulum_maps(forces, start):
    def plan(force):
        x, speed, angle, turn = start
        cost = 0.0
        for f in force:
            x, speed, angle, turn = pendulum_step(x, speed, angle, turn, f)
            cost += 1.0 + tl.cos(angle) + 0.1 * x**2 + 0.01 * f**2
        return cost

    return tl.sum(tl.map(plan, forces))


def pendulum_arrays(forces, start):
    ones = np.ones_like(forces[:, 0])
    x, speed, angle, turn = start[0] * ones, start[1] * ones, start[2] * ones, start[3] * ones
    cost = 0.0
    for t in range(forces.shape[1]):
        x, speed, angle, turn = pendulum_step(x, speed, angle, turn, forces[:, t])
        cost += np.sum(1.0 + np.cos(angle) + 0.1 * x**2 + 0.01 * forces[:, t] ** 2)
    return cost


def pendulum_jax(jnp):
    from jax import lax

    def cost(forces, start):
        def step(state, force):
            x, speed, angle, turn = state
            s, c = jnp.sin(angle), jnp.cos(angle)
            acceleration = (force + 0.2 * s * (0.5 * turn**2 + 9.81 * c)) / (1 + 0.2 * s**2)
            twist = (-force * c - 0.1 * turn**2 * c * s - 11.8 * s) / (0.5 + 0.1 * s**2)
            x, angle = x + 0.02 * speed, angle + 0.02 * turn
            speed, turn = speed + 0.02 * acceleration, turn + 0.02 * twist
            return (x, speed, angle, turn), jnp.sum(1 + jnp.cos(angle) + 0.1 * x**2 + 0.01 * force**2)

        begin = tuple(jnp.full_like(forces[:, 0], each) for each in start)
        return jnp.sum(lax.scan(step, begin, forces.T)[1])

    return cost


# A PID controller of a tank that leaks, with a pump of limited power: the error, by the three gains.
def tank(steps, dtype, rng):
    wanted = np.where(np.arange(steps) < steps // 2, 1.0, 1.6).astype(dtype)
    return np.array([2.0, 0.5, 0.1], dtype), wanted, (0.05 * rng.normal(size=steps)).astype(dtype)


def tank_loops(gains, wanted, disturbance):
    level, integral, last, cost = 0.5, 0.0, 0.0, 0.0
    for t in range(len(wanted)):
        error = wanted[t] - level
        integral += 0.1 * error
        push = gains[0] * error + gains[1] * integral + gains[2] * (error - last) / 0.1
        push = min(max(push, 0.0), 3.0)
        level += 0.1 * (push - tl.sqrt(abs(level)) + disturbance[t])
        last = error
        cost += error**2 + 0.01 * push**2
    return cost


def tank_rows(gains, wanted, disturbance):
    level, integral, last, cost = 0.5, 0.0, 0.0, 0.0
    for goal, change in zip(wanted, disturbance, strict=True):
        error = goal - level
        integral += 0.1 * error
        push = np.clip(gains @ np.array([error, integral, (error - last) / 0.1]), 0.0, 3.0)
        level += 0.1 * (push - np.sqrt(np.abs(level)) + change)
        last = error
        cost += error**2 + 0.01 * push**2
    return cost


def tank_jax(jnp):
    from jax import lax

    def cost(gains, wanted, disturbance):
        def step(state, given):
            level, integral, last = state
            error = given[0] - level
            integral = integral + 0.1 * error
            push = jnp.clip(gains[0] * error + gains[1] * integral + gains[2] * (error - last) / 0.1, 0.0, 3.0)
            level = level + 0.1 * (push - jnp.sqrt(jnp.abs(level)) + given[1])
            return (level, integral, error), error**2 + 0.01 * push**2

        zero = jnp.zeros_like(wanted[0])
        return jnp.sum(lax.scan(step, (zero + 0.5, zero, zero), (wanted, disturbance))[1])

    return cost


PROGRAMS = (
    Program(
        name="Kalman filter",
        field="control",
        sizes={"small": (3, 2, 5), "middle": (6, 3, 100), "large": (12, 6, 2000)},
        data=measured,
        spellings={"arrays": kalman_arrays, "inverse": kalman_inverse},
        jax=kalman_jax,
        wrt=(0, 1),
        tiny=(2, 2, 3),
    ),
    Program(
        name="feedback rollout",
        field="control",
        sizes={"small": (4, 2, 10), "middle": (20, 5, 200), "large": (100, 20, 1000)},
        data=system,
        spellings={"loops": rollout_loops, "arrays": rollout_arrays},
        jax=rollout_jax,
        tiny=(3, 2, 3),
    ),
    Program(
        name="pendulum plans",
        field="control",
        sizes={"small": (2, 20), "middle": (100, 50), "large": (5000, 100)},
        data=plans,
        spellings={"loops": pendulum_loops, "maps": pendulum_maps, "arrays": pendulum_arrays},
        jax=pendulum_jax,
        tiny=(2, 4),
    ),
    Program(
        name="PID tank",
        field="control",
        sizes={"small": 50, "middle": 5000, "large": 200_000},
        data=tank,
        spellings={"loops": tank_loops, "rows": tank_rows},
        jax=tank_jax,
        tiny=6,
    ),
)
