"""Derivatives by `coarsened` at the edges of floats on a GPU, from bundles: what is finite on the CPU is finite there.

`edges_on_gpu.py make FOLDER` compiles the tables of loops, expressions and functions, without a GPU, and runs them on
the CPU; `edges_on_gpu.py run FOLDER` runs them on one, where numpy, the driver and the runtime of Tapeless are all that
is needed.
"""

from __future__ import annotations

import argparse
import pickle
import sys
import tempfile
import zlib
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from functools import partial
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import numpy as np

import tapeless as tl

CASES = "cases.pickle"
DTYPES = {"f64": "float64", "f32": "float32"}
PRECISION = {"f64": 1e-8, "f32": 1e-2}
COUNTS = (3, 20)
FUNCTIONS = "functions"
POINTS = 60
MILD = np.random.default_rng(5).uniform(0.3, 1.2, (6, 4))
MOST_NAMED = 3
# Terms of a sum that cancel may be so many times as large as the sum: near the largest float, order decides what is
# infinite then.
CANCELLING = 8.0


@dataclass(frozen=True)
class Call:
    """What a kernel is called with and what the CPU gives; with a precision, all numbers must agree so far."""

    arguments: tuple[Any, ...]
    expected: Any
    precision: float | None


@dataclass
class Kernel:
    """A function of a case, and its calls; in a folder it is the bundle of this name."""

    function: Any
    calls: list[Call] = field(default_factory=list)

    @property
    def arguments(self) -> tuple[Any, ...]:
        """Those it is compiled for."""
        return self.calls[0].arguments

    def saved(self, folder: Path, name: str, target: str) -> Kernel:
        """The same with a bundle in place of the function."""
        tl.compile(self.function, self.arguments, target=target).save(folder / name)
        return Kernel(name, self.calls)

    def faults(self, kernel: Callable[..., Any]) -> list[str]:
        """What is wrong with what a compiled kernel gives, by calls."""
        found = [(call, wrong) for call in self.calls if (wrong := _wrong(kernel(*call.arguments), call))]
        return [f"{wrong} at {call.arguments}" for call, wrong in found]


def _wrong(found: Any, call: Call) -> str:
    """What is wrong with a result, if anything is."""
    for one, other in zip(_leaves(found), _leaves(call.expected), strict=True):
        one, other = np.asarray(one), np.asarray(other)
        excused = _may_overflow(one, other) | _has_infinite_reciprocal(call.arguments, other.shape)
        lost = np.argwhere(np.isfinite(other) & ~np.isfinite(one) & ~excused)
        if len(lost):
            place = tuple(lost[0])
            return f"{one[place]} instead of {other[place]}, and {len(lost) - 1} more,"
        near = call.precision
        if near is not None and not np.allclose(one, other, near, near * 1e-3, equal_nan=True):
            return f"{one} instead of {other}"
    return ""


def _may_overflow(found: np.ndarray, expected: np.ndarray) -> np.ndarray:
    """Where a result is infinite, and so near the largest float that another order of its terms makes it so."""
    near = np.abs(expected) > np.finfo(expected.dtype).max / CANCELLING
    return near & (found == np.copysign(np.inf, expected))


def _has_infinite_reciprocal(arguments: tuple[Any, ...], shape: tuple[int, ...]) -> np.ndarray:
    """Where an argument is so small that 1 over it is infinite: quotients may be products with it, or divisions."""
    found = np.zeros(shape, bool)
    for argument in arguments:
        if isinstance(argument, np.ndarray) and argument.shape == shape and argument.dtype.kind == "f":
            with np.errstate(over="ignore", divide="ignore"):
                found |= (argument != 0.0) & np.isinf(1.0 / argument)
    return found


def _leaves(value: Any) -> list[Any]:
    return [leaf for part in value for leaf in _leaves(part)] if isinstance(value, tuple | list) else [value]


class Recorder:
    """Calls of functions on the CPU, kept by function."""

    def __init__(self) -> None:
        self.kernels: list[Kernel] = []
        self.precision: float | None = None

    def recorded(self, function: Any) -> Callable[..., Any]:
        """A function that keeps what it is called with and what it gives."""
        kernel = Kernel(function)
        self.kernels.append(kernel)

        def call(*arguments: Any) -> Any:
            result = function(*arguments)
            kernel.calls.append(Call(arguments, result, self.precision))
            return result

        return call


