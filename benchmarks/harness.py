"""The frame of every benchmark: the command line, alternating timed rounds, records, and bars.

```python
run = Run.from_command_line("primal")
if run.wants("saxpy"):
    times = run.compare("saxpy", "n=1e6", {"tapeless": f, "c": g, "jax": h})
    run.bar("saxpy", "n=1e6", "ratio_to_best_peer", times["tapeless"] / times["c"], at_most=1.10)
run.finish()
```
Contestants are functions without arguments that return their result; results are compared before any time is taken.
"""

from __future__ import annotations

import argparse
import fnmatch
import json
import os
import statistics
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import machine
import numpy as np

Contestant = Callable[[], Any]
Clock = Callable[[], float]
MIN_ROUNDS = 7


def now() -> float:
    """Seconds of the processor where the process has one, which others on the machine do not lengthen; else by the
    clock."""
    is_single = hasattr(os, "sched_getaffinity") and len(os.sched_getaffinity(0)) == 1
    return time.process_time() if is_single else time.perf_counter()


@dataclass
class Run:
    """One execution of a benchmark file."""

    benchmark: str
    quick: bool = False
    only: str = "*"
    json_file: Path | None = None
    clock: Clock = now
    end: float = float("inf")
    records: list[dict[str, Any]] = field(default_factory=list)
    left_out: list[str] = field(default_factory=list)

    @classmethod
    def from_command_line(cls, benchmark: str) -> Run:
        """Reads `--quick`, `--only PATTERN`, `--json FILE` and `--minutes M`."""
        parser = argparse.ArgumentParser(description=f"benchmark {benchmark}")
        parser.add_argument("--quick", action="store_true", help="small sizes and short rounds")
        parser.add_argument("--only", default="*", metavar="PATTERN", help="programs to run, with * and ?")
        parser.add_argument("--json", type=Path, metavar="FILE", help="where the records go")
        parser.add_argument("--minutes", type=float, default=float("inf"), help="after which no program is begun")
        options = parser.parse_args()
        end = time.monotonic() + 60.0 * options.minutes
        return cls(benchmark, options.quick, options.only, options.json, end=end)

    def wants(self, program: str) -> bool:
        """Whether the command line asks for this program, and leaves time for it."""
        if not (fnmatch.fnmatch(program, self.only) or self.only in program):
            return False
        if time.monotonic() < self.end:
            return True
        self.left_out.append(program)
        return False

    def compare(
        self,
        program: str,
        size: str,
        contestants: Mapping[str, Contestant],
        *,
        rtol: float = 1e-9,
        atol: float = 1e-12,
        **labels: Any,
    ) -> dict[str, float]:
        """Checks that all contestants agree, times them in turns, records and returns each median in seconds.

        `labels` are `metric` (default `primal_s`), `method`, `target` and `threads`.
        """
        check_agreement(program, contestants, rtol, atol)
        samples = timed_rounds(contestants, 0.002 if self.quick else 0.02, self.clock)
        metric = labels.pop("metric", "primal_s")
        for name, seconds in samples.items():
            median = statistics.median(seconds)
            self.record(program, size, metric, median, "s", contestant=name, minimum=min(seconds), **labels)
        return {name: statistics.median(seconds) for name, seconds in samples.items()}

    def record(self, program: str, size: str, metric: str, value: float, unit: str, **labels: Any) -> dict[str, Any]:
        """Adds one measurement and prints it."""
        defaults = {"contestant": "tapeless", "method": None, "target": "cpu", "threads": 1}
        names = {"benchmark": self.benchmark, "program": program, "size": size}
        entry = names | defaults | labels | {"metric": metric, "value": value, "unit": unit}
        self.records.append(entry)
        print(f"{program:24} {size:20} {entry['contestant']:12} {metric:20} {value:12.6g} {unit}", flush=True)
        return entry

    def bar(
        self,
        program: str,
        size: str,
        metric: str,
        value: float,
        *,
        at_most: float | None = None,
        at_least: float | None = None,
        unit: str = "",
        **labels: Any,
    ) -> bool:
        """Records a value together with its limit; returns whether the limit is met."""
        met = (at_most is None or value <= at_most) and (at_least is None or value >= at_least)
        limit = {"at_most": at_most} if at_most is not None else {"at_least": at_least}
        entry = self.record(program, size, metric, value, unit, **labels)
        entry["bar"] = {**limit, "met": met}
        relation, bound = ("<=", at_most) if at_most is not None else (">=", at_least)
        print(f"    {'met' if met else 'MISSED'}: {value:.4g} {relation} {bound:g} {unit}", flush=True)
        return met

    def finish(self) -> None:
        """Writes the records and prints how many bars were met."""
        if self.json_file is not None:
            self.json_file.parent.mkdir(parents=True, exist_ok=True)
            content = {**machine.header(), "records": self.records, "left_out": self.left_out}
            self.json_file.write_text(json.dumps(content, indent=1) + "\n")
        bars = [entry["bar"]["met"] for entry in self.records if "bar" in entry]
        print(f"{sum(bars)} bars met, {len(bars) - sum(bars)} missed")
        if self.left_out:
            print(f"left out for lack of time: {', '.join(self.left_out)}")


def check_agreement(program: str, contestants: Mapping[str, Contestant], rtol: float, atol: float) -> None:
    """Raises AssertionError when a contestant's result differs from the first one's."""
    results = {name: call() for name, call in contestants.items()}
    reference_name, reference = next(iter(results.items()))
    for name, result in results.items():
        for expected, actual in zip(flatten(reference), flatten(result), strict=True):
            message = f"{program}: {name} and {reference_name} disagree"
            np.testing.assert_allclose(np.asarray(actual), np.asarray(expected), rtol, atol, err_msg=message)


def flatten(result: Any) -> list[Any]:
    """The leaves of nested tuples."""
    if isinstance(result, tuple):
        return [leaf for part in result for leaf in flatten(part)]
    return [result]


def timed_rounds(
    contestants: Mapping[str, Contestant], sample_seconds: float, clock: Clock = now
) -> dict[str, list[float]]:
    """Seconds per call in each round; contestants take turns, and another one begins each round."""
    repeats = {name: repeats_for(call, sample_seconds, clock) for name, call in contestants.items()}
    samples: dict[str, list[float]] = {name: [] for name in contestants}
    order = list(contestants)
    for round_number in range(max(MIN_ROUNDS, len(order))):
        shift = round_number % len(order)
        for name in order[shift:] + order[:shift]:
            samples[name].append(seconds_per_call(contestants[name], repeats[name], clock))
    return samples


def repeats_for(call: Contestant, sample_seconds: float, clock: Clock = now) -> int:
    """How many calls make up one sample, so that the clock's resolution does not matter."""
    call()
    return max(1, int(sample_seconds / max(seconds_per_call(call, 1, clock), 1e-9)))


def seconds_per_call(call: Contestant, repeats: int, clock: Clock = now) -> float:
    """Mean time of a call over `repeats` calls in a row."""
    start = clock()
    for _ in range(repeats):
        call()
    return (clock() - start) / repeats
