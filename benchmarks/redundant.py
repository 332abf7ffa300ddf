"""How fast are gradients by redundant execution? Against our own primals, JAX and PyTorch, on one core.

`python benchmarks/redundant.py [--quick] [--only PATTERN] [--json FILE] [--data DIR]`. Every row: primal, value and
gradient, `overhead` = gradient / primal, bytes held by the kernel at its peak. `memory_overhead` counts the arguments
too, as they must be there while it runs. Kernels are compiled with `checks="off"`. `--data` names the folder of
ADBench's files; without it, data of the same shapes are made.
"""

import argparse
import os
import statistics
import sys
import time
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from typing import Any

os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
os.environ["XLA_FLAGS"] = "--xla_cpu_multi_thread_eigen=false intra_op_parallelism_threads=1"
os.environ["JAX_ENABLE_X64"] = "1"
os.environ["OMP_NUM_THREADS"] = "1"

import numpy as np  # noqa: E402
from harness import Contestant, Run, check_agreement, timed_rounds  # noqa: E402
from redundant_cases import CASES, SECOND_ORDER, Arguments, Case, SecondOrder  # noqa: E402
from redundant_peers import Peer, Work, installed_peers  # noqa: E402

import tapeless as tl  # noqa: E402
from tapeless.runtime import counters  # noqa: E402

Times = dict[tuple[str, str], float]


def data_folder() -> Path | None:
    """Takes `--data DIR` off the command line."""
    parser = argparse.ArgumentParser(add_help=False)
    parser.add_argument("--data", type=Path)
    options, rest = parser.parse_known_args()
    sys.argv[1:] = rest
    return options.data


def compiled(run: Run, case: str, size: str, function: Callable[..., Any], arguments: Arguments) -> Contestant:
    """Our kernel on these arguments; how long it took to compile is recorded."""
    start = time.process_time()
    kernel = tl.compile(function, arguments, checks="off")
    run.record(case, size, "compile_s", time.process_time() - start, "s", method="redundant")
    return partial(kernel, *arguments)


def compare(run: Run, case: str, size: str, contestants: Mapping[str, Mapping[str, Contestant]]) -> Times:
    """Checks that contestants agree within each metric, then times those of all metrics in turns."""
    for metric, by_name in contestants.items():
        check_agreement(f"{case} {metric}", by_name, rtol=1e-7, atol=1e-8)
    flat = {(metric, name): call for metric, by_name in contestants.items() for name, call in by_name.items()}
    samples = timed_rounds(flat, sample_seconds=0.002 if run.quick else 0.02)
    for (metric, name), seconds in samples.items():
        labels = {"contestant": name, "method": "redundant" if name == "tapeless" else None, "minimum": min(seconds)}
        run.record(case, size, metric, statistics.median(seconds), "s", **labels)
    return {key: statistics.median(seconds) for key, seconds in samples.items()}


def measure(run: Run, case: Case, peers: list[Peer], folder: Path | None) -> None:
    """One row: its primal and gradient against those of its peers, and against each other."""
    arguments = case.make_arguments(run.quick, folder)
    size = "x".join(map(str, case.sizes_for(run.quick)))
    work = Work(case.program.__name__, arguments, case.wrt)
    primal = compiled(run, case.name, size, case.program, arguments)
    gradient = compiled(run, case.name, size, tl.value_and_grad(case.program, argnums=case.wrt), arguments)
    rivals = [peer for peer in peers if peer.name in case.peers]
    primals = {"tapeless": primal, **{peer.name: peer.primal(work) for peer in rivals}}
    gradients = {"tapeless": gradient, **{peer.name: peer.gradient(work) for peer in rivals}}
    times = compare(run, case.name, size, {"primal_s": primals, "gradient_s": gradients})
    report_overhead(run, case, size, times["gradient_s", "tapeless"] / times["primal_s", "tapeless"])
    report_memory(run, case, size, primal, gradient, arguments)
    report_peers(run, case.name, size, times, "gradient_s", case.peer_ratio)


