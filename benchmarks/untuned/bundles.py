"""Kernels for GPUs, compiled where the compiler is and loaded where the GPU is."""

from __future__ import annotations

import json
import multiprocessing
import time
from pathlib import Path
from typing import Any

from untuned.program import Program
from untuned.quantities import of_tapeless
from untuned.side_by_side import in_parallel
from untuned.task import Contestant, bundle_file, contestants

TARGET = "cuda:sm_90"
INDEX = "refused.json"


def prepare(
    folder: Path,
    programs: list[Program],
    dtypes: tuple[str, ...],
    methods: tuple[str, ...],
    checks: str,
    limit: float,
    processes: int = 1,
) -> None:
    """Saves a bundle for every spelling, method and dtype; those that are refused are listed in `refused.json`."""
    folder.mkdir(parents=True, exist_ok=True)
    items = [
        (program, contestant, dtype)
        for program in programs
        for dtype in dtypes
        for contestant in (contestants(program, ("tapeless",), methods) if dtype in program.dtypes else ())
    ]

    def save(item: tuple[Program, Contestant, str], processors: tuple[int, ...]) -> tuple[str | None, float]:
        program, contestant, dtype = item
        file = bundle_file(folder, program.name, contestant, dtype)
        start = time.perf_counter()
        reason = _in_a_process(file, program, contestant, dtype, checks, limit)
        return reason, time.perf_counter() - start

    refused: dict[str, str] = {}
    for (program, contestant, dtype), (reason, taken) in in_parallel(save, items, processes):
        if reason is not None:
            refused[bundle_file(folder, program.name, contestant, dtype).name] = reason
        title = f"{program.name}, {contestant.spelling}, {contestant.method}, {dtype}"
        print(f"{title:70} {taken:6.1f} s {'' if reason is None else reason.splitlines()[0][:120]}", flush=True)
    (folder / INDEX).write_text(json.dumps(refused, indent=1))


class Refused(Exception):
    """A program had no bundle made of it, for the reason that the message tells."""


def refuse_if_listed(file: Path) -> None:
    """Raises what was said when the bundle could not be made."""
    index = file.parent / INDEX
    if index.exists() and (reason := json.loads(index.read_text()).get(file.name)):
        raise Refused(reason)


def _in_a_process(file: Path, program: Program, contestant: Contestant, dtype: str, checks: str, limit: float) -> Any:
    """Why the program was not compiled; None where it was."""
    # A fork would copy the locks of the threads that wait for other processes.
    context = multiprocessing.get_context("spawn")
    ours, theirs = context.Pipe()
    process = context.Process(target=_save, args=(theirs, file, program.name, contestant, dtype, checks))
    process.start()
    theirs.close()
    try:
        return ours.recv() if ours.poll(limit) else f"nothing came for {limit:.0f} s"
    except EOFError:
        return "the process ended"
    finally:
        process.kill()
        process.join()


def _save(answer: Any, file: Path, name: str, contestant: Contestant, dtype: str, checks: str) -> None:
    import tapeless as tl
    from untuned.programs import PROGRAMS

    assert contestant.spelling is not None and contestant.method is not None
    program = PROGRAMS[name]
    try:
        function = of_tapeless(program, contestant.spelling, contestant.method)
        arguments = program.arguments("tiny", dtype)
        tl.compile(function, arguments, method=contestant.method, target=TARGET, checks=checks).save(file)
        answer.send(None)
    except Exception as error:
        answer.send(f"{type(error).__name__}: {error}")
