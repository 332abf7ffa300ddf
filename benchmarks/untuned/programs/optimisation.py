"""Optimisation: curvature of a valley, steps of Newton, residuals of Gauss and Newton."""

from __future__ import annotations

import numpy as np

import tapeless as tl
from untuned.program import Program


def valley_data(size, dtype, rng):
    return (rng.normal(size=size).astype(dtype), rng.normal(size=size).astype(dtype))


def valley_loops(x):
    total = 0.0
    for i in range(len(x) - 1):
        total += 100.0 * (x[i + 1] - x[i] ** 2) ** 2 + (1.0 - x[i]) ** 2
    return total


def valley_maps(x):
    return tl.sum(tl.map(lambda a, b: 100.0 * (b - a**2) ** 2 + (1.0 - a) ** 2, x[:-1], x[1:]))


def valley_slices(x):
    return np.sum(100.0 * (x[1:] - x[:-1] ** 2) ** 2 + (1.0 - x[:-1]) ** 2)


def valley_jax(jnp):
    def loss(x):
        return jnp.sum(100.0 * (x[1:] - x[:-1] ** 2) ** 2 + (1.0 - x[:-1]) ** 2)

    return loss


def valley_numpy(x, v):
    product = np.zeros_like(x)
    off = -400.0 * x[:-1]
    product[:-1] = (1200.0 * x[:-1] ** 2 - 400.0 * x[1:] + 2.0) * v[:-1] + off * v[1:]
    product[1:] += 200.0 * v[1:] + off * v[:-1]
    return product


def newton_data(size, dtype, rng):
    samples, features = size
    return (
        (0.1 * rng.normal(size=features)).astype(dtype),
        rng.normal(size=(samples, features)).astype(dtype),
        rng.integers(0, 2, samples).astype(dtype),
    )


def newton_written(w, x, y):
    p = tl.sigmoid(x @ w)
    gradient = x.T @ (p - y) + 0.1 * w
    curvature = (x.T * (p * (1.0 - p))) @ x + 0.1 * np.eye(len(w), dtype=w.dtype)
    return w - np.linalg.solve(curvature, gradient)


def newton_loops(w, x, y):
    n, d = x.shape
    gradient = 0.1 * w
    curvature = 0.1 * np.eye(d, dtype=w.dtype)
    for s in range(n):
        p = tl.sigmoid(np.dot(x[s], w))
        for i in range(d):
            gradient[i] += (p - y[s]) * x[s, i]
            for j in range(d):
                curvature[i, j] += p * (1.0 - p) * x[s, i] * x[s, j]
    return w - np.linalg.solve(curvature, gradient)


def newton_derived(w, x, y):
    def loss(v):
        scores = x @ v
        return np.sum(tl.softplus(scores) - y * scores) + 0.05 * np.dot(v, v)

    return w - np.linalg.solve(tl.hessian(loss)(w), tl.grad(loss)(w))


def newton_jax(jnp):
    import jax

    def step(w, x, y):
        p = jax.nn.sigmoid(x @ w)
        curvature = (x.T * (p * (1.0 - p))) @ x + 0.1 * jnp.eye(len(w), dtype=w.dtype)
        return w - jnp.linalg.solve(curvature, x.T @ (p - y) + 0.1 * w)

    return step


def newton_numpy(w, x, y):
    p = 1.0 / (1.0 + np.exp(-(x @ w)))
    curvature = (x.T * (p * (1.0 - p))) @ x + 0.1 * np.eye(len(w), dtype=w.dtype)
    return w - np.linalg.solve(curvature, x.T @ (p - y) + 0.1 * w)


def peaks_data(size, dtype, rng):
    peaks, samples = size
    parameters = np.stack((rng.uniform(1, 2, peaks), rng.uniform(0, 1, peaks), rng.uniform(0.05, 0.2, peaks)), axis=1)
    place = np.linspace(0.0, 1.0, samples)
    return (parameters.ravel().astype(dtype), place.astype(dtype), rng.normal(size=samples).astype(dtype))


def peaks_loops(parameters, x, y):
    residuals = np.zeros_like(x)
    for n in range(len(x)):
        value = 0.0
        for k in range(len(parameters) // 3):
            height, centre, width = parameters[3 * k], parameters[3 * k + 1], parameters[3 * k + 2]
            value += height * np.exp(-(((x[n] - centre) / width) ** 2))
        residuals[n] = value - y[n]
    return residuals


def peaks_maps(parameters, x, y):
    peaks = parameters.reshape((len(parameters) // 3, 3))

    def residual(place, seen):
        return tl.sum(tl.map(lambda p: p[0] * tl.exp(-(((place - p[1]) / p[2]) ** 2)), peaks)) - seen

    return tl.map(residual, x, y)


def peaks_axis(parameters, x, y):
    peaks = parameters.reshape((-1, 3))
    away = (x[:, None] - peaks[:, 1]) / peaks[:, 2]
    return np.sum(peaks[:, 0] * np.exp(-(away**2)), axis=1) - y


def peaks_jax(jnp):
    def residuals(parameters, x, y):
        peaks = parameters.reshape((-1, 3))
        away = (x[:, None] - peaks[:, 1]) / peaks[:, 2]
        return jnp.exp(-(away**2)) @ peaks[:, 0] - y

    return residuals


def peaks_numpy(parameters, x, y):
    peaks = parameters.reshape((-1, 3))
    away = (x[:, None] - peaks[:, 1]) / peaks[:, 2]
    bells = np.exp(-(away**2))
    slopes = 2.0 * peaks[:, 0] * bells * away / peaks[:, 2]
    return np.stack((bells, slopes, slopes * away), axis=2).reshape((len(x), -1))


PROGRAMS = (
    Program(
        name="curvature of the banana valley",
        field="optimisation",
        sizes={"small": 100, "middle": 100000, "large": 5000000},
        data=valley_data,
        spellings={"loops": valley_loops, "maps": valley_maps, "slices": valley_slices},
        jax=valley_jax,
        torch=valley_jax,
        numpy=valley_numpy,
        quantity="hvp",
    ),
    Program(
        name="step of Newton",
        field="optimisation",
        sizes={"small": (20, 3), "middle": (1000, 20), "large": (10000, 100)},
        data=newton_data,
        spellings={"written": newton_written, "loops": newton_loops, "derived": newton_derived},
        jax=newton_jax,
        numpy=newton_numpy,
        quantity="value",
    ),
    Program(
        name="residuals of Gauss and Newton",
        field="optimisation",
        sizes={"small": (2, 20), "middle": (5, 1000), "large": (10, 20000)},
        data=peaks_data,
        spellings={"loops": peaks_loops, "maps": peaks_maps, "axis": peaks_axis},
        jax=peaks_jax,
        torch=peaks_jax,
        numpy=peaks_numpy,
        quantity="jacobian",
        jacobian="forward",
    ),
)