def cases() -> list[str]:
    """The names of all cases: a step, a place and a type of floats, or an expression and a type."""
    from tests.unit.phi.edge_programs import EXPRESSIONS
    from tests.unit.phi.loops.edge_loops import PLACES, STEPS

    loops = [f"{step} in {place} in {kind}" for step in STEPS for place in PLACES for kind in DTYPES]
    expressions = [f"{text} in {kind}" for texts in EXPRESSIONS.values() for text in texts for kind in DTYPES]
    return [*loops, *expressions, *(f"{FUNCTIONS} in {kind}" for kind in DTYPES)]


def kernels_of(case: str) -> list[Kernel]:
    """The functions of a case, with their calls on the CPU."""
    from tests.unit.phi.loops.edge_loops import STEPS

    step, *place, kind = case.split(" in ")
    recorder = Recorder()
    call = _call_functions if step == FUNCTIONS else _call_loops if step in STEPS else _call_expression
    call(recorder, step, " in ".join(place), kind)
    return recorder.kernels


def _call_loops(recorder: Recorder, step: str, place: str, kind: str) -> None:
    from tests.unit.phi.loops.edge_loops import derivatives, edge_points

    run = derivatives(step, place, "coarsened", kind, recorder.recorded)
    for count in COUNTS:
        run(edge_points(DTYPES[kind], POINTS), count)
    recorder.precision = PRECISION[kind]
    run(MILD.astype(DTYPES[kind]), 4)


def _call_expression(recorder: Recorder, text: str, _: str, kind: str) -> None:
    from tests.unit.phi.edge_programs import edge_points, kernel

    with tempfile.TemporaryDirectory() as folder:
        run = recorder.recorded(kernel(text, "coarsened", Path(folder), kind))
        for points in (edge_points(kind), [tuple(point[:3]) for point in MILD]):
            run(*(np.array(column, DTYPES[kind]) for column in zip(*points, strict=True)))
            recorder.precision = PRECISION[kind]


def _call_functions(recorder: Recorder, _: str, __: str, kind: str) -> None:
    from tests.unit.gpu.edge_functions import programs

    recorder.precision = PRECISION[kind]
    recorded: dict[Any, Callable[..., Any]] = {}
    for function, arguments in programs(kind):
        if function not in recorded:
            recorded[function] = recorder.recorded(function)
        recorded[function](*arguments)


def make(folder: Path, chosen: Iterable[str], target: str = "cuda:sm_90", processes: int = 1) -> None:
    """Compiles the chosen cases, and what the CPU says of them."""
    folder.mkdir(parents=True, exist_ok=True)
    save = partial(_saved, folder, target)
    if processes == 1:
        made = {case: save(case) for case in chosen}
    else:
        chosen = list(chosen)
        with get_context("spawn").Pool(processes, maxtasksperchild=20) as pool:
            made = dict(zip(chosen, pool.imap(save, chosen), strict=True))
    (folder / CASES).write_bytes(pickle.dumps(made))
    print(f"{len(made)} cases")


def _saved(folder: Path, target: str, case: str) -> list[Kernel]:
    name = f"{zlib.crc32(case.encode()):08x}"
    return [kernel.saved(folder, f"{name}-{k}.tlk", target) for k, kernel in enumerate(kernels_of(case))]


def run(folder: Path) -> dict[str, list[str]]:
    """What is wrong, by case."""
    wrong, calls = {}, 0
    made = pickle.loads((folder / CASES).read_bytes())
    for case, kernels in made.items():
        try:
            faults = [fault for kernel in kernels for fault in kernel.faults(tl.load(folder / kernel.function))]
        except Exception as error:
            faults = [f"{type(error).__name__}: {error}"]
        calls += sum(len(kernel.calls) for kernel in kernels)
        if faults:
            wrong[case] = faults
            print(f"{case}: {len(faults)} faults", *faults[:MOST_NAMED], sep="\n  ")
    print(f"{len(made)} cases, {calls} calls, {len(wrong)} with faults")
    return wrong


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("step", choices=("make", "run"))
    parser.add_argument("folder", type=Path)
    parser.add_argument("--only", default="", help="make only cases with this in their names")
    parser.add_argument("--one-in", type=int, default=1, help="make one in so many cases")
    parser.add_argument("--target", default="cuda:sm_90")
    parser.add_argument("--processes", type=int, default=1, help="how many compile side by side")
    given = parser.parse_args()
    if given.step == "make":
        sys.path.insert(0, str(Path(__file__).parent.parent))
        chosen = [case for case in cases() if given.only in case and zlib.crc32(case.encode()) % given.one_in == 0]
        make(given.folder, chosen, given.target, given.processes)
    elif run(given.folder):
        sys.exit(1)


if __name__ == "__main__":
    main()
