"""The problems of GradBench as `python -m tapeless.gradbench` runs them, beside C with derivatives by hand, and JAX.

All contestants take arrays and give arrays; what the protocol does around a run is not timed. `--only gmm` runs one
problem, and `--quick` the smallest size of each.
"""

from __future__ import annotations

import importlib.util
import os
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

from harness import Run
from on_gradbench import in_c
from on_gradbench.data import SIZES, make_input

from tapeless.gradbench.settings import Settings
from tapeless.gradbench.table import find_problem
from tapeless.methods import IMPLEMENTED

# What has no reverse mode in it is the same by all methods.
FORWARD = ("primal", "objective", "cost", "ff")
# Sums of many terms in another order.
RTOL, ATOL = 1e-7, 1e-9


def main() -> None:
    os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
    run = Run.from_command_line("gradbench")
    with tempfile.TemporaryDirectory() as folder:
        library = in_c.compiled(Path(folder))
        for problem in filter(run.wants, SIZES):
            for size in SIZES[problem][: 1 if run.quick else None]:
                compare(run, problem, size, library)
    run.finish()


def compare(run: Run, problem: str, size: tuple[int, ...], library: Any) -> None:
    """All functions of a problem for one size, by all methods and all peers."""
    tasks = find_problem(problem)
    arguments = next(iter(tasks.values())).arguments(make_input(problem, size))
    by_hand = in_c.PROBLEMS[problem](library, *arguments)
    for function, task in tasks.items():
        methods = ("redundant",) if function in FORWARD or problem == "ht" else tuple(IMPLEMENTED)
        contestants = {"c": by_hand[function]}
        contestants |= {method: tapeless(method, task.program, arguments) for method in methods}
        if in_jax := jax_contestant(problem, function, arguments):
            contestants["jax"] = in_jax
        label = "x".join(map(str, size)) or "-"
        times = run.compare(f"{problem} {function}", label, contestants, rtol=RTOL, atol=ATOL, metric="evaluate_cpu_s")
        best = min(times[method] for method in methods)
        run.record(f"{problem} {function}", label, "ratio_to_c", best / times["c"], "")


def tapeless(method: str, program: Callable[..., Any], arguments: tuple[Any, ...]) -> Callable[[], Any]:
    compiled = Settings(method).compiled(program)
    return lambda: compiled(*arguments)


def jax_contestant(problem: str, function: str, arguments: tuple[Any, ...]) -> Callable[[], Any] | None:
    if importlib.util.find_spec("jax") is None:
        return None
    from on_gradbench import in_jax

    return in_jax.contestant(problem, function, arguments)


if __name__ == "__main__":
    main()
