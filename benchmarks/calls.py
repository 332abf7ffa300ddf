"""What a call costs, and how long the first call takes: cold, and from the kernel cache on disk.

Call overhead is measured with three small f64 numpy arrays against `jax.jit`. Compile times are measured in fresh
processes, from the decoration of a 50-line function to its first result, with the imports of numpy and tapeless done
and the bytecode of all modules on disk, as an installed package has it.
"""

from __future__ import annotations

import json
import os
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np
from harness import Run

import tapeless as tl

COLD_LIMIT, CACHED_LIMIT = 1.0, 0.050


@tl.function
def combine(a: tl.f64[:], b: tl.f64[:], c: tl.f64[:]) -> tl.f64[:]:
    return a * b + c


def call_overhead(run: Run) -> None:
    """A kernel that does next to nothing, so that the call itself is what is measured."""
    import jax

    jax.config.update("jax_enable_x64", True)
    jitted = jax.jit(lambda a, b, c: a * b + c)
    a, b, c = (np.random.default_rng(seed).random(8) for seed in range(3))
    size = "3 x 8 f64"
    times = run.compare(
        "call",
        size,
        {"tapeless": lambda: combine(a, b, c), "jax": lambda: jitted(a, b, c).block_until_ready()},
        metric="call_s",
    )
    kernel = combine.lower()
    on_device = [jax.device_put(value) for value in (a, b, c)]
    run.compare(
        "call-prepared",
        size,
        {"tapeless": lambda: kernel(a, b, c), "jax": lambda: jitted(*on_device).block_until_ready()},
        metric="call_s",
    )
    run.bar("call", size, "ratio_to_best_peer", times["tapeless"] / times["jax"], at_most=1.0)
    run.bar("call", size, "call_s", times["tapeless"], at_most=4e-6, unit="s")


def first_call(program: Path, cache_folder: str) -> dict[str, float]:
    """Runs a program in a fresh process; it prints its own measurements as JSON."""
    environment = os.environ | {"TAPELESS_CACHE_DIR": cache_folder}
    environment.pop("PYTHONDONTWRITEBYTECODE", None)
    output = subprocess.run([sys.executable, str(program)], env=environment, capture_output=True, text=True, check=True)
    return json.loads(output.stdout)


def compile_time(run: Run) -> None:
    """The median over fresh processes, each with an empty cache, then each with a filled one."""
    program = Path(__file__).parent / "fresh_process" / "first_call.py"
    repeats = 3 if run.quick else 7
    with tempfile.TemporaryDirectory() as filled:
        first_call(program, filled)
        cold = []
        for _ in range(repeats):
            with tempfile.TemporaryDirectory() as empty:
                cold.append(first_call(program, empty))
        cached = [first_call(program, filled) for _ in range(repeats)]
    bars = (("cold", cold, COLD_LIMIT), ("disk cache", cached, CACHED_LIMIT))
    for name, calls, limit in bars:
        seconds = [call["first_call_s"] for call in calls]
        cpu = statistics.median(call["cpu_s"] for call in calls)
        median = statistics.median(seconds)
        run.bar("first-call", name, "compile_s", median, at_most=limit, unit="s", minimum=min(seconds), cpu_s=cpu)


BENCHMARKS = {"call": call_overhead, "first-call": compile_time}


def main() -> None:
    """Runs what the command line asks for."""
    run = Run.from_command_line("calls")
    for name, benchmark in BENCHMARKS.items():
        if run.wants(name):
            benchmark(run)
    run.finish()


if __name__ == "__main__":
    main()
