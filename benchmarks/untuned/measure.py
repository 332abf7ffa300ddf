"""The process that does one task: compiles, compares and times contestants, and tells what it does line by line.

Lines are objects of JSON: `{"begin": title}` before a contestant is prepared, `{"timing": true}` before the rounds,
`{"waiting": true}` while another process has the GPU, `{"rows": [...]}` at the end.
"""

from __future__ import annotations

import json
import os
import statistics
import sys
import time
from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import dataclass
from functools import partial
from typing import Any, TextIO

from float_mode import set_denormals

from untuned.contestants import Ready, jax_in_double_precision, prepare, warm_up
from untuned.program import Program
from untuned.quantities import deviation, leaves
from untuned.side_by_side import turn
from untuned.task import Contestant, Task, empty_row

# Of the largest element of each array.
AGREES = {"f64": 1e-8, "f32": 1e-3}
LONGEST_MESSAGE = 600
ROUNDS = 20
FEWEST_ROUNDS = 3
FIRST_CALLS_ON_GPU, MOST_FIRST_SECONDS = 5, 2.0

# Enters what has the GPU for this process alone.
Alone = Callable[[], AbstractContextManager[None]]


@dataclass
class Entry:
    """A contestant, its row, and what it is called by once it is ready."""

    contestant: Contestant
    row: dict[str, Any]
    ready: Ready | None = None
    found: Any = None
    first: float = 0.0
    first_processor: float = 0.0


def run(task: Task, lines: TextIO) -> None:
    """Does a task and writes lines."""

    def tell(**line: Any) -> None:
        print(json.dumps(line), file=lines, flush=True)

    tell(begin="")
    pin(task)
    if task.target == "cpu":
        set_denormals(task.denormals)
    warm_up(task)
    program = task.record
    arguments = program.arguments(task.size, task.dtype)
    entries = [Entry(each, empty_row(program, task, each)) for each in task.contestants]
    entries = [entry for entry in entries if entry.contestant.title not in task.skipped]
    alone = partial(turn, task.turns, partial(tell, waiting=True))
    for entry in entries:
        tell(begin=entry.contestant.title)
        make_ready(entry, program, task, arguments, alone)
    tell(begin="reference")
    compare(entries, program, task, arguments, alone)
    with alone():
        tell(timing=True)
        first_calls = FIRST_CALLS_ON_GPU if task.target == "cuda" else 1
        time_in_turns([entry for entry in entries if entry.ready is not None], task.seconds, first_calls, task.longest)
    tell(rows=[entry.row for entry in entries])


def pin(task: Task) -> None:
    """Has the process, and the threads that libraries start, run on as many processors as the task has threads."""
    if task.target == "cpu" and hasattr(os, "sched_setaffinity"):
        given = task.processors or sorted(os.sched_getaffinity(0))
        os.sched_setaffinity(0, given[: task.threads])


def make_ready(entry: Entry, program: Program, task: Task, arguments: tuple[Any, ...], alone: Alone) -> None:
    """Compiles and calls once; what is raised is why the contestant does not take part."""
    wall, processor = time.perf_counter(), time.process_time()
    try:
        ready = prepare(entry.contestant, program, task, arguments)
        prepared = time.perf_counter() - wall
        with alone():
            wall = time.perf_counter()
            entry.found = leaves(ready.call())
            entry.first = prepared + time.perf_counter() - wall
            entry.first_processor = time.process_time() - processor
            entry.row["peak_bytes"] = ready.peak()
        entry.row["code_bytes"] = ready.code_bytes()
        entry.ready = ready
    except Exception as error:
        entry.row["refused"] = f"{type(error).__name__}: {error}"[:LONGEST_MESSAGE]


