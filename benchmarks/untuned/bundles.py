"""Kernels for GPUs, compiled where the compiler is and loaded where the GPU is."""

from __future__ import annotations

import json
import multiprocessing
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from untuned.program import Program
from untuned.quantities import as_in_jax, of_tapeless
from untuned.side_by_side import in_parallel
from untuned.task import Contestant, bundle_file, contestants, has_fixed_sizes, programs_of

TARGET = "cuda:sm_90"
# Seconds `wall` and `processor`, or why it was `refused`.
Made = dict[str, Any]
INDEX = "made.json"
# Sizes of the arguments that kernels for all sizes are compiled with.
ANY_SIZE = "tiny"


def prepare(
    folder: Path,
    programs: list[Program],
    dtypes: tuple[str, ...],
    methods: tuple[str, ...],
    checks: str,
    limit: float,
    processes: int = 1,
    sizes: tuple[str, ...] = (),
    module: str = "untuned.programs",
) -> None:
    """Saves a bundle for every spelling, method and dtype; `made.json` has seconds of compilation, or refusals.

    Imported programs have one for each of the sizes.
    """
    folder.mkdir(parents=True, exist_ok=True)
    items = [
        Item(module, program.name, contestant, dtype, size)
        for program in programs
        for dtype in dtypes
        for contestant in (contestants(program, ("tapeless",), methods) if dtype in program.dtypes else ())
        for size in (sizes if has_fixed_sizes(program, contestant) else (ANY_SIZE,))
    ]

    def save(item: Item, processors: tuple[int, ...]) -> Made:
        return _in_a_process(item.file(folder), item, checks, limit)

    index: dict[str, Made] = {}
    for item, made in in_parallel(save, items, processes):
        index[item.file(folder).name] = made
        said = f"{made['wall']:6.1f} s" if "wall" in made else made["refused"].splitlines()[0][:120]
        print(f"{item.title:70} {said}", flush=True)
    (folder / INDEX).write_text(json.dumps(index, indent=1))


@dataclass(frozen=True)
class Item:
    """One bundle: a program of a module, the contestant, dtype, and the size of the arguments it is compiled for."""

    module: str
    name: str
    contestant: Contestant
    dtype: str
    size: str

    @property
    def program(self) -> Program:
        return programs_of(self.module)[self.name]

    @property
    def title(self) -> str:
        sizes = () if self.size == ANY_SIZE else (self.size,)
        return ", ".join((self.name, str(self.contestant.spelling), str(self.contestant.method), self.dtype, *sizes))

    def file(self, folder: Path) -> Path:
        return bundle_file(folder, self.program, self.contestant, self.dtype, self.size)


class Refused(Exception):
    """A program had no bundle made of it, for the reason that the message tells."""


def compile_times(file: Path) -> tuple[float, float]:
    """Seconds by the clock and of the processor that the bundle took; raises what was said when there is none."""
    made = json.loads((file.parent / INDEX).read_text())[file.name]
    if "refused" in made:
        raise Refused(made["refused"])
    return made["wall"], made["processor"]


def _in_a_process(file: Path, item: Item, checks: str, limit: float) -> Made:
    """How long the program took, or why it was not compiled."""
    # A fork would copy the locks of the threads that wait for other processes.
    context = multiprocessing.get_context("spawn")
    ours, theirs = context.Pipe()
    process = context.Process(target=_save, args=(theirs, file, item, checks))
    process.start()
    theirs.close()
    try:
        return ours.recv() if ours.poll(limit) else {"refused": f"nothing came for {limit:.0f} s"}
    except EOFError:
        return {"refused": "the process ended"}
    finally:
        process.kill()
        process.join()


def _save(answer: Any, file: Path, item: Item, checks: str) -> None:
    import tapeless as tl

    program, contestant = item.program, item.contestant
    assert contestant.spelling is not None and contestant.method is not None
    try:
        arguments = program.arguments(item.size, item.dtype)
        if has_fixed_sizes(program, contestant):
            arguments = as_in_jax(arguments, item.dtype)
        function = of_tapeless(program, contestant.spelling, contestant.method, arguments)
        # The first kernel of a process loads the compiler.
        tl.compile(tl.function(_twice), (np.ones(3),), target=TARGET)
        wall, processor = time.perf_counter(), time.process_time()
        kernel = tl.compile(function, arguments, method=contestant.method, target=TARGET, checks=checks)
        taken = {"wall": time.perf_counter() - wall, "processor": time.process_time() - processor}
        kernel.save(file)
        answer.send(taken)
    except Exception as error:
        answer.send({"refused": f"{type(error).__name__}: {error}"})


def _twice(x):
    return x * 2.0
