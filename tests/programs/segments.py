"""Formulas, branches and loops whose derivatives are much shorter as a whole than statement by statement."""

from __future__ import annotations

import numpy as np

import tapeless as tl
from programs.program import program


def curves(x):
    """The logistic function, softplus, a quotient of exponentials, and one that sin and cos leave."""

    def of(t):
        up, down = tl.exp(t), tl.exp(-t)
        return (
            1.0 / (1.0 + down) + tl.log(1.0 + up) + (up - down) / (up + down) + (tl.sin(t) ** 2 + tl.cos(t) ** 2) * t**3
        )

    return tl.map(of, x)


def normal_density(x, mean, spread):
    """The logarithm of an exponential."""
    return tl.map(lambda t: tl.log(tl.exp(-((t - mean) ** 2) / (2.0 * spread**2)) / (spread * tl.sqrt(2.0 * tl.pi))), x)


def merged_branches(a, d, z):
    """A branch in a branch, times what the derivative of one arm divides by; and arms that differ by a constant."""
    w = (tl.sqrt(a) if d > 0.3 else tl.sin(a) * tl.sqrt(a)) if a > 0.0 else z
    both = a * a + a if z > 0.0 else a * a + a - 3.0
    return w * tl.exp(d) * tl.sqrt(tl.abs(a)) + 2.0 * both


def class_losses(x, y, w, b):
    """Logistic regression, and cross entropy with and without its shift."""
    p = 1.0 / (1.0 + tl.exp(-(w * x[0] + b)))
    top = tl.max(x)
    nll = -(y * tl.log(p) + (1.0 - y) * tl.log(1.0 - p))
    plain = -tl.log(tl.exp(x[0]) / tl.sum(tl.exp(x)))
    shifted = tl.log(tl.sum(tl.exp(x - top))) + top - x[1]
    return nll, plain, shifted


def class_losses_by_numpy(x, y, w, b):
    z = w * x[0] + b
    total = np.log(np.exp(x).sum())
    return np.log1p(np.exp(z)) - y * z, total - x[0], total - x[1]


def spring_and_banana(a, b, stiffness, rest):
    """The energy of a spring, and Rosenbrock's function of its ends."""
    length = tl.sqrt((a[0] - b[0]) ** 2 + (a[1] - b[1]) ** 2)
    return 0.5 * stiffness * (length - rest) ** 2, (1.0 - a[0]) ** 2 + 100.0 * (b[0] - a[0] ** 2) ** 2


def slide(depths):
    """The time on straight pieces of a slide."""
    time = 0.0
    for i in range(1, len(depths)):
        piece = tl.sqrt(0.01 + (depths[i] - depths[i - 1]) ** 2)
        time += piece / (tl.sqrt(depths[i]) + tl.sqrt(depths[i - 1]))
    return time


def cart_and_pole(state, force):
    """Two steps of a cart with a pole on it."""
    x, v, q, w = state[0], state[1], state[2], state[3]
    for k in range(2):
        push = force[k] + 0.05 * w * w * tl.sin(q)
        turn = (9.8 * tl.sin(q) - tl.cos(q) * push) / (0.5 * (4.0 / 3.0 - 0.1 * tl.cos(q) ** 2))
        x, v, q, w = x + 0.02 * v, v + 0.02 * (push - 0.05 * turn * tl.cos(q)), q + 0.02 * w, w + 0.02 * turn
    return x, v, q, w


def cart_and_pole_by_numpy(state, force):
    x, v, q, w = state
    for f in force[:2]:
        push = f + 0.05 * w * w * np.sin(q)
        turn = (9.8 * np.sin(q) - np.cos(q) * push) / (0.5 * (4 / 3 - 0.1 * np.cos(q) ** 2))
        x, v, q, w = x + 0.02 * v, v + 0.02 * (push - 0.05 * turn * np.cos(q)), q + 0.02 * w, w + 0.02 * turn
    return x, v, q, w


def quadratic_form(first, second, v):
    u = second @ v
    return tl.dot(u, first @ u)


def solved_loops(a, b, x, n):
    """Sums, products, affine steps and decay, all with closed forms."""
    total, product, affine, decayed = a, 1.0, x, x
    for _ in range(n):
        total += x
        product *= b
        affine = a * affine + b
        decayed = decayed - 0.3 * a * decayed
    return total, product, affine, decayed


def solved_loops_by_numpy(a, b, x, n):
    return a + n * x, b**n, x * a**n + b * sum(a**k for k in range(n)), x * (1 - 0.3 * a) ** n


