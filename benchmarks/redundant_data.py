"""Arguments of the redundant benchmark's programs: seeded random ones, or the files of ADBench."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

Arguments = tuple[Any, ...]
BINS = 256
BITS = 14


def gmm_random(rng: np.random.Generator, n: int, d: int, k: int) -> Arguments:
    """A mixture of the shapes ADBench has."""
    icf = 0.3 * rng.normal(size=(k, d * (d + 1) // 2))
    return rng.normal(size=k), rng.normal(size=(k, d)), icf, rng.normal(size=(n, d)), 1.0, 0


def gmm_file(path: Path) -> Arguments:
    """The mixture of an ADBench file."""
    numbers = np.array(path.read_text().split(), dtype=float)
    d, k, n = (int(number) for number in numbers[:3])
    sizes = np.cumsum([k, k * d, k * d * (d + 1) // 2, n * d])
    alphas, means, icf, x, rest = np.split(numbers[3:], sizes)
    return alphas, means.reshape(k, d), icf.reshape(k, -1), x.reshape(n, d), float(rest[0]), int(rest[1])


def lstm_random(rng: np.random.Generator, layers: int, characters: int) -> Arguments:
    """A network and a text of the shapes ADBench has."""
    main, extra = 0.5 * rng.normal(size=(layers, 2, 4, BITS)), 0.5 * rng.normal(size=(3, BITS))
    text = rng.integers(0, 2, size=(characters, BITS)).astype(float)
    return main, extra, 0.5 * rng.normal(size=(layers, 2, BITS)), text


def lstm_file(path: Path) -> Arguments:
    """The network and text of an ADBench file."""
    numbers = np.array(path.read_text().split(), dtype=float)
    layers, characters, bits = (int(number) for number in numbers[:3])
    sizes = np.cumsum([8 * layers * bits, 3 * bits, 2 * layers * bits])
    main, extra, state, text = np.split(numbers[3:], sizes)
    shapes = (layers, 2, 4, bits), (3, bits), (layers, 2, bits), (characters, bits)
    return tuple(part.reshape(shape) for part, shape in zip((main, extra, state, text), shapes, strict=True))


def clusters(rng: np.random.Generator, n: int, d: int, k: int) -> Arguments:
    return rng.normal(size=(n, d)), rng.normal(size=(k, d))


def sparse_clusters(rng: np.random.Generator, n: int, d: int, k: int) -> Arguments:
    """Points in compressed rows, about 5% of their coordinates non-zero."""
    filled = rng.uniform(size=(n, d)) < 0.05
    rows, columns = np.nonzero(filled)
    starts = np.concatenate(([0], np.cumsum(np.bincount(rows, minlength=n))))
    return rng.normal(size=len(columns)), columns, starts, rng.normal(size=(k, d))


def flow(rng: np.random.Generator, side: int, steps: int) -> Arguments:
    """Populations near equilibrium at rest."""
    shares = np.array([4 / 9] + [1 / 9] * 4 + [1 / 36] * 4)[:, None, None]
    f = shares * (1.0 + 0.1 * rng.uniform(size=(9, side, side)))
    return f, 1.2, rng.normal(size=f.shape), steps


def pointwise_tables(rng: np.random.Generator, lookups: int, nuclides: int, points: int) -> Arguments:
    """Energies in [0, 1], grids that cover them, 12 materials of 8 nuclides."""
    grids = np.sort(rng.uniform(size=(nuclides, points)), axis=1)
    grids[:, 0], grids[:, -1] = 0.0, 1.0
    members, densities = materials_of(rng, nuclides)
    energies, materials = rng.uniform(0.001, 0.999, size=lookups), rng.integers(0, 12, size=lookups)
    return energies, materials, grids, rng.uniform(0.5, 1.5, size=(nuclides, points, 5)), members, densities


def multipole_tables(rng: np.random.Generator, lookups: int, nuclides: int, windows: int) -> Arguments:
    """Four poles a window, off the real axis."""
    poles = np.stack(
        (rng.uniform(size=(nuclides, windows, 4)), rng.uniform(0.05, 0.2, size=(nuclides, windows, 4))), axis=-1
    )
    residues, radii = rng.normal(size=(nuclides, windows, 4, 3, 2)), rng.uniform(0.5, 2.0, size=nuclides)
    energies, materials = rng.uniform(0.05, 1.0, size=lookups), rng.integers(0, 12, size=lookups)
    return energies, materials, poles, residues, radii, *materials_of(rng, nuclides)


def materials_of(rng: np.random.Generator, nuclides: int) -> tuple[np.ndarray, np.ndarray]:
    """Which nuclides make up each of 12 materials, and how much there is of each."""
    members = np.stack([rng.choice(nuclides, size=8, replace=False) for _ in range(12)])
    return members, rng.uniform(0.1, 1.0, size=members.shape)


def near_one(rng: np.random.Generator, n: int) -> np.ndarray:
    """Factors whose products stay moderate."""
    return np.exp(rng.normal(size=n) / np.sqrt(n))


def matrices(rng: np.random.Generator, n: int) -> tuple[np.ndarray, ...]:
    """The four elements of 2x2 matrices near the identity."""
    return tuple((k in (0, 3)) + rng.normal(size=n) / n**0.5 / 4 for k in range(4))


def keys_of(rng: np.random.Generator, n: int) -> np.ndarray:
    return rng.integers(0, BINS, size=n)


def weighted_matrices(rng: np.random.Generator, n: int) -> Arguments:
    return *matrices(rng, n), rng.normal(size=(4, n))


def keyed_matrices(rng: np.random.Generator, n: int) -> Arguments:
    return keys_of(rng, n), *matrices(rng, n), rng.normal(size=(4, BINS))
