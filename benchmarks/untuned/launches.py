"""What programs launch on a GPU at a size, without one: they are compiled up to their launch plans, worst ones first.

`python benchmarks/untuned/launches.py --field graphs --size large` prints a line for each program and spelling: how
many launches a call has, and the kernel that takes longest: launches x (blocks x threads) x operations of a thread.
Times are guesses from these numbers, good for an order and nothing else.
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
import sys
from collections.abc import Iterator
from dataclasses import dataclass, replace
from fnmatch import fnmatch
from pathlib import Path
from typing import Any
from unittest import mock

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from untuned.bundles import TARGET
from untuned.program import Program
from untuned.programs import PROGRAMS
from untuned.quantities import of_tapeless

# Guesses, in microseconds: a launch, and an operation of a thread that waits for the one before.
LAUNCH_US, OPERATION_US = 3.0, 0.01
# Operations per microsecond of a whole GPU.
RATE = 5e6


@dataclass(frozen=True)
class Row:
    """A program as it was compiled: launches, why not all were counted, and its slowest kernel."""

    name: str
    launches: int = 0
    guess_us: float = 0.0
    slowest: str = ""
    said: str = ""

    def __str__(self) -> str:
        return f"{self.name:52} {self.launches:8,} launches {self.guess_us:14,.0f} us  {self.slowest}  {self.said}"


def main() -> None:
    parser = argparse.ArgumentParser(description="what programs launch on a GPU, found without one")
    parser.add_argument("--only", default="*", help="programs by name, with * and ?")
    parser.add_argument("--field", default="*", help="fields by name, with * and ?")
    parser.add_argument("--size", default="large", help="which of the sizes of the programs")
    parser.add_argument("--dtype", default="f64", help="of the arguments")
    parser.add_argument("--method", default="redundant", help="of differentiation")
    parser.add_argument("--limit", default=120.0, type=float, help="seconds for a program")
    parser.add_argument("--json", type=Path, help="where rows go as well")
    options = parser.parse_args()
    rows: list[Row] = []
    for program, spelling in _wanted(options.only, options.field):
        rows.append(_in_a_process(program, spelling, options))
        print(rows[-1], flush=True)
        if options.json is not None:
            options.json.write_text(json.dumps([vars(row) for row in rows], indent=1))
    print("\nworst first")
    for row in sorted(rows, key=lambda row: row.guess_us, reverse=True):
        print(row)


def _wanted(only: str, field: str) -> Iterator[tuple[Program, str]]:
    for program in PROGRAMS.values():
        if fnmatch(program.name, only) and fnmatch(program.field, field):
            yield from ((program, spelling) for spelling in program.spellings if spelling not in program.refused)


def _in_a_process(program: Program, spelling: str, options: argparse.Namespace) -> Row:
    context = multiprocessing.get_context("fork")
    ours, theirs = context.Pipe()
    process = context.Process(target=_answer, args=(theirs, program, spelling, options))
    process.start()
    theirs.close()
    name = f"{program.name}, {spelling}"
    try:
        return ours.recv() if ours.poll(options.limit) else Row(name, said=f"nothing came for {options.limit:.0f} s")
    except EOFError:
        return Row(name, said="the process ended")
    finally:
        process.kill()
        process.join()


def _answer(answer: Any, program: Program, spelling: str, options: argparse.Namespace) -> None:
    try:
        answer.send(_row(program, spelling, options))
    except Exception as error:
        answer.send(Row(f"{program.name}, {spelling}", said=f"{type(error).__name__}: {str(error)[:100]}"))


def _row(program: Program, spelling: str, options: argparse.Namespace) -> Row:
    import tapeless as tl
    from tapeless.backend import targets
    from tapeless.runtime.cuda.launch_lines import surveyed

    function = of_tapeless(program, spelling, options.method)
    arguments = program.arguments(options.size, options.dtype)
    plans = replace(targets.CUDA, generate=_plan_alone)
    with (
        mock.patch.dict(targets.TARGETS, cuda=plans),
        mock.patch("tapeless.backend.cache.load", lambda key: None),
        mock.patch("tapeless.backend.cache.store", lambda *entry: None),
    ):
        kernel = tl.compile(function, arguments, method=options.method, target=TARGET, checks="off")
    done = surveyed(kernel._code, kernel.interface.flat_names, kernel.interface.origin, kernel._flat(arguments))
    costs = {kernel.name: _microseconds(kernel) for kernel in done.by_work()}
    slowest = max(done.by_work(), key=lambda kernel: costs[kernel.name], default=None)
    text = (
        ""
        if slowest is None
        else (f"{slowest.line} {slowest.launches:,} x ({slowest.blocks:,} x {slowest.threads_each}) x {slowest.work:,}")
    )
    said = done.end + (" heap" if done.takes_from_heap else "")
    return Row(f"{program.name}, {spelling}", done.total, sum(costs.values()), text, said)


def _microseconds(kernel: Any) -> float:
    alone, together = kernel.total_work * OPERATION_US, kernel.total_work * kernel.threads / RATE
    return kernel.launches * LAUNCH_US + max(alone, together)


def _plan_alone(module: Any, machine: Any, measure: Any = None) -> Any:
    """The plan of a module without its kernels, of which PTX would be made."""
    from tapeless._mlir import ir
    from tapeless.abi import PLAN_ATTRIBUTE
    from tapeless.runtime.cuda.image import DeviceImage
    from tapeless.runtime.cuda.kernel_source import Ptx

    return DeviceImage(Ptx(b""), ir.StringAttr(module.operation.attributes[PLAN_ATTRIBUTE]).value, machine.cpu)


if __name__ == "__main__":
    main()
