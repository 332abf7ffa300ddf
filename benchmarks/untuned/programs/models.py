"""Models that are fitted by optimisation: factors of ratings and Gaussian processes."""

from __future__ import annotations

import numpy as np

import tapeless as tl
from untuned.program import Program


def factors_data(size, dtype, rng):
    users, things, rank, ratings = size
    return (
        rng.normal(size=(users, rank)).astype(dtype),
        rng.normal(size=(things, rank)).astype(dtype),
        rng.integers(0, users, ratings),
        rng.integers(0, things, ratings),
        rng.normal(size=ratings).astype(dtype),
    )


def factors_loops(u, v, users, things, ratings):
    loss = 0.0
    for n in range(len(ratings)):
        predicted = 0.0
        for k in range(u.shape[1]):
            predicted += u[users[n], k] * v[things[n], k]
        loss += (predicted - ratings[n]) ** 2
    return loss + 0.1 * (np.sum(u**2) + np.sum(v**2))


def factors_maps(u, v, users, things, ratings):
    errors = tl.map(lambda i, j, r: (tl.dot(u[i], v[j]) - r) ** 2, users, things, ratings)
    return tl.sum(errors) + 0.1 * (tl.sum(u * u) + tl.sum(v * v))


def factors_axis(u, v, users, things, ratings):
    errors = np.sum(u[users] * v[things], axis=1) - ratings
    return np.sum(errors**2) + 0.1 * (np.sum(u**2) + np.sum(v**2))


def factors_jax(jnp):
    def loss(u, v, users, things, ratings):
        errors = jnp.sum(u[users] * v[things], axis=1) - ratings
        return jnp.sum(errors**2) + 0.1 * (jnp.sum(u**2) + jnp.sum(v**2))

    return loss


def factors_torch(torch):
    def loss(u, v, users, things, ratings):
        errors = torch.sum(u[users] * v[things], dim=1) - ratings
        return torch.sum(errors**2) + 0.1 * (torch.sum(u**2) + torch.sum(v**2))

    return loss


def process_data(size, dtype, rng):
    points, features = size
    return (
        np.concatenate((np.zeros(features), [0.3, -1.0])).astype(dtype),
        rng.normal(size=(points, features)).astype(dtype),
        rng.normal(size=points).astype(dtype),
    )


def process_loops(theta, x, y):
    n, d = x.shape
    k = np.zeros((n, n), dtype=x.dtype)
    for i in range(n):
        for j in range(n):
            distance = 0.0
            for f in range(d):
                distance += ((x[i, f] - x[j, f]) * np.exp(theta[f])) ** 2
            k[i, j] = np.exp(theta[d] - 0.5 * distance)
        k[i, i] += np.exp(theta[d + 1])
    factor = np.linalg.cholesky(k)
    half = 0.0
    z = np.zeros_like(y)
    for i in range(n):
        rest = y[i]
        for j in range(i):
            rest -= factor[i, j] * z[j]
        z[i] = rest / factor[i, i]
        half += 0.5 * z[i] ** 2 + np.log(factor[i, i])
    return half


def process_axis(theta, x, y):
    scaled = x * np.exp(theta[:-2])
    away = np.sum((scaled[:, None, :] - scaled[None, :, :]) ** 2, axis=2)
    k = np.exp(theta[-2] - 0.5 * away) + np.exp(theta[-1]) * np.eye(len(x), dtype=x.dtype)
    factor = np.linalg.cholesky(k)
    return 0.5 * np.dot(y, np.linalg.solve(k, y)) + np.sum(np.log(np.diag(factor)))


def process_jax(jnp):
    import jax

    def loss(theta, x, y):
        scaled = x * jnp.exp(theta[:-2])
        squares = jnp.sum(scaled**2, axis=1)
        away = squares[:, None] + squares - 2.0 * scaled @ scaled.T
        k = jnp.exp(theta[-2] - 0.5 * away) + jnp.exp(theta[-1]) * jnp.eye(len(x), dtype=x.dtype)
        factor = jnp.linalg.cholesky(k)
        z = jax.scipy.linalg.solve_triangular(factor, y, lower=True)
        return 0.5 * z @ z + jnp.sum(jnp.log(jnp.diag(factor)))

    return loss


def process_torch(torch):
    def loss(theta, x, y):
        away = torch.cdist(x * torch.exp(theta[:-2]), x * torch.exp(theta[:-2])) ** 2
        k = torch.exp(theta[-2] - 0.5 * away) + torch.exp(theta[-1]) * torch.eye(len(x), dtype=x.dtype)
        factor = torch.linalg.cholesky(k)
        z = torch.linalg.solve_triangular(factor, y[:, None], upper=False)
        return 0.5 * torch.sum(z * z) + torch.sum(torch.log(torch.diag(factor)))

    return loss


PROGRAMS = (
    Program(
        name="factors of ratings",
        field="optimisation",
        sizes={"small": (10, 12, 4, 40), "middle": (500, 500, 8, 10000), "large": (10000, 5000, 16, 300000)},
        data=factors_data,
        spellings={"loops": factors_loops, "maps": factors_maps, "axis": factors_axis},
        jax=factors_jax,
        torch=factors_torch,
        wrt=(0, 1),
    ),
    Program(
        name="gaussian process",
        field="optimisation",
        sizes={"small": (8, 2), "middle": (80, 3), "large": (400, 5)},
        data=process_data,
        spellings={"loops": process_loops, "axis": process_axis},
        jax=process_jax,
        torch=process_torch,
    ),
)