def compare(entries: list[Entry], program: Program, task: Task, arguments: tuple[Any, ...], alone: Alone) -> None:
    """How far every result is from JAX's in double precision, or from the first one's where JAX does not take part."""
    found = [entry for entry in entries if entry.ready is not None]
    if not found:
        return
    by_jax = [entry for entry in found if entry.contestant.name == "jax"]
    reference = (by_jax or found)[0].found
    if by_jax and task.dtype != "f64":
        call = jax_in_double_precision(program, arguments)
        with alone():
            reference = call()
    for entry in found:
        entry.row["deviation"] = deviation(entry.found, reference)
        entry.row["agrees"] = entry.row["deviation"] <= AGREES[task.dtype]
        if task.dtype == "f32" and not entry.row["agrees"]:
            name = entry.contestant.spelling or entry.contestant.name
            entry.row["excused"] = program.in_f32.get(name)
        entry.found = None


def time_in_turns(entries: list[Entry], seconds: float, first_calls: int = 1, longest: float = 10.0) -> None:
    """Rounds in which contestants take turns, each round begun by another one, for so many seconds in all.

    There are at least three rounds, unless one takes longer than all the seconds. So many calls before them have
    whoever records calls on a GPU do so; a contestant whose call takes more than `longest` seconds takes no part in
    the rounds, and that call is its time.
    """
    once = [_of_first_calls(_ready(entry).call, first_calls) for entry in entries]
    for entry, taken in zip(entries, once, strict=True):
        if taken[0] > longest:
            _write_times(entry, [taken])
    pairs = [(entry, taken[0]) for entry, taken in zip(entries, once, strict=True) if taken[0] <= longest]
    if not pairs:
        return
    share = seconds / (ROUNDS * len(pairs))
    calls = [_ready(entry).call for entry, _ in pairs]
    repeats = [max(1, int(share / max(wall, 1e-9))) for _, wall in pairs]
    fewest = FEWEST_ROUNDS if sum(wall for _, wall in pairs) < seconds else 1
    samples: list[list[tuple[float, float]]] = [[] for _ in pairs]
    end = time.perf_counter() + seconds
    rounds = 0
    while rounds < fewest or (time.perf_counter() < end and rounds < ROUNDS):
        for place in range(len(pairs)):
            turn = (place + rounds) % len(pairs)
            samples[turn].append(per_call_and_processor(calls[turn], repeats[turn]))
        rounds += 1
    for (entry, _), timed in zip(pairs, samples, strict=True):
        _write_times(entry, timed)


def _write_times(entry: Entry, timed: list[tuple[float, float]]) -> None:
    """The row's times, from seconds of calls by the clock and of the processor."""
    walls = [wall for wall, _ in timed]
    entry.row["seconds_min"], entry.row["seconds_median"] = min(walls), statistics.median(walls)
    entry.row["processor_seconds_min"] = min(each for _, each in timed)
    here = entry.first - min(walls), entry.first_processor - entry.row["processor_seconds_min"]
    wall, processor = _ready(entry).compiled or here
    entry.row["compile_seconds"], entry.row["compile_processor_seconds"] = max(0.0, wall), max(0.0, processor)


def _ready(entry: Entry) -> Ready:
    assert entry.ready is not None
    return entry.ready


def _of_first_calls(call: Any, count: int) -> tuple[float, float]:
    """The shortest of the first calls, of which slow ones are few: seconds by the clock and of the processor."""
    taken: list[tuple[float, float]] = []
    while not taken or (len(taken) < count and sum(wall for wall, _ in taken) < MOST_FIRST_SECONDS):
        taken.append(per_call_and_processor(call, 1))
    return min(taken)


def per_call_and_processor(call: Any, repeats: int) -> tuple[float, float]:
    """Seconds of a call by the clock and of processors, the mean of so many in a row."""
    processor, start = time.process_time(), time.perf_counter()
    for _ in range(repeats):
        call()
    wall = time.perf_counter() - start
    return wall / repeats, (time.process_time() - processor) / repeats


if __name__ == "__main__":
    # Lines go where standard output went; what libraries print goes to the errors.
    with os.fdopen(os.dup(1), "w") as own:
        os.dup2(2, 1)
        run(Task.from_json(sys.argv[1]), own)
