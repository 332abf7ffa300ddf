"""Statistics, physics, graphs and geometry."""

from __future__ import annotations

from functools import partial
from typing import NamedTuple

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax
from jax.scipy.special import erf, gammaln, logsumexp

from unit.imports.jax_programs import Program, labels, normal, uniform


class Mixture(NamedTuple):
    """The parameters of a mixture of Gaussians."""

    weights: np.ndarray
    means: np.ndarray
    scales: np.ndarray


def mixture(params, x):
    log_weights = jax.nn.log_softmax(params.weights)
    squares = jnp.sum(((x[:, None, :] - params.means) * jnp.exp(-params.scales)) ** 2, axis=-1)
    return -jnp.mean(logsumexp(log_weights - 0.5 * squares - jnp.sum(params.scales, axis=-1), axis=1))


def poisson(params, x, counts):
    rates = jnp.exp(x @ params)
    return jnp.mean(rates - counts * jnp.log(rates) + gammaln(counts + 1.0))


def probit(params, x, y):
    cdf = 0.5 * (1.0 + erf((x @ params) / jnp.sqrt(2.0)))
    return -jnp.mean(y * jnp.log(cdf) + (1.0 - y) * jnp.log1p(-cdf))


def beta_likelihood(params, x):
    a, b = jnp.exp(params["a"]), jnp.exp(params["b"])
    norm = gammaln(a) + gammaln(b) - gammaln(a + b)
    return -jnp.mean((a - 1) * jnp.log(x) + (b - 1) * jnp.log1p(-x) - norm)


def huber(params, x, y):
    error = jnp.abs(x @ params["w"] - y)
    return jnp.mean(jnp.where(error < 1.0, 0.5 * error**2, error - 0.5))


def kernel_regression(params, x, y):
    distance = jnp.sum((x[:, None] - x[None, :]) ** 2, axis=-1)
    weights = jnp.exp(-distance * jnp.exp(params["log_scale"])) * (1.0 - jnp.eye(len(x)))
    return jnp.mean((weights @ y / weights.sum(axis=1) - y) ** 2)


def springs(params, rest):
    offsets = params["x"][:, None] - params["x"][None, :]
    distance = jnp.sqrt(jnp.sum(offsets**2, axis=-1) + 1e-6)
    return 0.25 * params["k"] * jnp.sum((distance - rest) ** 2)


def lennard_jones(params):
    rows, columns = np.triu_indices(len(params), 1)
    squares = jnp.sum((params[rows] - params[columns]) ** 2, axis=-1)
    inverse = 1.0 / squares**3
    return jnp.sum(4.0 * (inverse**2 - inverse))


def messages(params, features, sources, targets):
    """Message passing on a graph: two rounds of sums over edges."""
    x = features
    for w in params["layers"]:
        gathered = jax.nn.relu(x[sources] @ w)
        summed = jax.ops.segment_sum(gathered, targets, num_segments=x.shape[0])
        x = jnp.tanh(summed + x @ params["own"])
    return jnp.mean(x**2)


def graph_attention(params, x, sources, targets):
    h = x @ params["w"]
    scores = jax.nn.leaky_relu(h[sources] @ params["a"] + h[targets] @ params["b"])
    exponentials = jnp.exp(scores)
    total = jnp.zeros(x.shape[0]).at[targets].add(exponentials)
    out = jnp.zeros_like(h).at[targets].add((exponentials / total[targets])[:, None] * h[sources])
    return jnp.sum(out**2)


def sparse_product(params, rows, columns, x):
    out = jnp.zeros(5).at[rows].add(params * x[columns])
    return jnp.sum(out**2)


def rays(params, directions):
    """Distances of rays to a sphere, and how they are lit."""
    centre, radius = params["centre"], params["radius"]
    b = directions @ centre
    hit = b**2 - jnp.dot(centre, centre) + radius**2
    depth = b - jnp.sqrt(jnp.maximum(hit, 1e-3))
    normals = (depth[:, None] * directions - centre) / radius
    return jnp.sum(jnp.where(hit > 0, jax.nn.relu(normals @ params["light"]), 0.1))


def rotations(params, points, target):
    def skew(v):
        return jnp.array([[0.0, -v[2], v[1]], [v[2], 0.0, -v[0]], [-v[1], v[0], 0.0]])

    angle = jnp.sqrt(jnp.sum(params["r"] ** 2))
    k = skew(params["r"] / angle)
    rotation = jnp.eye(3) + jnp.sin(angle) * k + (1 - jnp.cos(angle)) * k @ k
    return jnp.mean((points @ rotation.T + params["t"] - target) ** 2)


def running_maximum(params, prices):
    wealth = jnp.cumprod(1.0 + params * prices)
    return jnp.max(1.0 - wealth / lax.cummax(wealth)) - jnp.log(wealth[-1])


def ranked(params, x):
    """A loss of order statistics."""
    scores = jnp.sort(x @ params)
    return jnp.sum(scores[-3:]) - jnp.median(scores) + jnp.sum(jnp.diff(scores) ** 2)


def trimmed(params, x, y):
    losses = (x @ params - y) ** 2
    order = jnp.argsort(losses)
    return jnp.mean(losses[order[:5]])


