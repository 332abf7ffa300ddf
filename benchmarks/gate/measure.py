"""Processor times of rows over those of their references; run as a process of its own, it prints them as JSON.

`python -m gate.measure [--slow ROW=FACTOR] ROW ...` in the folder `benchmarks`. Samples of a row and of its reference
alternate, a third of a millisecond each, so that both meet the same clock and the same neighbours. The least time of
many is what counts: other processes take caches and clock rate away for a while, never the whole time, and never make
code faster.
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

from gate.places import Places
from gate.references import Reference, prepared
from gate.rows import ROWS, Row

Call = Callable[[], Any]
SAMPLE_SECONDS = 0.0003
# How often a row is sampled in a round, and how many rounds there are, for calls and for compilations.
RUNS, RUN_ROUNDS = 2, 50
COMPILATIONS, COMPILE_ROUNDS = 1, 3


@dataclass(frozen=True)
class Timed:
    """A call, how often it is made for one sample, and what is done before."""

    call: Call
    repeats: int = 1
    before: Call = lambda: None

    def seconds(self) -> float:
        self.before()
        start = time.process_time()
        for _ in range(self.repeats):
            self.call()
        return (time.process_time() - start) / self.repeats


@dataclass
class Pair:
    """A row and its reference, and the least seconds of each."""

    row: Timed
    reference: Timed
    seconds: float = float("inf")
    reference_seconds: float = float("inf")

    def sample(self, times: int) -> None:
        """Takes turns, beginning and ending with the reference."""
        self.reference_seconds = min(self.reference_seconds, self.reference.seconds())
        for _ in range(times):
            self.seconds = min(self.seconds, self.row.seconds())
            self.reference_seconds = min(self.reference_seconds, self.reference.seconds())

    def result(self) -> dict[str, float]:
        return {"seconds": self.seconds, "reference": self.reference_seconds}


def repeats_for(call: Call) -> int:
    """So many calls that a sample is long for the clock."""
    call()
    return max(1, int(SAMPLE_SECONDS / max(Timed(call, 3).seconds(), 1e-9)))


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
    """A call of the compiled row, whose arrays lie where they do in every process."""
    kernel = row.kernel()
    put = Places()
    arguments = tuple(map(put, row.given()))
    return lambda: kernel(*arguments)


def measured(
    rows: Sequence[Row], references: Mapping[str, Reference], slow: Mapping[str, float]
) -> dict[str, dict[str, float]]:
    """The least seconds of each row and of its reference.

    What is compiled for its compile time comes first: later, a kernel in use would be found in its place.
    """
    compiled = [row for row in rows if row.compiles]
    executed = [row for row in rows if not row.compiles]
    calls = {row.name: compilation(row) for row in compiled}
    found = in_turns(compiled, _with_delays(calls, slow), references, COMPILE_ROUNDS)
    calls = {row.name: execution(row) for row in executed}
    return found | in_turns(executed, _with_delays(calls, slow), references, RUN_ROUNDS)


def in_turns(
    rows: Sequence[Row], calls: Mapping[str, Call], references: Mapping[str, Reference], rounds: int
) -> dict[str, dict[str, float]]:
    """All rows beside their references, each of them in every round."""
    pairs: dict[str, Pair] = {}
    for row in rows:
        own, reference = calls[row.name], references[row.reference_here()]
        if row.compiles:  # code in cycles of references is found again until these are collected
            pairs[row.name] = Pair(Timed(own, before=gc.collect), Timed(reference, before=gc.collect))
        else:
            pairs[row.name] = Pair(Timed(own, repeats_for(own)), Timed(reference, repeats_for(reference)))
    for _ in range(rounds):
        for row in rows:
            pairs[row.name].sample(COMPILATIONS if row.compiles else RUNS)
    return {name: pair.result() for name, pair in pairs.items()}


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
