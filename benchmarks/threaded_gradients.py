"""How much faster are gradients on two threads than on one? Results must be the same bits.

`python benchmarks/threaded_gradients.py [--quick] [--only PATTERN] [--json FILE]`. Kernels are compiled with
`checks="off"`. Look-ups in large tables use threads only with `deterministic=False`.
"""

import os
from functools import partial

import numpy as np
from harness import Run
from redundant_cases import CASES, Case

import tapeless as tl

MEASURED = ("gmm_d10_K25", "gmm_d64_K5", "kmeans", "kmeans_sparse", "matmul", "xs_lookup", "rs_lookup")
REPRODUCIBLE = {True: "deterministic", False: "free"}


def measure(run: Run, case: Case) -> None:
    """One gradient: on one and two threads, in both ways to sum."""
    arguments = case.make_arguments(run.quick, None)
    size = "x".join(map(str, case.sizes_for(run.quick)))
    gradient = tl.value_and_grad(case.program, argnums=case.wrt)
    for deterministic, name in REPRODUCIBLE.items():
        options = {"checks": "off", "deterministic": deterministic}
        kernels = {count: tl.compile(gradient, arguments, threads=count, **options) for count in (1, 2)}
        if deterministic:
            require_same_bits(case.name, [kernel(*arguments) for kernel in kernels.values()])
        calls = {f"threads={count}": partial(kernel, *arguments) for count, kernel in kernels.items()}
        times = run.compare(case.name, f"{size} {name}", calls, rtol=1e-7, atol=1e-8, metric="gradient_s")
        speedup = times["threads=1"] / times["threads=2"]
        run.record(case.name, f"{size} {name}", "speedup_of_2_threads", speedup, "", threads=2)


def require_same_bits(name: str, results: list[tuple]) -> None:
    """Stops unless all results are equal to the last bit."""
    first, *others = [[np.asarray(array).tobytes() for array in (value, *arrays_of(rest))] for value, rest in results]
    if any(other != first for other in others):
        raise SystemExit(f"{name}: results depend on the number of threads")


def arrays_of(gradients: object) -> tuple:
    return gradients if isinstance(gradients, tuple) else (gradients,)


def main() -> None:
    if len(os.sched_getaffinity(0)) < 2:
        raise SystemExit("two processors are needed")
    run = Run.from_command_line("threaded_gradients")
    for case in CASES:
        if case.name in MEASURED and run.wants(case.name):
            measure(run, case)
    run.finish()


if __name__ == "__main__":
    main()