def interpolation(params, at):
    places = jnp.linspace(0.0, 1.0, params.shape[0])
    return jnp.sum(jnp.interp(at, places, params) ** 2)


def polynomial(params, x, y):
    return jnp.mean((jnp.polyval(params, x) - y) ** 2)


@jax.custom_vjp
def _clipped(x):
    return x


_clipped.defvjp(lambda x: (x, None), lambda _, ct: (jnp.clip(ct, -0.1, 0.1),))


def clipped_gradients(params, x):
    return jnp.sum(_clipped(x @ params) ** 2)


@jax.custom_jvp
def _stable(x):
    return jnp.log1p(jnp.exp(x))


@_stable.defjvp
def _stable_rule(primals, tangents):
    return _stable(primals[0]), tangents[0] * jax.nn.sigmoid(primals[0])


def stable_softplus(params, x):
    return jnp.sum(_stable(x @ params["w"]) * jax.nn.relu(params["v"]))


@partial(jax.custom_jvp, nondiff_argnums=(1,))
def _power(x, n):
    return x**n


@_power.defjvp
def _power_rule(n, primals, tangents):
    return _power(primals[0], n), 2.0 * tangents[0] * n * _power(primals[0], n - 1)


def doubled_rule(params):
    return jnp.sum(_power(params, 3))


def stopped(params, x):
    target = lax.stop_gradient(x @ params["target"])
    return jnp.mean((x @ params["w"] - target) ** 2)


def implicit(params, b):
    """A linear system solved by conjugate gradients, with JAX's own rule for its derivative."""
    matrix = params["m"] @ params["m"].T + 3.0 * jnp.eye(len(b))
    solution, _ = jax.scipy.sparse.linalg.cg(lambda v: matrix @ v, b, tol=1e-12)
    return jnp.sum(solution**2)


def tensor_network(params):
    return jnp.einsum("ab,bcd,de,ace->", params["a"], params["b"], params["c"], params["d"]) ** 2


PROGRAMS = {
    "mixture": Program(mixture, Mixture(normal(3), normal(3, 2), normal(3, 2, seed=1, scale=0.3)), (normal(9, 2),)),
    "poisson": Program(poisson, normal(3, scale=0.3), (normal(8, 3), labels(8, 5).astype(float))),
    "probit": Program(probit, normal(3, scale=0.3), (normal(8, 3), labels(8, 2).astype(float))),
    "beta_likelihood": Program(beta_likelihood, {"a": 0.3, "b": 0.6}, (uniform(9, low=0.1, high=0.9),)),
    "huber": Program(huber, {"w": normal(3)}, (normal(8, 3), normal(8, scale=3.0))),
    "kernel_regression": Program(kernel_regression, {"log_scale": 0.2}, (normal(7, 2), normal(7))),
    "springs": Program(springs, {"x": normal(5, 2), "k": 1.5}, (uniform(5, 5),)),
    "lennard_jones": Program(lennard_jones, 1.5 * normal(5, 3), (), 1e-4),
    "messages": Program(
        messages,
        {"layers": [normal(3, 3, seed=k) for k in range(2)], "own": normal(3, 3, seed=9)},
        (normal(6, 3), labels(10, 6), labels(10, 6, seed=1)),
    ),
    "graph_attention": Program(
        graph_attention,
        {"w": normal(3, 4), "a": normal(4), "b": normal(4, seed=1)},
        (normal(5, 3), np.array([0, 1, 2, 3, 4, 0, 2]), np.array([1, 2, 3, 4, 0, 3, 1])),
    ),
    "sparse_product": Program(sparse_product, normal(8), (labels(8, 5), labels(8, 6, seed=1), normal(6))),
    "rays": Program(
        rays,
        {"centre": np.array([0.1, 0.2, 3.0]), "radius": 1.2, "light": np.array([0.3, 0.5, -0.8])},
        (np.array([[0.0, 0.0, 1.0], [0.1, 0.1, 0.99], [0.6, 0.0, 0.8], [-0.2, 0.1, 0.97]]),),
    ),
    "rotations": Program(rotations, {"r": normal(3), "t": normal(3, seed=1)}, (normal(6, 3), normal(6, 3, seed=1))),
    "running_maximum": Program(running_maximum, 0.5, (normal(9, scale=0.2),)),
    "ranked": Program(ranked, normal(3), (normal(9, 3),)),
    "trimmed": Program(trimmed, normal(3), (normal(9, 3), normal(9))),
    "interpolation": Program(interpolation, normal(6), (uniform(8),)),
    "polynomial": Program(polynomial, normal(4), (normal(7), normal(7, seed=1))),
    "clipped_gradients": Program(clipped_gradients, normal(3), (normal(5, 3),)),
    "stable_softplus": Program(stable_softplus, {"w": normal(3), "v": normal(5)}, (normal(5, 3),)),
    "doubled_rule": Program(doubled_rule, normal(4)),
    "stopped": Program(stopped, {"w": normal(3), "target": normal(3, seed=1)}, (normal(5, 3),)),
    "implicit": Program(implicit, {"m": normal(4, 4)}, (normal(4),)),
    "tensor_network": Program(
        tensor_network, {"a": normal(2, 3), "b": normal(3, 2, 4), "c": normal(4, 2), "d": normal(2, 2, 2)}
    ),
}
