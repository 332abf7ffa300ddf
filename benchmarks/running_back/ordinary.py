"""Programs without a loop that runs backwards: the method `reversible` must not be slower than `redundant`."""

from __future__ import annotations

from functools import partial
from pathlib import Path

from harness import Run
from redundant_cases import CASES, Case

import tapeless as tl

METHODS = ("redundant", "reversible")
MOST = 1.1


def measure(run: Run, folder: Path | None) -> None:
    for case in CASES:
        if run.wants(case.name):
            measure_case(run, case, folder)


def measure_case(run: Run, case: Case, folder: Path | None) -> None:
    """Compares the machine code of both; only where it differs are there times to take."""
    arguments = case.make_arguments(run.quick, folder)
    size = "x".join(map(str, case.sizes_for(run.quick)))
    kernels = {
        method: tl.compile(tl.value_and_grad(case.program, argnums=case.wrt, method=method), arguments, checks="off")
        for method in METHODS
    }
    is_same = len({kernel.asm() for kernel in kernels.values()}) == 1
    run.record(case.name, size, "has_the_same_code", float(is_same), "", method="reversible")
    if not is_same:
        calls = {method: partial(kernel, *arguments) for method, kernel in kernels.items()}
        times = run.compare(case.name, size, calls, rtol=1e-7, atol=1e-8, metric="gradient_s")
        ratio = times["reversible"] / times["redundant"]
        run.bar(case.name, size, "time_to_redundant", ratio, at_most=MOST, method="reversible")
        print(kernels["reversible"].explain())
