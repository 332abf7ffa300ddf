"""What a call costs, and how long the first call takes: cold, and from the kernel cache on disk.

Call overhead is measured with small f64 arrays of numpy, torch and JAX, against `jax.jit`. Compile times are measured
in fresh processes, from the decoration of a 50-line function to its first result, with the imports of numpy and
tapeless done and the bytecode of all modules on disk, as an installed package has it. All times are processor time.
"""

from __future__ import annotations

import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np
from harness import Run

import tapeless as tl

COLD_LIMIT, CACHED_LIMIT = 1.0, 0.050


@tl.function
def combine(a: tl.f64[:], b: tl.f64[:], c: tl.f64[:]) -> tl.f64[:]:
    return a * b + c


@tl.function
def scaled(a: tl.f64[:], factor: tl.f64) -> tl.f64[:]:
    return a * factor


@tl.function
def layer(p):
    return p["w"] * p["x"] + p["b"]


SIZE = "3 x 8 f64"


def call_overhead(run: Run) -> None:
    """A kernel that does next to nothing, so that the call itself is what is measured."""
    import jax

    jax.config.update("jax_enable_x64", True)
    jitted = jax.jit(lambda a, b, c: a * b + c)
    a, b, c = (np.random.default_rng(seed).random(8) for seed in range(3))
    times = run.compare(
        "call",
        SIZE,
        {"tapeless": lambda: combine(a, b, c), "jax": lambda: jitted(a, b, c).block_until_ready()},
        metric="call_s",
    )
    kernel = combine.lower()
    on_device = [jax.device_put(value) for value in (a, b, c)]
    run.compare(
        "call-prepared",
        SIZE,
        {"tapeless": lambda: kernel(a, b, c), "jax": lambda: jitted(*on_device).block_until_ready()},
        metric="call_s",
    )
    run.bar("call", SIZE, "ratio_to_best_peer", times["tapeless"] / times["jax"], at_most=1.0)
    run.bar("call", SIZE, "call_s", times["tapeless"], at_most=4e-6, unit="s")


def other_arguments(run: Run) -> None:
    """Numbers of numpy, structures, and arrays that are not in order, beside JAX with the same arguments."""
    import jax

    jax.config.update("jax_enable_x64", True)
    a, b, c = (np.random.default_rng(seed).random(16) for seed in range(3))
    scaled_jax, layer_jax = jax.jit(lambda a, s: a * s), jax.jit(lambda p: p["w"] * p["x"] + p["b"])
    combined_jax = jax.jit(lambda a, b, c: a * b + c)
    for title, factor in (("float", 0.5), ("np.float64", np.float64(0.5)), ("0-d array", np.array(0.5))):
        run.compare(
            f"call with a {title}",
            "16 f64",
            {
                "tapeless": lambda factor=factor: scaled(a, factor),
                "jax": lambda factor=factor: scaled_jax(a, factor).block_until_ready(),
            },
            metric="call_s",
        )
    parameters = {"w": a, "x": b, "b": 0.5}
    run.compare(
        "call with a dict",
        "2 x 16 f64",
        {"tapeless": lambda: layer(parameters), "jax": lambda: layer_jax(parameters).block_until_ready()},
        metric="call_s",
    )
    strided = a[::2], b[::2], c[::2]
    run.compare(
        "call with strided arrays",
        SIZE,
        {"tapeless": lambda: combine(*strided), "jax": lambda: combined_jax(*strided).block_until_ready()},
        metric="call_s",
    )


def other_libraries(run: Run) -> None:
    """Tensors of torch and arrays of JAX as arguments, beside what these libraries do with them."""
    import jax
    import torch

    jax.config.update("jax_enable_x64", True)
    arrays = [np.random.default_rng(seed).random(8) for seed in range(3)]
    of_jax, of_torch = [jax.device_put(each) for each in arrays], [torch.from_numpy(each) for each in arrays]
    jitted = jax.jit(lambda a, b, c: a * b + c)
    a, b, c = of_torch
    rows = {
        "call with arrays of JAX": (lambda: combine(*of_jax), "jax", lambda: jitted(*of_jax).block_until_ready()),
        "call with tensors": (lambda: combine(*of_torch), "torch", lambda: a * b + c),
    }
    for title, (ours, peer, theirs) in rows.items():
        times = run.compare(title, SIZE, {"tapeless": ours, peer: theirs}, metric="call_s")
        run.bar(title, SIZE, "call_s", times["tapeless"], at_most=6e-6, unit="s")


@tl.function
def summed(x, w):
    return tl.sum(tl.tanh(x @ w))


def inside_jax(run: Run) -> None:
    """Value and both gradients of a small function in a jitted program, beside one that computes next to nothing."""
    import jax

    jax.config.update("jax_enable_x64", True)
    x, w = (jax.device_put(np.random.default_rng(seed).random((8, 8))) for seed in range(2))
    ours = jax.jit(jax.value_and_grad(tl.to_jax(summed), argnums=(0, 1)))
    empty = jax.jit(lambda x, w: (x[0, 0], (x + 1.0, w + 1.0)))
    theirs = jax.jit(jax.value_and_grad(lambda x, w: jax.numpy.sum(jax.numpy.tanh(x @ w)), argnums=(0, 1)))
    calls = {name: lambda f=f: jax.block_until_ready(f(x, w)) for name, f in (("tapeless", ours), ("jax", theirs))}
    times = run.compare("call inside jit", "8 x 8 f64", calls, metric="call_s")
    nothing = run.compare(
        "empty call of jit", "8 x 8 f64", {"jax": lambda: jax.block_until_ready(empty(x, w))}, metric="call_s"
    )
    above = times["tapeless"] - nothing["jax"]
    run.bar("call inside jit", "8 x 8 f64", "above_empty_s", above, at_most=10e-6, unit="s")


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
        seconds = [call["cpu_s"] for call in calls]
        median = statistics.median(seconds)
        run.bar("first-call", name, "compile_s", median, at_most=limit, unit="s", minimum=min(seconds))


BENCHMARKS = {
    "call": call_overhead,
    "call-arguments": other_arguments,
    "call-libraries": other_libraries,
    "call-inside-jax": inside_jax,
    "first-call": compile_time,
}


def main() -> None:
    """Runs what the command line asks for."""
    run = Run.from_command_line("calls")
    run.clock = time.process_time  # calls run on the thread that makes them
    for name, benchmark in BENCHMARKS.items():
        if run.wants(name):
            benchmark(run)
    run.finish()


if __name__ == "__main__":
    main()
