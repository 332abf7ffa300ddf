"""How fast are gradients of programs made of loops, branches and numbers? Our methods, JAX and PyTorch, on one core.

`python benchmarks/coarsened.py [--quick] [--only PATTERN] [--json FILE]`. Every row: the gradient alone, since what
only the value needs may be left out, by every contestant in the same rounds, with results compared.
"""

import importlib.util
import os
import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
os.environ["XLA_FLAGS"] = "--xla_cpu_multi_thread_eigen=false intra_op_parallelism_threads=1"
os.environ["JAX_ENABLE_X64"] = "1"
os.environ["OMP_NUM_THREADS"] = "1"

import coarsened_programs as programs  # noqa: E402
import numpy as np  # noqa: E402
from harness import Contestant, Run  # noqa: E402

import tapeless as tl  # noqa: E402

Arguments = tuple[Any, ...]
LONGEST_COMPILATION = 2.0
METHODS = ("coarsened", "redundant")


@dataclass(frozen=True)
class Case:
    """A program, its data, what it is differentiated in, and how many times faster it must be than others."""

    data: Callable[[np.random.Generator], Arguments]
    wrt: tuple[int, ...]
    at_least: dict[str, float]


def descent(rng: np.random.Generator) -> Arguments:
    x = rng.normal(size=1000)
    return 0.005, x, 1.7 * x + 0.3 * rng.normal(size=1000), 200


def bead(rng: np.random.Generator) -> Arguments:
    return np.linspace(0.9, 0.1, 400) + 0.01 * rng.normal(size=400), 2.0


def pushes(rng: np.random.Generator) -> Arguments:
    return 4.0 * rng.normal(size=100), np.array([0.0, 0.1, 0.05, 0.0])


def measurements(rng: np.random.Generator) -> Arguments:
    return 0.5 * rng.normal(size=3), rng.normal(size=(800, 3)), (rng.random(800) < 0.5).astype(float)


def chain(rng: np.random.Generator) -> Arguments:
    return np.stack([np.arange(4000.0), np.zeros(4000)], axis=1) + 0.1 * rng.normal(size=(4000, 2)), 3.0, 0.8


def figure(rng: np.random.Generator) -> Arguments:
    return 0.4 * rng.normal(size=8), rng.normal(size=8), 1.5


def steps(rng: np.random.Generator) -> Arguments:
    return 1.0 - 0.01 * rng.random(1000), rng.normal(size=1000), rng.normal(size=1000), 1000


def particles(rng: np.random.Generator) -> Arguments:
    grid = np.stack(np.meshgrid(*[np.arange(4.0)] * 3), axis=-1).reshape(-1, 3)
    return (1.2 * grid + 0.05 * rng.normal(size=grid.shape),)


FASTER = {"jax": 1.0, "torch": 1.0, "redundant": 0.95}
CASES = {
    "bgd_hyper_opt": Case(descent, (0,), {"redundant": 40.0, "jax": 50.0, "torch": 1.0}),
    "brachistochrone": Case(bead, (0,), FASTER),
    "cartpole": Case(pushes, (0, 1), FASTER),
    "logistic_posterior": Case(measurements, (0,), FASTER),
    "hookean_spring": Case(chain, (0,), FASTER | {"redundant": 1.3}),
    "walker": Case(figure, (0, 1), FASTER),
    "affine_loop": Case(steps, (0, 1, 2), FASTER | {"redundant": 50.0}),
    "lennard_jones": Case(particles, (0,), FASTER | {"redundant": 1.3}),
}


def compiled(name: str, case: Case, method: str, arguments: Arguments) -> tuple[Contestant, float]:
    """The gradient by one of our methods, and how long compiling it took."""
    begun = time.process_time()
    kernel = tl.compile(tl.grad(getattr(programs, name), argnums=case.wrt, method=method), arguments)
    return partial(kernel, *arguments), time.process_time() - begun


def by_jax(name: str, case: Case, arguments: Arguments) -> Contestant:
    import coarsened_jax
    import jax

    jax.config.update("jax_cpu_enable_async_dispatch", False)
    counts = tuple(place for place, each in enumerate(arguments) if isinstance(each, int))
    gradient = jax.jit(jax.grad(getattr(coarsened_jax, name), argnums=case.wrt), static_argnums=counts)
    placed = [each if isinstance(each, int) else jax.device_put(each) for each in arguments]
    return lambda: jax.block_until_ready(gradient(*placed))


def by_torch(name: str, case: Case, arguments: Arguments) -> Contestant:
    import coarsened_torch
    import torch

    torch.set_num_threads(1)
    given = [
        each if isinstance(each, int) else torch.tensor(each, dtype=torch.float64, requires_grad=place in case.wrt)
        for place, each in enumerate(arguments)
    ]
    wanted = [given[place] for place in case.wrt]
    return lambda: torch.autograd.grad(getattr(coarsened_torch, name)(*given), wanted)


PEERS = {"jax": by_jax, "torch": by_torch}


def measure(run: Run, name: str, case: Case) -> None:
    """One row: who is how fast, and how long compiling took."""
    arguments = case.data(np.random.default_rng(7))
    contestants: dict[str, Contestant] = {}
    for method in METHODS:
        contestants[method], seconds = compiled(name, case, method, arguments)
        run.bar(name, "", "compile_s", seconds, at_most=LONGEST_COMPILATION, unit="s", method=method)
    for peer, make in PEERS.items():
        if importlib.util.find_spec(peer) is None:
            print(f"{peer} is not installed: it is left out")
        else:
            contestants[peer] = make(name, case, arguments)
    times = run.compare(name, "", contestants, rtol=1e-7, atol=1e-10, metric="gradient_s")
    for rival, factor in case.at_least.items():
        if rival in times:
            run.bar(name, "", f"times_as_fast_as_{rival}", times[rival] / times["coarsened"], at_least=factor)


def main() -> None:
    run = Run.from_command_line("coarsened")
    for name, case in CASES.items():
        if run.wants(name):
            measure(run, name, case)
    run.finish()


if __name__ == "__main__":
    main()
