"""The rows of the redundant benchmark: programs, sizes, what is differentiated, and the bars they must meet."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import redundant_data as data
import redundant_operators as operators
import redundant_physics as physics
import redundant_programs as programs

Rng = np.random.Generator
Arguments = tuple[Any, ...]
PLAIN = ("jax", "torch")


@dataclass(frozen=True)
class Case:
    """A program at full and quick size.

    `sizes` are passed to `arguments` after the random generator. `overhead` and `memory` bound the gradient's time and
    bytes as multiples of the primal's, `peer_ratio` its time as a multiple of the fastest of `peers`.
    """

    name: str
    program: Callable[..., Any]
    arguments: Callable[..., Arguments]
    sizes: tuple[int, ...]
    quick_sizes: tuple[int, ...]
    wrt: tuple[int, ...]
    overhead: float | None = None
    memory: float | None = None
    peer_ratio: float = 1.0
    peers: tuple[str, ...] = ("jax", "torch", "torch.compile")
    data_file: str = ""
    read: Callable[[Path], Arguments] | None = None

    def sizes_for(self, quick: bool) -> tuple[int, ...]:
        return self.quick_sizes if quick else self.sizes

    def make_arguments(self, quick: bool, folder: Path | None) -> Arguments:
        """From the data folder if there is one and the case has a file in it, else random."""
        if folder and self.read and not quick:
            return self.read(folder / self.data_file)
        return self.arguments(np.random.default_rng(0), *self.sizes_for(quick))


gmm = partial(
    Case, program=programs.gmm, arguments=data.gmm_random, wrt=(0, 1, 2), quick_sizes=(50, 4, 3), read=data.gmm_file
)


def one_array(maker: Callable[[Rng, int], np.ndarray]) -> Callable[[Rng, int], Arguments]:
    return lambda rng, n: (maker(rng, n),)


def weighted_scan(maker: Callable[[Rng, int], np.ndarray]) -> Callable[[Rng, int], Arguments]:
    return lambda rng, n: (maker(rng, n), rng.normal(size=n))


def weighted_bins(maker: Callable[[Rng, int], np.ndarray]) -> Callable[[Rng, int], Arguments]:
    return lambda rng, n: (data.keys_of(rng, n), maker(rng, n), rng.normal(size=data.BINS))


def normal(rng: Rng, n: int) -> np.ndarray:
    return rng.normal(size=n)


def factors_and_weights(rng: Rng, n: int) -> Arguments:
    return tuple(rng.normal(size=(n, n)) for _ in range(3))


LEARNING = (
    gmm("gmm_d10_K25", sizes=(1000, 10, 25), overhead=3.0, peer_ratio=1 / 1.5, data_file="gmm/1k/gmm_d10_K25.txt"),
    gmm("gmm_d64_K5", sizes=(1000, 64, 5), overhead=3.0, peer_ratio=3.0, data_file="gmm/1k/gmm_d64_K5.txt"),
    gmm("gmm_d64_K50", sizes=(1000, 64, 50), overhead=3.0, peer_ratio=3.0, data_file="gmm/1k/gmm_d64_K50.txt"),
    Case("kmeans", programs.kmeans, data.clusters, (20_000, 8, 32), (300, 4, 5), (1,), overhead=3.0),
    Case(
        "kmeans_sparse",
        programs.kmeans_sparse,
        data.sparse_clusters,
        (10_000, 400, 10),
        (100, 40, 3),
        (3,),
        overhead=3.0,
        peers=PLAIN,
    ),
    Case(
        "lstm",
        programs.lstm,
        data.lstm_random,
        (2, 1024),
        (2, 20),
        (0, 1),
        overhead=3.5,
        peer_ratio=3.0,
        peers=PLAIN,
        data_file="lstm/lstm_l2_c1024.txt",
        read=data.lstm_file,
    ),
    Case("matmul", programs.matmul, factors_and_weights, (384,), (32,), (0, 1), peer_ratio=3.0),
)

PHYSICS = (
    Case("lbm", physics.lbm, data.flow, (128, 100), (16, 9), (0, 1), overhead=4.0, peers=PLAIN),
    Case(
        "lbm_stripmined",
        physics.lbm_stripmined,
        data.flow,
        (128, 100),
        (16, 9),
        (0, 1),
        overhead=4.0,
        memory=9.0,
        peers=PLAIN,
    ),
    Case("xs_lookup", physics.xs_lookup, data.pointwise_tables, (10_000, 60, 1000), (50, 12, 30), (2, 3, 5), 4.0),
    Case("rs_lookup", physics.rs_lookup, data.multipole_tables, (10_000, 60, 100), (50, 12, 10), (2, 3, 4, 6), 4.0),
)

MILLION, FIFTH = ((1_000_000,), (2000,)), ((200_000,), (500,))
OPERATORS = (
    Case("reduce_add", operators.reduce_add, one_array(normal), *MILLION, (0,), overhead=3.0),
    Case("reduce_mul", operators.reduce_mul, one_array(data.near_one), *MILLION, (0,), overhead=3.0),
    Case("reduce_min", operators.reduce_min, one_array(normal), *MILLION, (0,), overhead=3.0),
    Case("reduce_2x2", operators.reduce_2x2, data.matrices, *FIFTH, (0, 1, 2, 3), peers=PLAIN),
    Case("scan_add", operators.scan_add, weighted_scan(normal), *MILLION, (0,), overhead=3.0),
    Case("scan_mul", operators.scan_mul, weighted_scan(data.near_one), *MILLION, (0,), overhead=3.0),
    Case("scan_min", operators.scan_min, weighted_scan(normal), *MILLION, (0,), overhead=3.0),
    Case("scan_2x2", operators.scan_2x2, data.weighted_matrices, *FIFTH, (0, 1, 2, 3), overhead=6.0, peers=PLAIN),
    Case("hist_add", operators.hist_add, weighted_bins(normal), *MILLION, (1,), overhead=3.0),
    Case("hist_mul", operators.hist_mul, weighted_bins(data.near_one), *MILLION, (1,), overhead=3.0),
    Case("hist_min", operators.hist_min, weighted_bins(normal), *MILLION, (1,), overhead=3.0),
    Case("hist_2x2", operators.hist_2x2, data.keyed_matrices, *FIFTH, (1, 2, 3, 4), peers=()),
)

CASES = (*LEARNING, *PHYSICS, *OPERATORS)


@dataclass(frozen=True)
class SecondOrder:
    """A gradient and its derivative along a direction, in multiples of the gradient alone and of the fastest peer."""

    name: str
    first: Case
    program: Callable[..., Any]
    takes_direction: bool
    ratio_to_gradient: float | None = None


SECOND_ORDER = (
    SecondOrder(
        "gmm_hvp_d10_K5",
        gmm("gmm_d10_K5", sizes=(1000, 10, 5), data_file="gmm/1k/gmm_d10_K5.txt"),
        programs.gmm_hvp,
        takes_direction=True,
        ratio_to_gradient=3.0,
    ),
    SecondOrder("kmeans_newton", LEARNING[3], programs.kmeans_newton, takes_direction=False),
    SecondOrder("kmeans_sparse_newton", LEARNING[4], programs.kmeans_sparse_newton, takes_direction=False),
)
