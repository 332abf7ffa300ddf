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


def make(folder: Path, only: str = "", target: str = "cuda:sm_90") -> None:
    """Compiles all programs with the word `only` in their names, and what the CPU says of them."""
    folder.mkdir(parents=True, exist_ok=True)
    cases = []
    for name, function, arguments, tolerance in _kernels(only):
        expected = tl.compile(function, arguments)(*arguments)
        file = f"{name}.tlk"
        tl.compile(function, arguments, target=target).save(folder / file)
        cases.append(Case(file, arguments, expected, max(tolerance, LEAST_TOLERANCE)))
    (folder / CASES).write_bytes(pickle.dumps(cases))
    print(f"{len(cases)} kernels")


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


def _kernels(only: str) -> Iterator[tuple[str, Any, tuple[Any, ...], float]]:
    """Names, functions and arguments of all kernels, with the tolerances of their programs."""
    from programs import PROGRAMS
    from programs.axes import METHODS

    for name, program in PROGRAMS.items():
        if only not in name:
            continue
        function = tl.function(program.function)
        arguments = program.arguments(np.random.default_rng(0))
        yield f"{name}-value", function, arguments, program.tolerance
        for method in METHODS:
            value, pullback = tl.vjp(function, *arguments, method=method)
            given = (*pullback.primals, *pullback.cotangents(ones_like(value)))
            try:
                tl.compile(pullback.derivative, given)
            except tl.FrontendError as refusal:  # its bounds are arguments of the derivative, and must be constants
                print(f"{name}, {method}: {refusal}")
            else:
                yield f"{name}-{method}", pullback.derivative, given, program.tolerance


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
    given = parser.parse_args()
    if given.step == "make":
        make(given.folder, given.only, given.target)
    elif run(given.folder):
        sys.exit(1)


if __name__ == "__main__":
    main()