def moving_average(x, y, alpha, rate):
    """An exponential average, a sum of squared residuals, and steps of the logistic map."""
    average, squares = x[0], 0.0
    for i in range(len(x)):
        average = alpha * x[i] + (1.0 - alpha) * average
        squares += (y[i] - x[i] * alpha) ** 2
    for _ in range(5):
        rate = 3.1 * rate * (1.0 - rate)
    return average, squares, rate


def moving_average_by_numpy(x, y, alpha, rate):
    weights = alpha * (1 - alpha) ** np.arange(len(x))[::-1]
    for _ in range(5):
        rate = 3.1 * rate * (1 - rate)
    return weights @ x + (1 - alpha) ** len(x) * x[0], ((y - x * alpha) ** 2).sum(), rate


def descent(x, y, rate):
    """The error after a descent that ends when its steps are small."""
    w, steps = 0.0, 0
    for _ in range(200):
        slope = 0.0
        for i in range(len(x)):
            slope += 2.0 * x[i] * (w * x[i] - y[i]) / len(x)
        steps += 1
        if tl.abs(slope) < 1e-3:
            break
        w -= rate * slope
    return tl.sum((w * x - y) ** 2), steps


def descent_by_numpy(x, y, rate):
    w, steps = 0.0, 1
    while steps < 200 and abs(slope := 2 * np.mean(x * (w * x - y))) >= 1e-3:
        w -= rate * slope
        steps += 1
    return ((w * x - y) ** 2).sum(), steps


def many_branches(x, switches):
    """A product of as many branches as there are switches, and x = x * sin(x) eight times."""
    product, nested = 1.0, x
    for s in switches:
        product *= x if s > 0.0 else 1.0 + x * x
    for _ in range(8):
        nested = nested * tl.sin(nested)
    return product, nested


def many_branches_by_numpy(x, switches):
    nested = x
    for _ in range(8):
        nested = nested * np.sin(nested)
    return np.where(switches > 0, x, 1 + x * x).prod(), nested


PROGRAMS = (
    program(
        curves,
        lambda x: 1 / (1 + np.exp(-x)) + np.log1p(np.exp(x)) + np.tanh(x) + x**3,
        lambda rng: (rng.uniform(-2, 2, size=6),),
    ),
    program(
        normal_density,
        lambda x, m, s: -((x - m) ** 2) / (2 * s**2) - np.log(s * np.sqrt(2 * np.pi)),
        lambda rng: (rng.normal(size=5), 0.3, 1.4),
    ),
    program(
        merged_branches,
        lambda a, d, z: np.sqrt(a) * np.exp(d) * np.sqrt(a) + 2 * (a * a + a),
        lambda rng: (0.7, 0.4, 1.2),
    ),
    program(class_losses, class_losses_by_numpy, lambda rng: (rng.normal(size=4), 1.0, 0.8, -0.3)),
    program(
        spring_and_banana,
        lambda a, b, k, r: (
            0.5 * k * (np.linalg.norm(a - b) - r) ** 2,
            (1 - a[0]) ** 2 + 100 * (b[0] - a[0] ** 2) ** 2,
        ),
        lambda rng: (np.array([0.2, 0.9]), np.array([1.1, -0.4]), 2.5, 1.0),
    ),
    program(
        slide,
        lambda d: (np.sqrt(0.01 + np.diff(d) ** 2) / (np.sqrt(d[1:]) + np.sqrt(d[:-1]))).sum(),
        lambda rng: (rng.uniform(0.5, 1.5, size=7),),
    ),
    program(cart_and_pole, cart_and_pole_by_numpy, lambda rng: (rng.normal(size=4) * 0.3, rng.normal(size=2))),
    program(
        quadratic_form,
        lambda a, b, v: (b @ v) @ a @ (b @ v),
        lambda rng: (rng.normal(size=(4, 4)), rng.normal(size=(4, 3)), rng.normal(size=3)),
    ),
    program(solved_loops, solved_loops_by_numpy, lambda rng: (0.9, 1.1, 0.7, 9)),
    program(moving_average, moving_average_by_numpy, lambda rng: (rng.normal(size=6), rng.normal(size=6), 0.3, 0.4)),
    program(descent, descent_by_numpy, lambda rng: (rng.uniform(0.5, 1.5, size=8), rng.normal(size=8), 0.3), "f64"),
    program(many_branches, many_branches_by_numpy, lambda rng: (1.3, rng.normal(size=12))),
)
