"""Inputs of the problems of GradBench in growing sizes, as the suite sends them, with data of our own."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

Sizes = tuple[int, ...]
Input = dict[str, Any]


def llsq(random: np.random.Generator, m: int, n: int) -> Input:
    return {"x": random.random(m), "n": n}


def lse(random: np.random.Generator, n: int) -> Input:
    return {"x": random.random(n)}


def det(random: np.random.Generator, ell: int) -> Input:
    return {"A": random.random(ell * ell), "ell": ell}


def gmm(random: np.random.Generator, d: int, k: int, n: int) -> Input:
    parameters = {"alpha": random.normal(size=k), "mu": random.random((k, d)), "q": random.normal(size=(k, d))}
    triangles = random.normal(size=(k, d * (d - 1) // 2))
    numbers = {"d": d, "k": k, "n": n, "m": 0, "gamma": 1.0}
    return numbers | parameters | {"l": triangles, "x": random.normal(size=(n, d))}


def ba(random: np.random.Generator, n: int, m: int, p: int) -> Input:
    camera = np.array([0.1, 0.2, 0.3, 1, -1, 2, 100, 5, -5, 0.01, 0.001])
    return {"n": n, "m": m, "p": p, "cam": camera, "x": [3, 2, 10], "w": 0.5, "feat": [20, 30]}


def ht(random: np.random.Generator, vertices: int, points: int) -> Input:
    def affine() -> np.ndarray:
        matrices = np.tile(np.eye(4), (22, 1, 1))
        matrices[:, :3] += 0.1 * random.normal(size=(22, 3, 4))
        return matrices

    fingers = [parent for finger in range(5) for parent in (0, *range(4 * finger + 1, 4 * finger + 4))]
    model = {
        "parents": [-1, *fingers, 0],
        "base_relatives": affine(),
        "inverse_base_absolutes": affine(),
        "base_positions": np.append(random.normal(size=(vertices, 3)), np.ones((vertices, 1)), axis=1),
        "weights": random.dirichlet(np.ones(22), size=vertices),
        "triangles": random.integers(vertices, size=(1084, 3)),
        "is_mirrored": False,
    }
    places = random.integers(1084, size=points)
    data = {"model": model, "correspondences": places, "points": random.normal(size=(points, 3))}
    return {"theta": 0.1 * random.normal(size=26), "us": random.random((points, 2)).tolist(), "data": data}


def lstm(random: np.random.Generator, layers: int, characters: int) -> Input:
    return {
        "main_params": random.random((2 * layers, 56)),
        "extra_params": random.random((3, 14)),
        "state": random.random((2 * layers, 14)),
        "sequence": random.integers(2, size=(characters, 14)),
    }


def kmeans(random: np.random.Generator, k: int, n: int, d: int) -> Input:
    points = random.random((n, d))
    return {"points": points, "centroids": points[-k:]}


def ode(random: np.random.Generator, n: int, s: int) -> Input:
    return {"x": random.random(n), "s": s}


def particle(random: np.random.Generator) -> Input:
    return {"w": 0.0}


def saddle(random: np.random.Generator) -> Input:
    return {"start": [1.0, 1.0]}


INPUTS: dict[str, Callable[..., Input]] = {
    each.__name__: each for each in (llsq, lse, det, gmm, ba, ht, lstm, kmeans, ode, particle, saddle)
}
# Small, middle and large ones; the largest are those of the suite, or near them.
SIZES: dict[str, tuple[Sizes, ...]] = {
    "llsq": ((128, 16), (128, 512), (128, 16392)),
    "lse": ((2500,), (40000,), (1280000,)),
    "det": ((5,), (8,), (10,)),
    "gmm": ((2, 5, 1000), (10, 25, 1000), (32, 50, 1000)),
    "ba": ((49, 7776, 31843), (161, 48126, 182072)),
    "ht": ((544, 100), (10000, 1600), (10000, 25600)),
    "lstm": ((2, 1024), (4, 4096)),
    "kmeans": ((10, 1000, 8), (100, 1000, 16), (100, 10000, 16)),
    "ode": ((1000, 1), (1000, 100), (100000, 100)),
    "particle": ((),),
    "saddle": ((),),
}


def make_input(problem: str, size: Sizes) -> Input:
    """The input of a problem for a size; the same each time."""
    return INPUTS[problem](np.random.default_rng(31337), *size)
