"""Gradients on a GPU beside JAX and PyTorch.

`gpu.py make FOLDER` compiles bundles, without a GPU; `gpu.py run FOLDER` times them.

Running needs the driver, numpy and JAX, PyTorch if it is to be a peer, and of Tapeless the runtime alone.
Kernels have no checks of indices (`checks="off"`), as those of the peers have none.
"""

from __future__ import annotations

import argparse
import json
import os
import time
from functools import partial
from multiprocessing import get_context
from pathlib import Path

import machine


def make(folder: Path, only: str, recipes: str, processes: int) -> None:
    """Compiles every kernel to a bundle."""
    from on_gpu.programs import KERNELS

    folder.mkdir(parents=True, exist_ok=True)
    names = [name for name in KERNELS if only in name]
    with get_context("spawn").Pool(processes) as pool:
        for name, seconds in pool.imap_unordered(partial(make_one, folder, recipes), names):
            print(f"{name:36} {seconds:6.2f} s", flush=True)


def make_one(folder: Path, recipes: str, name: str) -> tuple[str, float]:
    """Compiles a kernel to a bundle; how long that took."""
    from on_gpu.programs import KERNELS

    import tapeless as tl

    start = time.process_time()
    given = {"target": "cuda:sm_90", "checks": "off", "recipes": recipes, **KERNELS[name].options}
    tl.compile(KERNELS[name].function, KERNELS[name].signature, **given).save(folder / file_name(name))
    return name, time.process_time() - start


def run(folder: Path, only: str, quick: bool, without: tuple[str, ...], results: Path | None, kernels: bool) -> None:
    """Measures every problem that has its kernels in the folder, and prints a table."""
    os.environ.setdefault("XLA_PYTHON_CLIENT_PREALLOCATE", "false")
    from on_gpu.cases import PROBLEMS
    from on_gpu.rows import HEADER, Contest, text_of

    contest = Contest(folder, file_name, 3 if quick else 10, seconds=20.0, without=without, kernels=kernels)
    print(HEADER)
    rows = []
    for problem in PROBLEMS:
        wanted = [row for row in problem.rows if only in row.kernel and (folder / file_name(row.kernel)).exists()]
        try:
            for row in contest.measured(problem, wanted):
                print(text_of(row), flush=True)
                rows.append(row)
        except Exception as error:
            print(f"{problem.title}: {type(error).__name__}: {str(error)[:160]}", flush=True)
    if results is not None:
        results.write_text(json.dumps({**machine.header(), "gpu": rows}, indent=1))


def file_name(kernel: str) -> str:
    return f"{kernel.replace(',', '').replace(' ', '_')}.tlk"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("what", choices=("make", "run"))
    parser.add_argument("folder", type=Path)
    parser.add_argument("--only", default="", help="kernels whose name has this in it")
    parser.add_argument("--recipes", default="on", choices=("on", "off"), help="make: with recipes, or without")
    parser.add_argument("--processes", type=int, default=1, help="make: how many compile side by side")
    parser.add_argument("--quick", action="store_true", help="fewer rounds")
    parser.add_argument("--without", default=(), nargs="*", choices=("jax", "torch"), help="peers that are not asked")
    parser.add_argument("--kernels", action="store_true", help="how long each kernel of a plan takes, too")
    parser.add_argument("--json", type=Path, help="where results go")
    given = parser.parse_args()
    if given.what == "make":
        make(given.folder, given.only, given.recipes, given.processes)
    else:
        run(given.folder, given.only, given.quick, tuple(given.without), given.json, given.kernels)


if __name__ == "__main__":
    main()
