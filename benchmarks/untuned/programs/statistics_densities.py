"""Statistics: likelihoods of mixtures, heavy tails and groups, and densities by kernels."""

from __future__ import annotations

import numpy as np

import tapeless as tl
from untuned.program import Program

LOG_TWO_PI = float(np.log(2 * np.pi))


# A mixture of Gaussians with diagonal covariances.
def mixture(size, dtype, rng):
    n, k, d = size
    points = rng.normal(size=(n, d)).astype(dtype)
    means = rng.normal(size=(k, d)).astype(dtype)
    return rng.normal(size=k).astype(dtype), means, (0.1 * rng.normal(size=(k, d))).astype(dtype), points


def mixture_loops(logits, means, log_scales, points):
    n, d, k = points.shape[0], points.shape[1], len(logits)
    log_weights = logits - tl.logsumexp(logits)
    total = 0.0
    for i in range(n):
        terms = tl.zeros_like(logits)
        for c in range(k):
            density = log_weights[c]
            for j in range(d):
                z = (points[i, j] - means[c, j]) * tl.exp(-log_scales[c, j])
                density -= 0.5 * z * z + log_scales[c, j] + 0.5 * LOG_TWO_PI
            terms[c] = density
        total += tl.logsumexp(terms)
    return total


def mixture_maps(logits, means, log_scales, points):
    log_weights = logits - tl.logsumexp(logits)

    def log_density(point):
        def component(weight, mean, log_scale):
            z = (point - mean) * tl.exp(-log_scale)
            return weight - tl.sum(0.5 * z**2 + log_scale + 0.5 * LOG_TWO_PI)

        return tl.logsumexp(tl.map(component, log_weights, means, log_scales))

    return tl.sum(tl.map(log_density, points))


def mixture_axes(logits, means, log_scales, points):
    log_weights = logits - tl.logsumexp(logits)
    z = (points[:, None, :] - means) * np.exp(-log_scales)
    densities = log_weights - np.sum(0.5 * z**2 + log_scales + 0.5 * LOG_TWO_PI, axis=2)
    return np.sum(tl.logsumexp(densities, axis=1))


def mixture_jax(jnp):
    import jax

    def likelihood(logits, means, log_scales, points):
        inverse = jnp.exp(-2 * log_scales)
        squares = points**2 @ inverse.T - 2 * points @ (means * inverse).T + jnp.sum(means**2 * inverse, axis=1)
        constant = jnp.sum(log_scales, axis=1) + 0.5 * LOG_TWO_PI * points.shape[1]
        return jnp.sum(jax.nn.logsumexp(jax.nn.log_softmax(logits) - 0.5 * squares - constant, axis=1))

    return likelihood


def mixture_torch(torch):
    def likelihood(logits, means, log_scales, points):
        z = (points[:, None, :] - means) * torch.exp(-log_scales)
        densities = -torch.sum(0.5 * z**2 + log_scales + 0.5 * LOG_TWO_PI, dim=2)
        return torch.sum(torch.logsumexp(torch.log_softmax(logits, 0) + densities, dim=1))

    return likelihood


# The density of a sample by Gaussian kernels, left out one by one, as a function of bandwidths.
def sample(size, dtype, rng):
    n, d = size
    return np.full(d, 0.5, dtype), rng.normal(size=(n, d)).astype(dtype)


def kernel_density_loops(bandwidth, x):
    n, d = x.shape
    score = 0.0
    for i in range(n):
        density = 0.0
        for j in range(n):
            if i != j:
                square = 0.0
                for k in range(d):
                    square += ((x[i, k] - x[j, k]) / bandwidth[k]) ** 2
                density += tl.exp(-0.5 * square)
        score += tl.log(density / (n - 1))
    return score - n * tl.sum(tl.log(bandwidth))


def kernel_density_maps(bandwidth, x):
    n = len(x)
    scaled = x / bandwidth

    def log_density(a):
        others = tl.map(lambda b: tl.exp(-0.5 * tl.sum((a - b) ** 2)), scaled)
        return tl.log((tl.sum(others) - 1.0) / (n - 1))

    return tl.sum(tl.map(log_density, scaled)) - n * tl.sum(tl.log(bandwidth))


def kernel_density_axes(bandwidth, x):
    n = len(x)
    scaled = x / bandwidth
    squares = np.sum((scaled[:, None, :] - scaled[None, :, :]) ** 2, axis=2)
    density = (np.sum(np.exp(-0.5 * squares), axis=1) - 1.0) / (n - 1)
    return np.sum(np.log(density)) - n * np.sum(np.log(bandwidth))


def kernel_density_jax(jnp):
    def score(bandwidth, x):
        n = len(x)
        scaled = x / bandwidth
        squares = jnp.sum((scaled[:, None, :] - scaled[None, :, :]) ** 2, axis=2)
        density = (jnp.sum(jnp.exp(-0.5 * squares), axis=1) - 1) / (n - 1)
        return jnp.sum(jnp.log(density)) - n * jnp.sum(jnp.log(bandwidth))

    return score


# A linear model with an effect for each group, which the observations name.
def grouped(size, dtype, rng):
    n, groups, d = size
    x = rng.normal(size=(n, d)).astype(dtype)
    group = rng.integers(0, groups, n)
    effects = (0.3 * rng.normal(size=groups)).astype(dtype)
    return rng.normal(size=d).astype(dtype), effects, -0.5, 0.2, x, group, rng.normal(size=n).astype(dtype)