def report_overhead(run: Run, case: Case, size: str, overhead: float) -> None:
    if case.overhead is None:
        run.record(case.name, size, "overhead", overhead, "", method="redundant")
    else:
        run.bar(case.name, size, "overhead", overhead, at_most=case.overhead, method="redundant")


def report_memory(
    run: Run, case: Case, size: str, primal: Contestant, gradient: Contestant, arguments: Arguments
) -> None:
    held = [peak_bytes(primal), peak_bytes(gradient)]
    for name, bytes_ in zip(("tapeless primal", "tapeless"), held, strict=True):
        run.record(case.name, size, "peak_bytes", bytes_, "B", contestant=name, method="redundant")
    given = sum(value.nbytes for value in arguments if isinstance(value, np.ndarray))
    memory = (held[1] + given) / (held[0] + given)
    if case.memory is None:
        run.record(case.name, size, "memory_overhead", memory, "", method="redundant")
    else:
        run.bar(case.name, size, "memory_overhead", memory, at_most=case.memory, method="redundant")


def peak_bytes(call: Contestant) -> int:
    """The most bytes the kernel holds at once, results included."""
    counters.reset_peak()
    before = counters.memory_counters().live_bytes
    call()
    return counters.peak_bytes() - before


def report_peers(run: Run, case: str, size: str, times: Times, metric: str, limit: float) -> None:
    rivals = [seconds for (of, name), seconds in times.items() if of == metric and name != "tapeless"]
    if rivals:
        ratio = times[metric, "tapeless"] / min(rivals)
        run.bar(case, size, "ratio_to_best_peer", ratio, at_most=limit, method="redundant")
    else:
        print(f"{case}: no peer to compare with")


def measure_second_order(run: Run, row: SecondOrder, peers: list[Peer], folder: Path | None) -> None:
    """One row of second order: forward over reverse mode, against the gradient and against the peers' own."""
    case = row.first
    arguments = case.make_arguments(run.quick, folder)
    size = "x".join(map(str, case.sizes_for(run.quick)))
    tangents = tuple(direction(row, arguments[position]) for position in case.wrt)
    work = Work(case.program.__name__, arguments, case.wrt)
    gradient = compiled(run, row.name, size, tl.value_and_grad(case.program, argnums=case.wrt), arguments)
    given = (*arguments, *tangents) if row.takes_direction else arguments
    second = compiled(run, row.name, size, row.program, given)
    rivals = {peer.name: peer.second_order(work, tangents) for peer in peers if peer.name != "torch.compile"}
    contestants = {"gradient_s": {"tapeless": gradient}, "second_order_s": {"tapeless": second, **rivals}}
    times = compare(run, row.name, size, contestants)
    ratio = times["second_order_s", "tapeless"] / times["gradient_s", "tapeless"]
    if row.ratio_to_gradient is None:
        run.record(row.name, size, "ratio_to_gradient", ratio, "", method="redundant")
    else:
        run.bar(row.name, size, "ratio_to_gradient", ratio, at_most=row.ratio_to_gradient, method="redundant")
    report_peers(run, row.name, size, times, "second_order_s", 1.0)


def direction(row: SecondOrder, like: np.ndarray) -> np.ndarray:
    """A random direction, or all ones where the program has its own."""
    return np.random.default_rng(1).normal(size=like.shape) if row.takes_direction else np.ones_like(like)


def main() -> None:
    folder = data_folder()
    run = Run.from_command_line("redundant")
    peers = installed_peers(with_compilers=not run.quick)
    for case in CASES:
        if run.wants(case.name):
            measure(run, case, peers, folder)
    for row in SECOND_ORDER:
        if run.wants(row.name):
            measure_second_order(run, row, peers, folder)
    run.finish()


if __name__ == "__main__":
    main()
