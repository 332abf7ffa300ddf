"""Statistics: regressions by their likelihoods and losses."""

from __future__ import annotations

import numpy as np

import tapeless as tl
from untuned.program import Program

TABLE_SIZES = {"small": (60, 5), "middle": (4000, 20), "large": (100_000, 40)}


def table(size, dtype, rng):
    """A table of observations and coefficients to begin with."""
    n, d = size
    x = rng.normal(size=(n, d)).astype(dtype)
    return (0.3 * rng.normal(size=d)).astype(dtype), x


# Logistic regression with labels 0 and 1.
def labelled(size, dtype, rng):
    w, x = table(size, dtype, rng)
    return w, x, (rng.random(len(x)) < 0.4).astype(dtype)


def logistic_loops(w, x, y):
    loss = 0.0
    for i in range(x.shape[0]):
        z = 0.0
        for j in range(x.shape[1]):
            z += x[i, j] * w[j]
        loss += tl.softplus(z) - y[i] * z
    return loss / x.shape[0]


def logistic_maps(w, x, y):
    def one(row, label):
        z = tl.dot(row, w)
        return tl.softplus(z) - label * z

    return tl.mean(tl.map(one, x, y))


def logistic_arrays(w, x, y):
    z = x @ w
    return np.mean(np.log1p(np.exp(-np.abs(z))) + np.maximum(z, 0.0) - y * z)


def logistic_jax(jnp):
    import jax

    def loss(w, x, y):
        z = x @ w
        return jnp.mean(jax.nn.softplus(z) - y * z)

    return loss


def logistic_torch(torch):
    def loss(w, x, y):
        return torch.nn.functional.binary_cross_entropy_with_logits(x @ w, y)

    return loss


def logistic_numpy(w, x, y):
    z = x @ w
    loss = np.mean(np.maximum(z, 0) + np.log1p(np.exp(-np.abs(z))) - y * z)
    return loss, (x.T @ (1 / (1 + np.exp(-z)) - y) / len(x),)


# Poisson regression of counts, Newton's method needs products with the Hessian.
def counted(size, dtype, rng):
    w, x = table(size, dtype, rng)
    return w, 0.2 * x, rng.poisson(2.0, len(x)).astype(dtype), rng.normal(size=len(w)).astype(dtype)


def poisson_loops(w, x, y):
    total = 0.0
    for i in range(len(y)):
        eta = 0.0
        for j in range(len(w)):
            eta += x[i, j] * w[j]
        total += tl.exp(eta) - y[i] * eta
    return total


def poisson_arrays(w, x, y):
    eta = x @ w
    return np.sum(np.exp(eta) - y * eta)


def poisson_jax(jnp):
    def loss(w, x, y):
        eta = x @ w
        return jnp.sum(jnp.exp(eta) - y * eta)

    return loss


def poisson_torch(torch):
    def loss(w, x, y):
        eta = x @ w
        return torch.sum(torch.exp(eta) - y * eta)

    return loss


def poisson_numpy(w, x, y, v):
    return x.T @ (np.exp(x @ w) * (x @ v))


# Ridge regression.
def measured(size, dtype, rng):
    w, x = table(size, dtype, rng)
    return w, 1.5, x, rng.normal(size=len(x)).astype(dtype), 0.1


def ridge_loops(w, intercept, x, y, strength):
    squares = 0.0
    for row, target in zip(x, y, strict=True):
        squares += (tl.dot(row, w) + intercept - target) ** 2
    penalty = 0.0
    for weight in w:
        penalty += weight**2
    return squares / len(y) + strength * penalty


def ridge_loops_by_index(w, intercept, x, y, strength):
    squares = 0.0
    for i in range(len(y)):
        squares += (tl.dot(x[i], w) + intercept - y[i]) ** 2
    return squares / len(y) + strength * tl.sum(w * w)


def ridge_arrays(w, intercept, x, y, strength):
    residual = x @ w + intercept - y
    return np.mean(residual**2) + strength * np.sum(w**2)


def ridge_jax(jnp):
    def loss(w, intercept, x, y, strength):
        residual = x @ w + intercept - y
        return jnp.mean(residual**2) + strength * jnp.sum(w**2)

    return loss


def ridge_numpy(w, intercept, x, y, strength):
    residual = x @ w + intercept - y
    loss = np.mean(residual**2) + strength * np.sum(w**2)
    return loss, (2 / len(y) * (x.T @ residual) + 2 * strength * w, 2 * np.mean(residual))


# Quantile regression by the pinball loss, for several quantiles at once.
def quantiles(size, dtype, rng):
    _, x = table(size, dtype, rng)
    levels = np.array([0.05, 0.25, 0.5, 0.75, 0.95], dtype)
    w = (0.1 * rng.normal(size=(x.shape[1], len(levels)))).astype(dtype)
    return w, x, rng.standard_t(4, size=len(x)).astype(dtype), levels


def pinball_loops(w, x, y, levels):
    loss = 0.0
    for i in range(len(y)):
        for q in range(len(levels)):
            error = y[i] - tl.dot(x[i], w[:, q])
            if error >= 0:
                loss += levels[q] * error
            else:
                loss += (levels[q] - 1.0) * error
    return loss / len(y)


def pinball_maps(w, x, y, levels):
    def one(row, target):
        error = target - row @ w
        return tl.sum(tl.maximum(levels * error, (levels - 1.0) * error))

    return tl.mean(tl.map(one, x, y))


def pinball_arrays(w, x, y, levels):
    error = y[:, None] - x @ w
    return np.sum(np.where(error >= 0, levels * error, (levels - 1.0) * error)) / len(y)


def pinball_jax(jnp):
    def loss(w, x, y, levels):
        error = y[:, None] - x @ w
        return jnp.sum(jnp.where(error >= 0, levels, levels - 1) * error) / len(y)

    return loss


def pinball_torch(torch):
    def loss(w, x, y, levels):
        error = y[:, None] - x @ w
        return torch.sum(torch.where(error >= 0, levels, levels - 1) * error) / len(y)

    return loss


PROGRAMS = (
    Program(
        name="logistic regression",
        field="statistics",
        sizes=TABLE_SIZES,
        data=labelled,
        spellings={"loops": logistic_loops, "maps": logistic_maps, "arrays": logistic_arrays},
        jax=logistic_jax,
        torch=logistic_torch,
        numpy=logistic_numpy,
        tiny=(6, 3),
    ),
    Program(
        name="Poisson regression, Hessian times vector",
        field="statistics",
        sizes=TABLE_SIZES,
        data=counted,
        spellings={"loops": poisson_loops, "arrays": poisson_arrays},
        jax=poisson_jax,
        torch=poisson_torch,
        numpy=poisson_numpy,
        quantity="hvp",
        tiny=(6, 3),
    ),
    Program(
        name="ridge regression",
        field="statistics",
        sizes=TABLE_SIZES,
        data=measured,
        spellings={"rows": ridge_loops, "loops": ridge_loops_by_index, "arrays": ridge_arrays},
        jax=ridge_jax,
        torch=ridge_jax,
        numpy=ridge_numpy,
        wrt=(0, 1),
        tiny=(6, 3),
    ),
    Program(
        name="quantile regression",
        field="statistics",
        sizes=TABLE_SIZES,
        data=quantiles,
        spellings={"loops": pinball_loops, "maps": pinball_maps, "arrays": pinball_arrays},
        jax=pinball_jax,
        torch=pinball_torch,
        tiny=(6, 3),
    ),
)
