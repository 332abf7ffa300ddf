"""Programs written as procedures: derivatives against the redundant method's, and against running them forward."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import redundant_data as data
import redundant_programs as ordinary
from harness import Run

import tapeless as tl
from running_back import procedures, sparse

Arguments = tuple[Any, ...]
WITHIN = 1.3
MOST_BACK = 3.0
# Procedures are not contracted to fused multiply-adds unless one asks for it; ordinary functions are.
STRICT, LIKE_REDUNDANT = "as written", "contracted"
FLAGS: dict[str, Any] = {STRICT: {}, LIKE_REDUNDANT: {"fastmath": ("contract",)}}


def measure(run: Run, folder: Path | None) -> None:
    for name, make, plain, written in DERIVATIVES:
        if run.wants(name):
            beside_redundant(run, name, make(run.quick, folder), plain, written)
    for name, make_sparse, program, wrt in SPARSE:
        if run.wants(name):
            back_and_forth(run, name, make_sparse(run.quick), program, wrt)


def beside_redundant(run: Run, name: str, arguments: Arguments, plain: Any, written: Any) -> None:
    """The same derivative of the ordinary function and of the procedure, with and without contraction."""
    size = "x".join(map(str, np.shape(arguments[3])))
    calls = {"redundant": partial(tl.compile(plain, arguments, checks="off"), *arguments)}
    for flags, options in FLAGS.items():
        calls[flags] = partial(tl.compile(written, arguments, checks="off", **options), *arguments)
    times = run.compare(name, size, calls, rtol=1e-8, atol=1e-8, metric="derivative_s")
    run.record(name, size, "time_to_redundant", times[STRICT] / times["redundant"], "", contestant=STRICT)
    ratio = times[LIKE_REDUNDANT] / times["redundant"]
    run.bar(name, size, "time_to_redundant", ratio, at_most=WITHIN, contestant=LIKE_REDUNDANT)


def back_and_forth(run: Run, name: str, arguments: Arguments, program: Any, wrt: tuple[int, ...]) -> None:
    """Value and gradient, beside the value alone."""
    size = f"{len(arguments[0]) - 1} columns"
    value = tl.compile(program, arguments, checks="off")
    both = tl.compile(tl.value_and_grad(program, argnums=wrt), arguments, checks="off")
    primal = run.compare(name, size, {"tapeless": partial(value, *arguments)})
    times = run.compare(name, size, {"tapeless": partial(both, *arguments)}, metric="gradient_s")
    run.bar(name, size, "overhead", times["tapeless"] / primal["tapeless"], at_most=MOST_BACK, method="reversible")


def mixture(sizes: tuple[int, int, int], file: str) -> Callable[[bool, Path | None], Arguments]:
    def make(quick: bool, folder: Path | None) -> Arguments:
        if folder and not quick:
            return data.gmm_file(folder / "gmm" / "1k" / file)
        return data.gmm_random(np.random.default_rng(0), *((50, 4, 3) if quick else sizes))

    return make


def bundle(quick: bool, folder: Path | None) -> Arguments:
    """Cameras, points, weights, features, and which camera sees which point; ADBench's file holds one of each."""
    cameras, points, count = (4, 20, 50) if quick else (49, 7776, 31843)
    if folder and not quick:
        lines = (folder / "ba" / "ba1_n49_m7776_p31843.txt").read_text().splitlines()
        camera, point, weight, feature = (np.array(line.split(), dtype=float) for line in lines[1:5])
    else:
        camera = np.array([0.1, 0.2, 0.3, 1.0, -1.0, 2.0, 100.0, 5.0, -5.0, 0.01, 0.001])
        point, weight, feature = np.array([3.0, 2.0, 10.0]), np.array([0.5]), np.array([20.0, 30.0])
    repeated = np.tile(camera, (cameras, 1)), np.tile(point, (points, 1)), np.repeat(weight, count)
    return *repeated, np.tile(feature, (count, 1)), np.arange(count) % cameras, np.arange(count) % points


def matrix_and_vectors(quick: bool) -> Arguments:
    rng, n = np.random.default_rng(0), 100 if quick else 1_000
    return *sparse.compressed(rng, n, 0.05), rng.normal(size=n), rng.normal(size=n)


def matrices(quick: bool) -> Arguments:
    rng, n = np.random.default_rng(0), 100 if quick else 1_000
    return *sparse.compressed(rng, n, 0.05), *sparse.compressed(rng, n, 0.05)


GMM = tuple(tl.value_and_grad(program, argnums=(0, 1, 2)) for program in (ordinary.gmm, procedures.gmm))
DERIVATIVES: tuple[tuple[str, Callable[[bool, Path | None], Arguments], Any, Any], ...] = (
    ("gmm_d10_K25", mixture((1000, 10, 25), "gmm_d10_K25.txt"), *GMM),
    ("gmm_d64_K5", mixture((1000, 64, 5), "gmm_d64_K5.txt"), *GMM),
    ("bundle_adjustment", bundle, procedures.plain_ba, procedures.ba),
)
SPARSE: tuple[tuple[str, Callable[[bool], Arguments], Any, tuple[int, ...]], ...] = (
    ("sparse_matvec", matrix_and_vectors, sparse.matvec, (2, 3)),
    ("sparse_dot", matrices, sparse.dot, (2, 5)),
)
