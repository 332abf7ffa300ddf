"""Every program of the collection and its adjoints by every method on a GPU, from bundles, against the CPU.

`programs_on_gpu.py make FOLDER` compiles them, without a GPU; `programs_on_gpu.py run FOLDER` runs them on one, where
numpy, the driver and the runtime of Tapeless are all that is needed.
"""

from __future__ import annotations

import argparse
import pickle
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import numpy as np

import tapeless as tl

CASES = "cases.pickle"
# Sums are made in another order on a GPU.
LEAST_TOLERANCE = 1e-11


@dataclass(frozen=True)
class Case:
    """A saved kernel: what it is called with, and what the CPU gives."""

    file: str
    arguments: tuple[Any, ...]
    expected: Any
    tolerance: float


def make(folder: Path, only: str = "", target: str = "cuda:sm_90", processes: int = 1) -> None:
    """Compiles all programs with the word `only` in their names, and what the CPU says of them."""
    from programs import PROGRAMS

    folder.mkdir(parents=True, exist_ok=True)
    save = partial(saved, folder, target)
    names = [name for name in PROGRAMS if only in name]
    if processes == 1:
        cases = [case for name in names for case in save(name)]
    else:
        with get_context("spawn").Pool(processes) as pool:
            cases = [case for made in pool.imap(save, names) for case in made]
    (folder / CASES).write_bytes(pickle.dumps(cases))
    print(f"{len(cases)} kernels")


def saved(folder: Path, target: str, name: str) -> list[Case]:
    """The kernels of a program, saved."""
    from programs import PROGRAMS

    cases = []
    for file, function, arguments in _kernels(name):
        expected = tl.compile(function, arguments)(*arguments)
        tl.compile(function, arguments, target=target).save(folder / file)
        cases.append(Case(file, arguments, expected, max(PROGRAMS[name].tolerance, LEAST_TOLERANCE)))
    return cases


def run(folder: Path) -> list[str]:
    """What is wrong with each kernel that is, called twice: the second call may be recorded."""
    cases = pickle.loads((folder / CASES).read_bytes())
    wrong, worst = [], 0.0
    for case in cases:
        try:
            kernel = tl.load(folder / case.file)
            for _ in range(2):
                distance = largest_distance(kernel(*case.arguments), case.expected)
                worst = max(worst, distance)
                if not distance <= case.tolerance:
                    wrong.append(f"{case.file}: differs from the CPU by {distance:.1e}, relative to the largest")
        except Exception as error:
            wrong.append(f"{case.file}: {type(error).__name__}: {error}")
    print(*wrong, sep="\n")
    print(f"{len(cases)} kernels, {len(wrong)} faults, worst difference {worst:.1e}")
    return wrong


def largest_distance(found: Any, expected: Any) -> float:
    """The largest difference of a result, in units of its largest number; infinite where only one of two is finite."""
    distance = 0.0
    for one, other in zip(_leaves(found), _leaves(expected), strict=True):
        one, other = np.asarray(one, float), np.asarray(other, float)
        if one.shape != other.shape:
            return np.inf
        finite = np.isfinite(other)
        if not np.array_equal(one[~finite], other[~finite], equal_nan=True):
            return np.inf
        size = np.max(np.abs(other[finite]), initial=1.0)
        apart = np.max(np.abs(one[finite] - other[finite]) / size, initial=0.0)
        distance = max(distance, float(apart)) if np.isfinite(apart) else np.inf
    return distance


def _kernels(name: str) -> Iterator[tuple[str, Any, tuple[Any, ...]]]:
    """Files, functions and arguments of the kernels of a program: its value, and its adjoint by every method."""
    from programs import PROGRAMS
    from programs.axes import METHODS

    function = tl.function(PROGRAMS[name].function)
    arguments = PROGRAMS[name].arguments(np.random.default_rng(0))
    yield f"{name}-value.tlk", function, arguments
    for method in METHODS:
        value, pullback = tl.vjp(function, *arguments, method=method)
        given = (*pullback.primals, *pullback.cotangents(ones_like(value)))
        try:
            tl.compile(pullback.derivative, given)
        except tl.FrontendError as refusal:  # its bounds are arguments of the derivative, and must be constants
            print(f"{name}, {method}: {refusal}")
        else:
            yield f"{name}-{method}.tlk", pullback.derivative, given


def ones_like(value: Any) -> Any:
    """A cotangent for every result."""
    if isinstance(value, tuple):
        return tuple(map(ones_like, value))
    return np.ones_like(value) if isinstance(value, np.ndarray) else type(value)(1)


def _leaves(value: Any) -> list[Any]:
    return [leaf for part in value for leaf in _leaves(part)] if isinstance(value, tuple) else [value]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("step", choices=("make", "run"))
    parser.add_argument("folder", type=Path)
    parser.add_argument("--only", default="", help="make only programs with this in their names")
    parser.add_argument("--target", default="cuda:sm_90")
    parser.add_argument("--processes", type=int, default=1, help="how many compile side by side")
    given = parser.parse_args()
    if given.step == "make":
        make(given.folder, given.only, given.target, given.processes)
    elif run(given.folder):
        sys.exit(1)


if __name__ == "__main__":
    main()
