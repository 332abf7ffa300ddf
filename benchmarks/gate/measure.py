"""Processor times of rows and of their references, in turns; run as a process of its own, it prints them as JSON.

`python -m gate.measure [--slow ROW=FACTOR] ROW ...` in the folder `benchmarks`. The least time of many short samples is
what is told: other processes take caches and clock rate away for a while, never the whole time, and never make code
faster.
"""

from __future__ import annotations

import argparse
import gc
import json
import os
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from gate.references import Reference, prepared
from gate.rows import ROWS, Row

Call = Callable[[], Any]
SAMPLE_SECONDS = 0.0008
RUN_ROUNDS = 50
COMPILE_ROUNDS = 4


@dataclass
class Least:
    """A call, how often it is made for one sample, what is done before, and the least seconds that one took."""

    call: Call
    repeats: int
    before: Call = lambda: None
    seconds: float = float("inf")

    def sample(self) -> None:
        self.before()
        start = time.process_time()
        for _ in range(self.repeats):
            self.call()
        self.seconds = min(self.seconds, (time.process_time() - start) / self.repeats)


def repeats_for(call: Call) -> int:
    """So many calls that a sample is long for the clock."""
    call()
    least = Least(call, 3)
    least.sample()
    return max(1, int(SAMPLE_SECONDS / max(least.seconds, 1e-9)))


def slowed(call: Call, factor: float) -> Call:
    """The same call with idle work after it, so that it takes `factor` times as long: a slow-down to be found."""

    def slow() -> Any:
        start = time.process_time()
        result = call()
        end = start + factor * (time.process_time() - start)
        while time.process_time() < end:
            pass
        return result

    return slow


@contextmanager
def empty_cache() -> Iterator[Path]:
    """No kernel is found in the cache on disk, whose folder is given."""
    before = os.environ.get("TAPELESS_CACHE_DIR")
    with tempfile.TemporaryDirectory() as folder:
        os.environ["TAPELESS_CACHE_DIR"] = folder
        try:
            yield Path(folder)
        finally:
            os.environ.pop("TAPELESS_CACHE_DIR")
            if before is not None:
                os.environ["TAPELESS_CACHE_DIR"] = before


def compilation(row: Row) -> Call:
    """A compilation of the row, which must find nothing of earlier ones."""

    def compile_once() -> None:
        with empty_cache() as folder:
            row.kernel()
            if not any(folder.rglob("*.kernel")):
                raise RuntimeError(f"'{row.name}' was not compiled: a kernel of it is in use; drop that before")

    return compile_once


def execution(row: Row) -> Call:
    """A call of the compiled row."""
    with empty_cache():
        kernel = row.kernel()
    arguments = row.given()
    return lambda: kernel(*arguments)


def measured(
    rows: Sequence[Row], references: Mapping[str, Reference], slow: Mapping[str, float]
) -> dict[str, dict[str, float]]:
    """Seconds of each row and of its reference.

    What is compiled for its compile time comes first: later, a kernel in use would be found in its place.
    """
    compiled = [row for row in rows if row.compiles]
    executed = [row for row in rows if not row.compiles]
    calls = {row.name: compilation(row) for row in compiled}
    times = in_turns(compiled, _with_delays(calls, slow), references, COMPILE_ROUNDS)
    calls = {row.name: execution(row) for row in executed}
    return times | in_turns(executed, _with_delays(calls, slow), references, RUN_ROUNDS)


def in_turns(
    rows: Sequence[Row], calls: Mapping[str, Call], references: Mapping[str, Reference], rounds: int
) -> dict[str, dict[str, float]]:
    """The least time of each row and of its reference, all of them once in each round."""
    pairs: dict[str, tuple[Least, Least]] = {}
    for row in rows:
        both = (calls[row.name], references[row.reference])
        if row.compiles:  # code in cycles of references is found again until these are collected
            pairs[row.name] = (Least(both[0], 1, gc.collect), Least(both[1], 1, gc.collect))
        else:
            pairs[row.name] = (Least(both[0], repeats_for(both[0])), Least(both[1], repeats_for(both[1])))
    for _ in range(rounds):
        for pair in pairs.values():
            for each in pair:
                each.sample()
    return {name: {"seconds": own.seconds, "reference": other.seconds} for name, (own, other) in pairs.items()}


def _with_delays(calls: Mapping[str, Call], slow: Mapping[str, float]) -> dict[str, Call]:
    return {name: slowed(call, slow[name]) if name in slow else call for name, call in calls.items()}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("rows", nargs="*", metavar="ROW", help="names of rows; without any, all")
    parser.add_argument("--slow", action="append", default=[], metavar="ROW=FACTOR", help="plants a slow-down")
    given = parser.parse_args()
    slow = {name: float(factor) for name, _, factor in (each.rpartition("=") for each in given.slow)}
    with tempfile.TemporaryDirectory() as folder:
        rows = [ROWS[name] for name in given.rows or ROWS]
        print(json.dumps(measured(rows, prepared(Path(folder)), slow)))


if __name__ == "__main__":
    main()
