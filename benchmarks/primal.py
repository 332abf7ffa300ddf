"""How fast are compiled programs without differentiation? Against C and JAX on one core, and with two threads.

`python benchmarks/primal.py [--quick] [--only PATTERN] [--json FILE]`. Kernels are compiled with `checks="off"`.
"""

import ctypes
import os
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

ALL_CORES = os.sched_getaffinity(0)
os.sched_setaffinity(0, {min(ALL_CORES)})
os.environ["XLA_FLAGS"] = "--xla_cpu_multi_thread_eigen=false intra_op_parallelism_threads=1"
os.environ["JAX_ENABLE_X64"] = "1"

import numpy as np  # noqa: E402
import primal_peers  # noqa: E402
import primal_programs  # noqa: E402
from harness import Run  # noqa: E402

import tapeless as tl  # noqa: E402


@dataclass(frozen=True)
class Case:
    """A program, its arguments at full and quick size, and what is expected of it."""

    name: str
    arguments: Callable[[np.random.Generator, int], tuple[Any, ...]]
    size: int
    quick_size: int
    scales: bool = True
    beats_jax: bool = True


def vectors(count: int) -> Callable[[np.random.Generator, int], tuple[Any, ...]]:
    return lambda rng, n: tuple(rng.normal(size=n) for _ in range(count))


def clusters(rng: np.random.Generator, n: int) -> tuple[Any, ...]:
    return rng.normal(size=(n, 8)), rng.normal(size=(32, 8))


def mixture(rng: np.random.Generator, n: int) -> tuple[Any, ...]:
    return rng.normal(size=(n, 10)), rng.normal(size=25), rng.normal(size=(25, 10)), rng.uniform(0.5, 2, (25, 10))


CASES = (
    Case("saxpy", lambda rng, n: (1.5, *vectors(2)(rng, n)), 1_000_000, 20_000, scales=False),
    Case("dot", vectors(2), 1_000_000, 20_000, scales=False),
    Case("logsumexp", lambda rng, n: (rng.normal(size=(n, 1000)),), 1000, 50),
    Case("stencil", vectors(1), 100_000, 5_000, scales=False),
    Case("matmul", lambda rng, n: (rng.normal(size=(n, n)), rng.normal(size=(n, n))), 512, 64, beats_jax=False),
    Case("histogram", lambda rng, n: (rng.integers(0, 256, n), rng.normal(size=n)), 1_000_000, 20_000),
    Case("prefix_sum", vectors(1), 1_000_000, 20_000, scales=False),
    Case("kmeans", clusters, 20_000, 1_000),
    Case("gmm", mixture, 10_000, 500),
)


def measure(run: Run, case: Case, library: ctypes.CDLL) -> None:
    """One program: on one core against its peers, then with one and two threads against itself."""
    n = case.quick_size if run.quick else case.size
    arguments = case.arguments(np.random.default_rng(0), n)
    program, label = getattr(primal_programs, case.name), f"n={n}"
    kernels = [tl.compile(program, arguments, threads=threads, checks="off") for threads in (1, 2)]
    single, double = (partial(kernel, *arguments) for kernel in kernels)
    peers = {
        "c": primal_peers.in_c(library, case.name, arguments),
        "jax": primal_peers.in_jax(case.name, arguments),
    }
    times = run.compare(case.name, label, {"tapeless": single, **peers}, rtol=1e-8, atol=1e-8)
    run.bar(case.name, label, "ratio_to_c", times["tapeless"] / times["c"], at_most=1.10)
    ratio_to_jax = times["tapeless"] / times["jax"]
    if case.beats_jax:
        run.bar(case.name, label, "ratio_to_jax", ratio_to_jax, at_most=1.0)
    else:
        run.record(case.name, label, "ratio_to_jax", ratio_to_jax, "")
    if len(ALL_CORES) > 1:
        measure_threads(run, case, label, single, double)


def measure_threads(run: Run, case: Case, label: str, single: Callable[[], Any], double: Callable[[], Any]) -> None:
    os.sched_setaffinity(0, ALL_CORES)
    times = run.compare(case.name, label, {"threads=1": single, "threads=2": double}, threads=2)
    os.sched_setaffinity(0, {min(ALL_CORES)})
    speedup = times["threads=1"] / times["threads=2"]
    if case.scales and not run.quick:
        run.bar(case.name, label, "speedup_of_2_threads", speedup, at_least=1.6, threads=2)
    else:
        run.record(case.name, label, "speedup_of_2_threads", speedup, "", threads=2)


def main() -> None:
    run = Run.from_command_line("primal")
    with tempfile.TemporaryDirectory() as folder:
        library = primal_peers.compiled_c(Path(folder))
        for case in CASES:
            if run.wants(case.name):
                measure(run, case, library)
    run.finish()


if __name__ == "__main__":
    main()