def mixed_loops(beta, effects, log_tau, log_sigma, x, group, y):
    density = 0.0
    for i in range(len(y)):
        mean = effects[group[i]]
        for j in range(len(beta)):
            mean += x[i, j] * beta[j]
        z = (y[i] - mean) * tl.exp(-log_sigma)
        density -= 0.5 * z**2 + log_sigma
    for g in range(len(effects)):
        density -= 0.5 * (effects[g] * tl.exp(-log_tau)) ** 2 + log_tau
    return density


def mixed_arrays(beta, effects, log_tau, log_sigma, x, group, y):
    z = (y - x @ beta - effects[group]) / np.exp(log_sigma)
    u = effects / np.exp(log_tau)
    return -0.5 * np.sum(z**2) - len(y) * log_sigma - 0.5 * np.sum(u**2) - len(effects) * log_tau


def mixed_jax(jnp):
    def density(beta, effects, log_tau, log_sigma, x, group, y):
        z = (y - x @ beta - effects[group]) * jnp.exp(-log_sigma)
        u = effects * jnp.exp(-log_tau)
        return -0.5 * jnp.sum(z**2) - len(y) * log_sigma - 0.5 * jnp.sum(u**2) - len(effects) * log_tau

    return density


# Regression with errors of Student's t, whose degrees of freedom are unknown, too.
def robust(size, dtype, rng):
    n, d = size
    x = rng.normal(size=(n, d)).astype(dtype)
    return rng.normal(size=d).astype(dtype), 0.1, 1.2, x, rng.standard_t(3, n).astype(dtype)


def student_maps(beta, log_scale, log_freedom, x, y):
    nu, scale = tl.exp(log_freedom), tl.exp(log_scale)

    def log_density(row, target):
        z = (target - tl.dot(row, beta)) / scale
        return -0.5 * (nu + 1.0) * tl.log1p(z * z / nu)

    constant = tl.lgamma(0.5 * (nu + 1.0)) - tl.lgamma(0.5 * nu) - 0.5 * tl.log(nu * np.pi) - log_scale
    return tl.sum(tl.map(log_density, x, y)) + len(y) * constant


def student_loops(beta, log_scale, log_freedom, x, y):
    nu = tl.exp(log_freedom)
    total = 0.0
    for i in range(len(y)):
        z = (y[i] - tl.dot(x[i], beta)) / tl.exp(log_scale)
        total += tl.lgamma(0.5 * (nu + 1.0)) - tl.lgamma(0.5 * nu) - 0.5 * tl.log(nu * np.pi) - log_scale
        total -= 0.5 * (nu + 1.0) * tl.log1p(z**2 / nu)
    return total


def student_jax(jnp):
    from jax.scipy.special import gammaln

    def density(beta, log_scale, log_freedom, x, y):
        nu = jnp.exp(log_freedom)
        z = (y - x @ beta) * jnp.exp(-log_scale)
        constant = gammaln(0.5 * (nu + 1)) - gammaln(0.5 * nu) - 0.5 * jnp.log(nu * jnp.pi) - log_scale
        return len(y) * constant - 0.5 * (nu + 1) * jnp.sum(jnp.log1p(z**2 / nu))

    return density


def student_torch(torch):
    def density(beta, log_scale, log_freedom, x, y):
        nu = torch.exp(log_freedom)
        z = (y - x @ beta) * torch.exp(-log_scale)
        constant = torch.lgamma(0.5 * (nu + 1)) - torch.lgamma(0.5 * nu) - 0.5 * torch.log(nu * torch.pi) - log_scale
        return len(y) * constant - 0.5 * (nu + 1) * torch.sum(torch.log1p(z**2 / nu))

    return density


PROGRAMS = (
    Program(
        name="mixture of Gaussians",
        field="statistics",
        sizes={"small": (20, 3, 4), "middle": (1000, 10, 8), "large": (20_000, 20, 16)},
        data=mixture,
        spellings={"loops": mixture_loops, "maps": mixture_maps, "axis": mixture_axes},
        jax=mixture_jax,
        torch=mixture_torch,
        wrt=(0, 1, 2),
        tiny=(4, 2, 3),
    ),
    Program(
        name="kernel density bandwidths",
        field="statistics",
        sizes={"small": (20, 2), "middle": (300, 3), "large": (2000, 3)},
        data=sample,
        spellings={"loops": kernel_density_loops, "maps": kernel_density_maps, "axis": kernel_density_axes},
        jax=kernel_density_jax,
        torch=kernel_density_jax,
        tiny=(5, 2),
        in_f32={"loops": "terms of all pairs are added one after the other, and nearly cancel with the logarithms"},
    ),
    Program(
        name="mixed effects",
        field="statistics",
        sizes={"small": (60, 6, 3), "middle": (10_000, 200, 8), "large": (400_000, 5000, 12)},
        data=grouped,
        spellings={"loops": mixed_loops, "arrays": mixed_arrays},
        jax=mixed_jax,
        torch=mixed_jax,
        wrt=(0, 1, 2, 3),
        tiny=(6, 3, 2),
    ),
    Program(
        name="Student's t regression",
        field="statistics",
        sizes={"small": (60, 4), "middle": (5000, 10), "large": (200_000, 20)},
        data=robust,
        spellings={"maps": student_maps, "loops": student_loops},
        jax=student_jax,
        torch=student_torch,
        wrt=(0, 1, 2),
        tiny=(6, 2),
    ),
)
