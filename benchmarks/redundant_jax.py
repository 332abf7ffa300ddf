"""The programs of the redundant benchmark in JAX, with the same arguments."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from jax import Array, lax
from jax.scipy.special import gammaln, logsumexp
from redundant_data import BINS, BITS

Matrices = tuple[Array, Array, Array, Array]


def gmm(alphas: Array, means: Array, icf: Array, x: Array, gamma: float, m: int) -> Array:
    n, d = x.shape
    diagonals, below = icf[:, :d], icf[:, d:]
    columns, rows = np.triu_indices(d, 1)
    factors = jnp.zeros((len(alphas), d, d)).at[:, rows, columns].set(below)
    factors = factors + jnp.exp(diagonals)[:, :, None] * jnp.eye(d)
    y = jnp.einsum("kij,nj->nki", factors, x) - jnp.einsum("kij,kj->ki", factors, means)
    terms = alphas + diagonals.sum(1) - 0.5 * jnp.sum(y * y, axis=2)
    likelihood = logsumexp(terms, axis=1).sum() - n * logsumexp(alphas)
    freedom = d + m + 1
    log_gammas = 0.25 * d * (d - 1) * math.log(math.pi) + gammaln(0.5 * (freedom - jnp.arange(d))).sum()
    constant = freedom * d * (jnp.log(gamma) - 0.5 * math.log(2)) - log_gammas
    prior = 0.5 * gamma**2 * (jnp.exp(2 * diagonals).sum() + (below**2).sum()) - m * diagonals.sum()
    return likelihood - 0.5 * n * d * math.log(2 * math.pi) + prior - len(alphas) * constant


def kmeans(points: Array, centres: Array) -> Array:
    """With the square multiplied out, which makes a matrix product of it: 9 times as fast."""
    squares = jnp.sum(points**2, axis=1)[:, None] + jnp.sum(centres**2, axis=1)
    return jnp.sum(jnp.min(squares - 2.0 * points @ centres.T, axis=1))


def kmeans_sparse(values: Array, columns: Array, starts: Array, centres: Array) -> Array:
    rows = jnp.searchsorted(starts, jnp.arange(len(values)), side="right") - 1
    parts = values * (values - 2.0 * centres[:, columns])
    sums = jax.vmap(lambda part: jax.ops.segment_sum(part, rows, len(starts) - 1))(parts)
    return jnp.sum(jnp.min(sums + jnp.sum(centres**2, axis=1)[:, None], axis=0))


def lstm(main: Array, extra: Array, state: Array, text: Array) -> Array:
    def step(carried: tuple[Any, ...], characters: tuple[Array, Array]) -> tuple[tuple[Any, ...], Array]:
        hidden, cell = carried
        current, following = characters
        v, new_hidden, new_cell = current * extra[0], [], []
        for j in range(len(main)):
            (wf, wi, wo, wc), (bf, bi, bo, bc) = main[j]
            forget, ingate = jax.nn.sigmoid(v * wf + bf), jax.nn.sigmoid(hidden[j] * wi + bi)
            outgate, change = jax.nn.sigmoid(v * wo + bo), jnp.tanh(hidden[j] * wc + bc)
            new_cell.append(cell[j] * forget + ingate * change)
            v = outgate * jnp.tanh(new_cell[-1])
            new_hidden.append(v)
        y = v * extra[1] + extra[2]
        loss = jnp.sum(following * (y - jnp.log(2.0 + jnp.sum(jnp.exp(y)))))
        return (tuple(new_hidden), tuple(new_cell)), loss

    start = tuple(state[:, 0]), tuple(state[:, 1])
    _, losses = lax.scan(step, start, (text[:-1], text[1:]), unroll=4)
    return -jnp.sum(losses) / ((len(text) - 1) * BITS)


def lbm_step(f: Array, omega: float) -> Array:
    shifts = ((0, 0), (0, 1), (1, 0), (0, -1), (-1, 0), (1, 1), (1, -1), (-1, -1), (-1, 1))
    shares = (4 / 9, *(1 / 9,) * 4, *(1 / 36,) * 4)
    height, width = f.shape[1:]
    pulled = [f[k, 1 - dy : height - 1 - dy, 1 - dx : width - 1 - dx] for k, (dy, dx) in enumerate(shifts)]
    rho = sum(pulled)
    u = sum(dx * p for (_, dx), p in zip(shifts, pulled, strict=True)) / rho
    v = sum(dy * p for (dy, _), p in zip(shifts, pulled, strict=True)) / rho
    energy = u * u + v * v
    after = []
    for p, share, (dy, dx) in zip(pulled, shares, shifts, strict=True):
        along = dx * u + dy * v
        after.append(p + omega * (share * rho * (1 + along * (3 + 4.5 * along) - 1.5 * energy) - p))
    return f.at[:, 1:-1, 1:-1].set(jnp.stack(after))


def lbm(f: Array, omega: float, weights: Array, steps: int) -> Array:
    final, _ = lax.scan(lambda f, _: (lbm_step(f, omega), None), f, None, length=steps)
    return jnp.sum(weights * final)


def lbm_stripmined(f: Array, omega: float, weights: Array, steps: int) -> Array:
    inner = math.isqrt(steps)

    @jax.checkpoint
    def several(f: Array, _: None) -> tuple[Array, None]:
        return lax.scan(lambda f, _: (lbm_step(f, omega), None), f, None, length=inner)

    final, _ = lax.scan(several, f, None, length=steps // inner)
    return jnp.sum(weights * final)


def interval(grids: Array, nuclides: Array, energies: Array) -> Array:
    low = jnp.zeros_like(nuclides)
    high = jnp.full_like(nuclides, grids.shape[1] - 1)
    for _ in range(math.ceil(math.log2(grids.shape[1]))):
        middle = (low + high) // 2
        is_below = grids[nuclides, middle] <= energies
        low, high = jnp.where(is_below, middle, low), jnp.where(is_below, high, middle)
    return low


def xs_lookup(
    energies: Array, materials: Array, grids: Array, sections: Array, members: Array, densities: Array
) -> Array:
    nuclides, energies = members[materials], energies[:, None]
    i = interval(lax.stop_gradient(grids), nuclides, lax.stop_gradient(energies))
    below, above = grids[nuclides, i], grids[nuclides, i + 1]
    share = ((energies - below) / (above - below))[:, :, None]
    mixed = sections[nuclides, i] + share * (sections[nuclides, i + 1] - sections[nuclides, i])
    return jnp.sum(densities[materials] * jnp.sum(mixed * mixed, axis=2))


def rs_lookup(
    energies: Array, materials: Array, poles: Array, residues: Array, radii: Array, members: Array, densities: Array
) -> Array:
    nuclides, root = members[materials], jnp.sqrt(energies)[:, None]
    windows = poles.shape[1]
    window = jnp.minimum((energies * windows).astype(int), windows - 1)[:, None]
    phase = (2 * radii[nuclides] * root)[:, :, None]
    pole, residue = poles[nuclides, window], residues[nuclides, window]
    real, imaginary = pole[..., 0] - root[:, :, None], pole[..., 1]
    scale = 1.0 / ((real * real + imaginary * imaginary) * energies[:, None, None])
    re, im = real * scale, -imaginary * scale
    cosine, sine = jnp.cos(phase), jnp.sin(phase)
    turned_re, turned_im = re * cosine + im * sine, im * cosine - re * sine
    total = residue[..., 0, 0] * turned_re - residue[..., 0, 1] * turned_im
    absorbed = residue[..., 1, 0] * re - residue[..., 1, 1] * im
    fission = residue[..., 2, 0] * re - residue[..., 2, 1] * im
    return jnp.sum(densities[materials] * jnp.sum(total + 0.5 * absorbed + 0.25 * fission, axis=2))


def product_2x2(left: Matrices, right: Matrices) -> Matrices:
    (a, b, c, d), (p, q, r, s) = left, right
    return a * p + b * r, a * q + b * s, c * p + d * r, c * q + d * s


def reduce_2x2(*elements: Array) -> Array:
    product = jnp.array([1.0, 2.0, 3.0, 4.0])
    while len(elements[0]) > 1:
        even = len(elements[0]) // 2 * 2
        pairs = product_2x2(tuple(e[0:even:2] for e in elements), tuple(e[1:even:2] for e in elements))
        elements = tuple(jnp.concatenate((pair, e[even:])) for pair, e in zip(pairs, elements, strict=True))
    return jnp.dot(product, jnp.concatenate(elements))


def scan_2x2(*arguments: Array) -> Array:
    elements, weights = arguments[:4], arguments[4]
    return sum(jnp.sum(w * e) for w, e in zip(weights, lax.associative_scan(product_2x2, elements), strict=True))


def hist_add(keys: Array, values: Array, weights: Array) -> Array:
    return jnp.sum(weights * jax.ops.segment_sum(values, keys, BINS))


def hist_mul(keys: Array, values: Array, weights: Array) -> Array:
    return jnp.sum(weights * jnp.exp(jax.ops.segment_sum(jnp.log(values), keys, BINS)))


def hist_min(keys: Array, values: Array, weights: Array) -> Array:
    return jnp.sum(weights * jax.ops.segment_min(values, keys, BINS))


PROGRAMS: dict[str, Callable[..., Array]] = {
    "gmm": gmm,
    "kmeans": kmeans,
    "kmeans_sparse": kmeans_sparse,
    "lstm": lstm,
    "matmul": lambda a, b, weights: jnp.sum(weights * (a @ b)),
    "lbm": lbm,
    "lbm_stripmined": lbm_stripmined,
    "xs_lookup": xs_lookup,
    "rs_lookup": rs_lookup,
    "reduce_add": jnp.sum,
    "reduce_mul": jnp.prod,
    "reduce_min": jnp.min,
    "reduce_2x2": reduce_2x2,
    "scan_add": lambda x, weights: jnp.sum(weights * jnp.cumsum(x)),
    "scan_mul": lambda x, weights: jnp.sum(weights * jnp.cumprod(x)),
    "scan_min": lambda x, weights: jnp.sum(weights * lax.cummin(x)),
    "scan_2x2": scan_2x2,
    "hist_add": hist_add,
    "hist_mul": hist_mul,
    "hist_min": hist_min,
}
