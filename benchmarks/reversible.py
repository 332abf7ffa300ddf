"""How fast and how small are gradients of loops that run backwards? Against our redundant method and JAX, on one core.

`python benchmarks/reversible.py [--quick] [--only PATTERN] [--json FILE]`. Every row: the primal, value and gradient by
every contestant in the same rounds, and the bytes that a gradient holds at its peak after few and after many steps.
Kernels are compiled with `checks="off"`.
"""

import importlib.util
import os
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
os.environ["XLA_FLAGS"] = "--xla_cpu_multi_thread_eigen=false intra_op_parallelism_threads=1"
os.environ["JAX_ENABLE_X64"] = "1"
os.environ["OMP_NUM_THREADS"] = "1"

import numpy as np  # noqa: E402
import reversible_programs as programs  # noqa: E402
from harness import Contestant, Run  # noqa: E402

import tapeless as tl  # noqa: E402
from tapeless.runtime import counters  # noqa: E402

State = tuple[Any, ...]
MOST_OVERHEAD = 3.5


@dataclass(frozen=True)
class Case:
    """A program, the same with stored states in strips, its data, and how many steps are timed."""

    program: Any
    in_strips: Any
    wrt: tuple[int, ...]
    data: Callable[[bool], State]
    steps: int
    few: int
    many: int


def bodies(quick: bool) -> State:
    """Light planets on circles around a heavy star: bodies of equal weight would be chaotic, and drift."""
    n = 16 if quick else 32
    radius, angle = np.linspace(1.0, 4.0, n), np.linspace(0.0, 40.0, n)
    q = np.stack([radius * np.cos(angle), radius * np.sin(angle), np.zeros(n)], axis=1)
    speed = np.sqrt(radius**2 / (radius**2 + programs.SOFTENING) ** 1.5)
    p = np.stack([-speed * np.sin(angle), speed * np.cos(angle), 0.1 * speed], axis=1)
    mass = np.full(n, 1e-6)
    q[0], p[0], mass[0] = 0.0, 0.0, 1.0
    return q, p, mass, 1e-3


def string(quick: bool) -> State:
    n = 500 if quick else 2_000
    u = np.exp(-(np.linspace(-8.0, 8.0, n) ** 2))
    return u.copy(), u, np.full(n, 0.2)


def membrane(quick: bool) -> State:
    n = 64 if quick else 256
    x = np.linspace(-4.0, 4.0, n)
    u = np.exp(-(x[:, None] ** 2) - x[None, :] ** 2)
    return u.copy(), u, np.full((n, n), 0.2)


CASES = {
    "leapfrog": Case(programs.leapfrog, programs.leapfrog_in_strips, (0, 1, 2), bodies, 1_000, 1_000, 100_000),
    "wave_1d": Case(programs.wave_1d, programs.wave_1d_in_strips, (0, 1, 2), string, 1_000, 1_000, 100_000),
    "wave_2d": Case(programs.wave_2d, programs.wave_2d_in_strips, (0, 1, 2), membrane, 100, 100, 1_000),
}


def gradient(case: Case, program: Any, method: str, arguments: State) -> Contestant:
    derivative = tl.value_and_grad(program, argnums=case.wrt, method=method)
    return partial(tl.compile(derivative, arguments, checks="off"), *arguments)


def jax_gradients(name: str, case: Case, arguments: State) -> dict[str, Contestant]:
    """JAX's, stored and with checkpoints."""
    if importlib.util.find_spec("jax") is None:
        print("jax is not installed: it is left out")
        return {}
    import jax
    import reversible_jax

    jax.config.update("jax_cpu_enable_async_dispatch", False)
    made: dict[str, Contestant] = {}
    for contestant, repeat in reversible_jax.REPEATS.items():
        derivative = jax.value_and_grad(partial(reversible_jax.PROGRAMS[name], repeat), argnums=case.wrt)
        jitted = jax.jit(derivative, static_argnums=len(arguments) - 1)
        placed = [*map(jax.device_put, arguments[:-1]), arguments[-1]]
        made[contestant] = partial(lambda call, given: jax.block_until_ready(call(*given)), jitted, placed)
    return made


def measure(run: Run, name: str, case: Case) -> None:
    """One row of times, and one of bytes."""
    data = case.data(run.quick)
    steps = case.steps // 10 if run.quick else case.steps
    arguments = (*data, steps)
    size = f"{'x'.join(map(str, np.shape(data[0])))}, {steps} steps"
    gradients = {
        "reversible": gradient(case, case.program, "reversible", arguments),
        "redundant": gradient(case, case.program, "redundant", arguments),
        "strips": gradient(case, case.in_strips, "redundant", arguments),
        **jax_gradients(name, case, arguments),
    }
    primal = run.compare(
        name, size, {"tapeless": partial(tl.compile(case.program, arguments, checks="off"), *arguments)}
    )
    times = run.compare(name, size, gradients, rtol=1e-6, atol=1e-9, metric="gradient_s")
    run.bar(
        name, size, "overhead", times["reversible"] / primal["tapeless"], at_most=MOST_OVERHEAD, method="reversible"
    )
    for rival in gradients:
        if rival != "reversible":
            run.bar(
                name, size, f"time_to_{rival}", times["reversible"] / times[rival], at_most=1.0, method="reversible"
            )
    measure_bytes(run, name, case, data)


def measure_bytes(run: Run, name: str, case: Case, data: State) -> None:
    """What a gradient holds at its peak must not depend on the number of steps."""
    divisor = 10 if run.quick else 1
    held = {}
    for steps in (case.few // divisor, case.many // divisor):
        call = gradient(case, case.program, "reversible", (*data, steps))
        held[steps] = peak_bytes(call)
        run.record(name, f"{steps} steps", "peak_bytes", held[steps], "bytes", method="reversible")
    few, many = held.values()
    run.bar(name, f"{min(held)} and {max(held)} steps", "peak_growth", many / few, at_most=1.01, method="reversible")


def peak_bytes(call: Contestant) -> int:
    before = counters.memory_counters().live_bytes
    counters.reset_peak()
    call()
    return counters.peak_bytes() - before


def main() -> None:
    run = Run.from_command_line("reversible")
    for name, case in CASES.items():
        if run.wants(name):
            measure(run, name, case)
    run.finish()


if __name__ == "__main__":
    main()
