"""Gradients of loops: the primal, and value and gradient by every contestant in the same rounds."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import numpy as np
from harness import Run

import tapeless as tl
from running_back import peers
from running_back.cases import CASES, Case, gradient

MOST_OVERHEAD = 3.5


def measure(run: Run, folder: Path | None) -> None:
    for name, case in CASES.items():
        if run.wants(name):
            measure_case(run, name, case)


def measure_case(run: Run, name: str, case: Case) -> None:
    """One row of times."""
    arguments = case.arguments(run.quick)
    size = f"{'x'.join(map(str, np.shape(arguments[0])))}, {arguments[-1]} steps"
    gradients = {
        "reversible": gradient(case, case.program, "reversible", arguments),
        "redundant": gradient(case, case.program, "redundant", arguments),
        "strips": gradient(case, case.in_strips, "redundant", arguments),
        **peers.gradients(name, case, arguments),
    }
    primal = run.compare(
        name, size, {"tapeless": partial(tl.compile(case.program, arguments, checks="off"), *arguments)}
    )
    times = run.compare(name, size, gradients, rtol=1e-6, atol=1e-9, metric="gradient_s")
    compare_times(run, name, size, case.has_bars, "overhead", times["reversible"] / primal["tapeless"], MOST_OVERHEAD)
    for rival in gradients:
        if rival != "reversible":
            ratio = times["reversible"] / times[rival]
            compare_times(run, name, size, case.has_bars, f"time_to_{rival}", ratio, 1.0)


def compare_times(run: Run, name: str, size: str, is_bar: bool, metric: str, ratio: float, at_most: float) -> None:
    """A ratio of times with its limit, where there is one."""
    if is_bar:
        run.bar(name, size, metric, ratio, at_most=at_most, method="reversible")
    else:
        run.record(name, size, metric, ratio, "", method="reversible")
