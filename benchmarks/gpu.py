"""Gradients on a GPU beside JAX: `gpu.py make FOLDER` compiles bundles, without a GPU; `gpu.py run FOLDER` times them.

Running needs the driver, numpy and JAX, and of Tapeless the runtime alone.
"""

from __future__ import annotations

import argparse
import json
import os
import time
from pathlib import Path
from typing import Any

import numpy as np

TOLERANCES = {np.dtype(np.float32): 2e-3, np.dtype(np.float64): 1e-8}


def make(folder: Path, only: str) -> None:
    """Compiles every kernel to a bundle."""
    from on_gpu.programs import KERNELS

    import tapeless as tl

    folder.mkdir(parents=True, exist_ok=True)
    for name, (function, signature) in KERNELS.items():
        if only in name:
            start = time.perf_counter()
            tl.compile(function, signature, target="cuda:sm_90").save(folder / f"{name.replace(' ', '_')}.tlk")
            print(f"{name:24} {time.perf_counter() - start:6.2f} s", flush=True)


def run(folder: Path, only: str, results: Path | None) -> None:
    """Times every case, beside JAX if it is there, and compares results."""
    os.environ.setdefault("XLA_PYTHON_CLIENT_PREALLOCATE", "false")
    import jax

    jax.config.update("jax_enable_x64", True)
    from on_gpu.cases import CASES

    rows = []
    print(f"{'':30}{'GPU ms':>10}{'call ms':>10}{'JAX ms':>10}{'floor':>8}{'ratio':>7}  load s  difference")
    for case in CASES:
        if only in case.kernel:
            try:
                rows.append(row(folder, case))
            except Exception as error:
                print(f"{case.title:30} {type(error).__name__}: {str(error)[:200]}", flush=True)
    if results is not None:
        results.write_text(json.dumps(rows, indent=1))


def row(folder: Path, case: Any) -> dict[str, Any]:
    """One line of the table."""
    import jax
    from on_gpu.measure import busy_milliseconds, call_milliseconds
    from on_gpu.peers import PEERS, STATIC

    import tapeless as tl

    given = case.arguments(np.random.default_rng(1))
    arguments = tuple(jax.device_put(each) if isinstance(each, np.ndarray) else each for each in given)
    jax.block_until_ready(arguments)
    start = time.perf_counter()
    kernel = tl.load(folder / f"{case.kernel.replace(' ', '_')}.tlk")
    found = kernel(*arguments)
    load = time.perf_counter() - start
    call = call_milliseconds(lambda: kernel(*arguments), lambda value: value)
    busy = busy_milliseconds(kernel, arguments) if call < 2000 else None
    jax_time = difference = None
    if case.kernel in PEERS:
        peer = jax.jit(PEERS[case.kernel], static_argnums=STATIC.get(case.kernel, ()))
        difference = largest_difference(found, peer(*arguments))
        jax_time = call_milliseconds(lambda: peer(*arguments), jax.block_until_ready)
    ratio = (busy or call) / case.floor if case.floor else None
    print(
        f"{case.title:30}{_text(busy)}{_text(call)}{_text(jax_time)}{_text(case.floor, 8)}{_text(ratio, 7, 2)}"
        f"{load:8.3f}  {'' if difference is None else f'{difference:.1e}'}",
        flush=True,
    )
    return {
        "case": case.title,
        "kernel": case.kernel,
        "gpu_ms": busy,
        "call_ms": call,
        "jax_ms": jax_time,
        "floor_ms": case.floor,
        "load_s": load,
        "difference": difference,
    }


def _text(number: float | None, width: int = 10, digits: int = 3) -> str:
    return f"{'-':>{width}}" if number is None else f"{number:{width}.{digits}f}"


def largest_difference(found: Any, expected: Any) -> float:
    """Relative to the largest number of each result."""
    ours, theirs = (each if isinstance(each, (tuple, list)) else (each,) for each in (found, expected))
    worst = 0.0
    for one, other in zip(ours, theirs, strict=True):
        a, b = np.asarray(one, np.float64), np.asarray(other, np.float64)
        worst = max(worst, float(np.max(np.abs(a - b), initial=0) / max(np.max(np.abs(b), initial=0), 1e-300)))
    return worst


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("what", choices=("make", "run"))
    parser.add_argument("folder", type=Path)
    parser.add_argument("--only", default="", help="kernels whose name has this in it")
    parser.add_argument("--json", type=Path, help="where results go")
    given = parser.parse_args()
    if given.what == "make":
        make(given.folder, given.only)
    else:
        run(given.folder, given.only, given.json)


if __name__ == "__main__":
    main()
