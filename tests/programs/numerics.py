"""Small pieces of real numerical programs."""

from __future__ import annotations

import numpy as np

import tapeless as tl
from programs.program import program


def logistic_loss(w, x, y):
    total = 0.0
    for i in range(x.shape[0]):
        z = tl.sum(x[i] * w)
        total += tl.log1p(tl.exp(-y[i] * z))
    return total


def newton_sqrt(a):
    x = a
    while tl.abs(x * x - a) > 1e-4 * a:
        x = 0.5 * (x + a / x)
    return x


def heat_steps(u, steps):
    for _ in range(steps):
        u[1:-1] = u[1:-1] + 0.25 * (u[2:] - 2.0 * u[1:-1] + u[:-2])
    return u


def heat_matrix_power(u, steps):
    n = len(u)
    step = np.eye(n)
    for i in range(1, n - 1):
        step[i, i - 1 : i + 2] += [0.25, -0.5, 0.25]
    return np.linalg.matrix_power(step, steps) @ u


def matmul_by_loops(a, b):
    c = tl.zeros((a.shape[0], b.shape[1]))
    for i in range(a.shape[0]):
        for j in range(b.shape[1]):
            for k in range(a.shape[1]):
                c[i, j] += a[i, k] * b[k, j]
    return c


def kmeans_cost(points, centres):
    def nearest(p):
        return tl.min(tl.map(lambda c: tl.sum((p - c) ** 2), centres))

    return tl.sum(tl.map(nearest, points))


def mixture_log_likelihood(x, weights, means, spreads):
    def of_point(p):
        terms = tl.map(lambda w, m, s: tl.log(w) - tl.log(s) - 0.5 * ((p - m) / s) ** 2, weights, means, spreads)
        return tl.logsumexp(terms)

    return tl.sum(tl.map(of_point, x))


def horner(coefficients, x):
    y = tl.zeros_like(x)
    for i in range(len(coefficients)):
        y = y * x + coefficients[i]
    return y


def shortest_paths(d):
    n = d.shape[0]
    for k in range(n):
        for i in range(n):
            for j in range(n):
                d[i, j] = min(d[i, j], d[i, k] + d[k, j])
    return d


def tropical_closure(d):
    out = d.copy()
    for _ in range(len(d)):
        out = np.minimum(out, (out[:, :, None] + out[None, :, :]).min(axis=1))
    return out


def edit_distance(a, b):
    m = len(b)
    row = tl.iota(m + 1)
    for i in range(len(a)):
        before = row[0]
        row[0] = i + 1
        for j in range(m):
            cost = before if a[i] == b[j] else before + 1
            before = row[j + 1]
            row[j + 1] = min(cost, row[j] + 1, before + 1)
    return row[m]


def edit_distance_by_recursion(a, b):
    if len(a) == 0 or len(b) == 0:
        return len(a) + len(b)
    same = int(a[-1] != b[-1]) + edit_distance_by_recursion(a[:-1], b[:-1])
    skip = 1 + min(edit_distance_by_recursion(a[:-1], b), edit_distance_by_recursion(a, b[:-1]))
    return min(same, skip)


def leapfrog(q, p, steps, dt):
    for _ in range(steps):
        p = p - 0.5 * dt * q
        q = q + dt * p
        p = p - 0.5 * dt * q
    return q, p


def leapfrog_matrix(q, p, steps, dt):
    kick = np.array([[1, 0], [-0.5 * dt, 1]])
    step = kick @ np.array([[1, dt], [0, 1]]) @ kick
    return tuple(np.linalg.matrix_power(step, steps) @ np.stack([q, p]))


def mandelbrot_counts(re, im):
    def escape(x, y):
        zr, zi, count = 0.0, 0.0, 0
        while zr * zr + zi * zi <= 4.0 and count < 20:
            zr, zi = zr * zr - zi * zi + x, 2.0 * zr * zi + y
            count += 1
        return count

    return tl.map(lambda y: tl.map(lambda x: escape(x, y), re), im)


def escape_counts(re, im):
    c = re[None, :] + 1j * im[:, None]
    z, count = np.zeros_like(c), np.zeros(c.shape, int)
    for _ in range(20):
        inside = np.abs(z) <= 2
        z = np.where(inside, z * z + c, z)
        count += inside
    return count


def cholesky(a):
    n = a.shape[0]
    low = tl.zeros_like(a)
    for j in range(n):
        low[j, j] = tl.sqrt(a[j, j] - tl.sum(low[j, :j] ** 2))
        for i in range(j + 1, n):
            low[i, j] = (a[i, j] - tl.sum(low[i, :j] * low[j, :j])) / low[j, j]
    return low


def spd(rng):
    m = rng.normal(size=(4, 4))
    return (m @ m.T + 4 * np.eye(4),)


PROGRAMS = (
    program(
        logistic_loss,
        lambda w, x, y: np.logaddexp(0, -y * (x @ w)).sum(),
        lambda rng: (rng.normal(size=3), rng.normal(size=(7, 3)), rng.choice([-1.0, 1.0], size=7)),
    ),
    program(newton_sqrt, np.sqrt, lambda rng: (7.3,), "while", tolerance=1e-4),
    program(heat_steps, heat_matrix_power, lambda rng: (rng.normal(size=9), 12)),
    program(
        matmul_by_loops,
        lambda a, b: np.einsum("ik,kj->ij", a, b),
        lambda rng: (rng.normal(size=(4, 5)), rng.normal(size=(5, 3))),
        "f64",
    ),
    program(
        kmeans_cost,
        lambda p, c: np.min(((p[:, None] - c[None]) ** 2).sum(-1), axis=1).sum(),
        lambda rng: (rng.normal(size=(9, 2)), rng.normal(size=(3, 2))),
    ),
    program(
        mixture_log_likelihood,
        lambda x, w, m, s: np.log((w / s * np.exp(-0.5 * ((x[:, None] - m) / s) ** 2)).sum(axis=1)).sum(),
        lambda rng: (rng.normal(size=8), np.array([0.2, 0.3, 0.5]), rng.normal(size=3), rng.uniform(0.5, 2, size=3)),
    ),
    program(horner, lambda c, x: np.polyval(c, x), lambda rng: (rng.normal(size=5), rng.normal(size=6))),
    program(shortest_paths, tropical_closure, lambda rng: (rng.uniform(1, 9, size=(5, 5)) * (1 - np.eye(5)),)),
    program(
        edit_distance,
        edit_distance_by_recursion,
        lambda rng: (np.array([3, 1, 4, 1, 5]), np.array([1, 4, 2, 5, 9, 5])),
        "ints",
    ),
    program(leapfrog, leapfrog_matrix, lambda rng: (rng.normal(size=3), rng.normal(size=3), 9, 0.1)),
    program(
        mandelbrot_counts,
        escape_counts,
        lambda rng: (np.linspace(-1.9, 0.55, 7), np.linspace(-1.05, 1.15, 5)),
        "while",
        "f64",
    ),
    program(cholesky, np.linalg.cholesky, spd),
)
