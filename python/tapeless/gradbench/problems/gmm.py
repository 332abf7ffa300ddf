"""gmm: the likelihood of a mixture of Gaussians with a prior on the factors of their precisions."""

import math
from typing import Any

import numpy as np

import tapeless as tl
from tapeless.gradbench.problem import Problem, Task, as_lists, floats

PARAMETERS = ("alpha", "mu", "q", "l")


@tl.function
def objective(
    alpha: tl.f64[:],
    mu: tl.f64[:, :],
    q: tl.f64[:, :],
    l: tl.f64[:, :],  # noqa: E741
    x: tl.f64[:, :],
    m: tl.i64,
    gamma: tl.f64,
) -> tl.f64:
    n, d = x.shape

    def factor(logarithms, below):
        """The lower triangle with these logarithms on its diagonal; the elements below come column by column."""

        def entry(i, j):
            if i > j:
                return below[j * (2 * d - j - 1) // 2 + i - j - 1]
            return tl.exp(logarithms[i]) if i == j else 0.0

        return tl.map(lambda i: tl.map(lambda j: entry(i, j), tl.iota(d)), tl.iota(d))

    factors = tl.map(factor, q, l)
    offsets = alpha + tl.sum(q, axis=1)

    def log_density(point):
        def term(offset, mean, factor):
            return offset - 0.5 * tl.sum((factor @ (point - mean)) ** 2)

        return log_sum_exp(tl.map(term, offsets, mu, factors))

    likelihood = tl.sum(tl.map(log_density, x)) - n * (0.5 * d * math.log(2 * math.pi) + log_sum_exp(alpha))
    return likelihood + log_prior(q, l, m, gamma)


@tl.function
def log_prior(q: tl.f64[:, :], l: tl.f64[:, :], m: tl.i64, gamma: tl.f64) -> tl.f64:  # noqa: E741
    """The logarithm of the Wishart prior of all factors."""
    k, d = q.shape
    nu = d + m + 1
    log_gamma = 0.25 * d * (d - 1) * math.log(math.pi) + tl.sum(tl.lgamma(0.5 * (nu - tl.iota(d))))
    squares = tl.sum(tl.exp(q) ** 2) + tl.sum(l**2)
    return k * (nu * d * tl.log(gamma / math.sqrt(2)) - log_gamma) + m * tl.sum(q) - 0.5 * gamma**2 * squares


@tl.function
def log_sum_exp(x: tl.f64[:]) -> tl.f64:
    largest = tl.max(x)
    return largest + tl.log(tl.sum(tl.exp(x - largest)))


def arguments(given: dict[str, Any]) -> tuple[Any, ...]:
    k, d = given["k"], given["d"]
    alpha, mu, q = floats(given["alpha"], k), floats(given["mu"], k, d), floats(given["q"], k, d)
    below = floats(given["l"], k, d * (d - 1) // 2)
    return alpha, mu, q, below, floats(given["x"], given["n"], d), int(given["m"]), float(given["gamma"])


def output(gradient: tuple[np.ndarray, ...]) -> dict[str, Any]:
    return {name: as_lists(part) for name, part in zip(PARAMETERS, gradient, strict=True)}


PROBLEM: Problem = {
    "objective": Task(objective, arguments),
    "jacobian": Task(tl.grad(objective, argnums=PARAMETERS), arguments, output),
}
