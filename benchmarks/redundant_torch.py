"""The programs of the redundant benchmark in PyTorch, with the same arguments."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable

import numpy as np
import torch
from redundant_data import BINS, BITS
from torch import Tensor
from torch.utils.checkpoint import checkpoint

Matrices = tuple[Tensor, Tensor, Tensor, Tensor]


def gmm(alphas: Tensor, means: Tensor, icf: Tensor, x: Tensor, gamma: Tensor, m: int) -> Tensor:
    n, d = x.shape
    diagonals, below = icf[:, :d], icf[:, d:]
    columns, rows = np.triu_indices(d, 1)
    factors = torch.zeros(len(alphas), d, d, dtype=x.dtype)
    factors[:, rows, columns] = below
    factors = factors + torch.diag_embed(torch.exp(diagonals))
    y = torch.einsum("kij,nj->nki", factors, x) - torch.einsum("kij,kj->ki", factors, means)
    terms = alphas + diagonals.sum(1) - 0.5 * torch.sum(y * y, dim=2)
    likelihood = torch.logsumexp(terms, 1).sum() - n * torch.logsumexp(alphas, 0)
    freedom = d + m + 1
    log_gammas = (
        0.25 * d * (d - 1) * math.log(math.pi) + torch.lgamma(0.5 * (freedom - torch.arange(d, dtype=x.dtype))).sum()
    )
    constant = freedom * d * (torch.log(gamma) - 0.5 * math.log(2)) - log_gammas
    prior = 0.5 * gamma**2 * (torch.exp(2 * diagonals).sum() + (below**2).sum()) - m * diagonals.sum()
    return likelihood - 0.5 * n * d * math.log(2 * math.pi) + prior - len(alphas) * constant


def kmeans(points: Tensor, centres: Tensor) -> Tensor:
    """With the square multiplied out, which makes a matrix product of it: 20 times as fast."""
    squares = torch.sum(points**2, dim=1)[:, None] + torch.sum(centres**2, dim=1)
    return torch.sum(torch.min(squares - 2.0 * points @ centres.T, dim=1).values)


def kmeans_sparse(values: Tensor, columns: Tensor, starts: Tensor, centres: Tensor) -> Tensor:
    rows = torch.repeat_interleave(torch.arange(len(starts) - 1), torch.diff(starts))
    parts = values * (values - 2.0 * centres[:, columns])
    sums = torch.zeros(len(centres), len(starts) - 1, dtype=values.dtype).index_add(1, rows, parts)
    return torch.sum(torch.min(sums + torch.sum(centres**2, dim=1)[:, None], dim=0).values)


def lstm(main: Tensor, extra: Tensor, state: Tensor, text: Tensor) -> Tensor:
    hidden, cell = list(state[:, 0]), list(state[:, 1])
    loss = torch.zeros((), dtype=text.dtype)
    for current, following in itertools.pairwise(text):
        v = current * extra[0]
        for j in range(len(main)):
            (wf, wi, wo, wc), (bf, bi, bo, bc) = main[j]
            forget, ingate = torch.sigmoid(v * wf + bf), torch.sigmoid(hidden[j] * wi + bi)
            outgate, change = torch.sigmoid(v * wo + bo), torch.tanh(hidden[j] * wc + bc)
            cell[j] = cell[j] * forget + ingate * change
            v = outgate * torch.tanh(cell[j])
            hidden[j] = v
        y = v * extra[1] + extra[2]
        loss = loss + torch.sum(following * (y - torch.log(2.0 + torch.sum(torch.exp(y)))))
    return -loss / ((len(text) - 1) * BITS)


def lbm_step(f: Tensor, omega: Tensor) -> Tensor:
    shifts = ((0, 0), (0, 1), (1, 0), (0, -1), (-1, 0), (1, 1), (1, -1), (-1, -1), (-1, 1))
    shares = (4 / 9, *(1 / 9,) * 4, *(1 / 36,) * 4)
    height, width = f.shape[1:]
    pulled = [f[k, 1 - dy : height - 1 - dy, 1 - dx : width - 1 - dx] for k, (dy, dx) in enumerate(shifts)]
    rho = sum(pulled)
    u = sum(dx * p for (_, dx), p in zip(shifts, pulled, strict=True) if dx) / rho
    v = sum(dy * p for (dy, _), p in zip(shifts, pulled, strict=True) if dy) / rho
    energy = u * u + v * v
    after = []
    for p, share, (dy, dx) in zip(pulled, shares, shifts, strict=True):
        along = dx * u + dy * v
        after.append(p + omega * (share * rho * (1 + along * (3 + 4.5 * along) - 1.5 * energy) - p))
    result = f.clone()
    result[:, 1:-1, 1:-1] = torch.stack(after)
    return result


def lbm_steps(f: Tensor, omega: Tensor, steps: int) -> Tensor:
    for _ in range(steps):
        f = lbm_step(f, omega)
    return f


def lbm(f: Tensor, omega: Tensor, weights: Tensor, steps: int) -> Tensor:
    return torch.sum(weights * lbm_steps(f, omega, steps))


def lbm_stripmined(f: Tensor, omega: Tensor, weights: Tensor, steps: int) -> Tensor:
    inner = math.isqrt(steps)
    for _ in range(steps // inner):
        f = checkpoint(lbm_steps, f, omega, inner, use_reentrant=False)
    return torch.sum(weights * f)


def interval(grids: Tensor, nuclides: Tensor, energies: Tensor) -> Tensor:
    low = torch.zeros_like(nuclides)
    high = torch.full_like(nuclides, grids.shape[1] - 1)
    for _ in range(math.ceil(math.log2(grids.shape[1]))):
        middle = (low + high) // 2
        is_below = grids[nuclides, middle] <= energies
        low, high = torch.where(is_below, middle, low), torch.where(is_below, high, middle)
    return low


def xs_lookup(
    energies: Tensor, materials: Tensor, grids: Tensor, sections: Tensor, members: Tensor, densities: Tensor
) -> Tensor:
    nuclides, energies = members[materials], energies[:, None]
    i = interval(grids.detach(), nuclides, energies.detach())
    below, above = grids[nuclides, i], grids[nuclides, i + 1]
    share = ((energies - below) / (above - below))[:, :, None]
    left = sections[nuclides, i]
    mixed = left + share * (sections[nuclides, i + 1] - left)
    return torch.sum(densities[materials] * torch.sum(mixed * mixed, dim=2))


def rs_lookup(
    energies: Tensor,
    materials: Tensor,
    poles: Tensor,
    residues: Tensor,
    radii: Tensor,
    members: Tensor,
    densities: Tensor,
) -> Tensor:
    nuclides, root = members[materials], torch.sqrt(energies)[:, None]
    windows = poles.shape[1]
    window = torch.clamp((energies.detach() * windows).long(), max=windows - 1)[:, None]
    phase = (2 * radii[nuclides] * root)[:, :, None]
    pole, residue = poles[nuclides, window], residues[nuclides, window]
    real, imaginary = pole[..., 0] - root[:, :, None], pole[..., 1]
    scale = 1.0 / ((real * real + imaginary * imaginary) * energies[:, None, None])
    re, im = real * scale, -imaginary * scale
    cosine, sine = torch.cos(phase), torch.sin(phase)
    turned_re, turned_im = re * cosine + im * sine, im * cosine - re * sine
    total = residue[..., 0, 0] * turned_re - residue[..., 0, 1] * turned_im
    absorbed = residue[..., 1, 0] * re - residue[..., 1, 1] * im
    fission = residue[..., 2, 0] * re - residue[..., 2, 1] * im
    return torch.sum(densities[materials] * torch.sum(total + 0.5 * absorbed + 0.25 * fission, dim=2))


def product_2x2(left: Matrices, right: Matrices) -> Matrices:
    (a, b, c, d), (p, q, r, s) = left, right
    return a * p + b * r, a * q + b * s, c * p + d * r, c * q + d * s


def reduce_2x2(*elements: Tensor) -> Tensor:
    while len(elements[0]) > 1:
        even = len(elements[0]) // 2 * 2
        pairs = product_2x2(tuple(e[0:even:2] for e in elements), tuple(e[1:even:2] for e in elements))
        elements = tuple(torch.cat((pair, e[even:])) for pair, e in zip(pairs, elements, strict=True))
    return sum(k * e[0] for k, e in enumerate(elements, start=1))


def scan_2x2(*arguments: Tensor) -> Tensor:
    """By doubling: after each round, every element holds the product of twice as many."""
    elements, weights = arguments[:4], arguments[4]
    span = 1
    while span < len(elements[0]):
        longer = product_2x2(tuple(e[:-span] for e in elements), tuple(e[span:] for e in elements))
        elements = tuple(torch.cat((e[:span], part)) for e, part in zip(elements, longer, strict=True))
        span *= 2
    return sum(torch.sum(w * e) for w, e in zip(weights, elements, strict=True))


def hist(keys: Tensor, values: Tensor, weights: Tensor, reduction: str, neutral: float) -> Tensor:
    bins = torch.full((BINS,), neutral, dtype=values.dtype)
    return torch.sum(weights * bins.scatter_reduce(0, keys, values, reduction))


PROGRAMS: dict[str, Callable[..., Tensor]] = {
    "gmm": gmm,
    "kmeans": kmeans,
    "kmeans_sparse": kmeans_sparse,
    "lstm": lstm,
    "matmul": lambda a, b, weights: torch.sum(weights * (a @ b)),
    "lbm": lbm,
    "lbm_stripmined": lbm_stripmined,
    "xs_lookup": xs_lookup,
    "rs_lookup": rs_lookup,
    "reduce_add": torch.sum,
    "reduce_mul": torch.prod,
    "reduce_min": torch.min,
    "reduce_2x2": reduce_2x2,
    "scan_add": lambda x, weights: torch.sum(weights * torch.cumsum(x, 0)),
    "scan_mul": lambda x, weights: torch.sum(weights * torch.cumprod(x, 0)),
    "scan_min": lambda x, weights: torch.sum(weights * torch.cummin(x, 0).values),
    "scan_2x2": scan_2x2,
    "hist_add": lambda keys, values, weights: hist(keys, values, weights, "sum", 0.0),
    "hist_mul": lambda keys, values, weights: hist(keys, values, weights, "prod", 1.0),
    "hist_min": lambda keys, values, weights: hist(keys, values, weights, "amin", math.inf),
}
