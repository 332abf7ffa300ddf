"""Runs benchmarks and writes the report: `make bench`, `make bench ONLY=primal`, `make bench ONLY='untuned:*kalman*'`.

Each benchmark is a process of its own, whose lines are shown with how far the whole is. Results go to
`results/<benchmark>.json`, and beside earlier ones to `results/history`, which the report looks back on.

`make bench MINUTES=60` shares the minutes out: a benchmark begins no program after its share, and names those left out.
"""

from __future__ import annotations

import argparse
import json
import math
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fnmatch import fnmatch
from pathlib import Path

BENCHMARKS = Path(__file__).parents[1]
RESULTS = BENCHMARKS / "results"
# What needs a machine of its own: its page says how to run it.
ELSEWHERE = ("gpu", "machine", "harness")
# Benchmarks in folders, and with what they are run. The last one has the most programs, and takes what time is left.
FOLDERS = {
    "imported": ("imported/run.py", "--sizes", "middle"),
    "untuned": ("untuned/run.py", "--methods", "redundant,reversible,coarsened"),
}
# Parts of the time, where a benchmark has more of them than one.
PARTS = {"untuned": 12, "imported": 3, "redundant": 3, "adbench": 3}


@dataclass(frozen=True)
class Benchmark:
    """A name, and what Python is given to run it; `--json FILE` is understood by all.

    So are `--only PATTERN` and `--minutes M`, but by the gate, which has rows and no programs.
    """

    name: str
    command: tuple[str, ...]

    def options(self, programs: str, minutes: float) -> list[str]:
        if self.name == "gate":
            return []
        pattern = ["--only", programs] if programs else []
        return [*pattern, *(["--minutes", f"{minutes:.3g}"] if minutes < math.inf else [])]


def known() -> list[Benchmark]:
    """Files that can be run, and folders that there are."""
    files = sorted(path for path in BENCHMARKS.glob("*.py") if path.stem not in ELSEWHERE)
    found = [Benchmark(path.stem, (path.name,)) for path in files if "__main__" in path.read_text()]
    return [*found, Benchmark("gate", ("-m", "gate")), *(Benchmark(*each) for each in FOLDERS.items())]


def chosen(only: str) -> tuple[list[Benchmark], str]:
    """The benchmarks that a pattern names, and the pattern of programs behind a colon."""
    names, _, programs = only.partition(":")
    found = [each for each in known() if fnmatch(each.name, names)]
    if not found:
        raise SystemExit(f"no benchmark is called '{names}'; there are {', '.join(each.name for each in known())}")
    return found, programs


def run(benchmark: Benchmark, options: Sequence[str], results: Path) -> Iterator[str]:
    """The lines that a benchmark prints; raises CalledProcessError if it fails."""
    command = [sys.executable, "-u", *benchmark.command, "--json", str(results), *options]
    with subprocess.Popen(
        command, cwd=BENCHMARKS, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    ) as process:
        assert process.stdout is not None
        for line in process.stdout:
            yield line.rstrip("\n")
    if process.returncode:
        raise subprocess.CalledProcessError(process.returncode, command)


def keep(results: Path, history: Path) -> None:
    """Copies a file of results to the earlier ones, under its date."""
    when = json.loads(results.read_text())["when"]
    history.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(results, history / f"{results.stem}-{when.replace(':', '').replace('+0000', 'Z')}.json")


def share(minutes: float, benchmarks: Sequence[Benchmark]) -> float:
    """What the first of these benchmarks may take of the minutes that are left for all of them."""
    parts = [PARTS.get(each.name, 1) for each in benchmarks]
    return max(minutes, 0.0) * parts[0] / sum(parts)


def run_all(benchmarks: Sequence[Benchmark], programs: str, minutes: float = math.inf) -> list[str]:
    """Runs all, and names those that failed."""
    failed = []
    start = time.monotonic()
    for number, benchmark in enumerate(benchmarks, start=1):
        results = RESULTS / f"{benchmark.name}.json"
        results.unlink(missing_ok=True)
        try:
            left = minutes - (time.monotonic() - start) / 60.0
            options = benchmark.options(programs, share(left, benchmarks[number - 1 :]))
            for line in run(benchmark, options, results):
                so_far = f"{number}/{len(benchmarks)} {benchmark.name}, {time.monotonic() - start:.0f} s"
                print(f"[{so_far}] {line}", flush=True)
        except subprocess.CalledProcessError as error:
            failed.append(benchmark.name)
            print(f"{benchmark.name} ended with status {error.returncode}", flush=True)
        if results.exists():
            keep(results, RESULTS / "history")
    return failed


def main() -> None:
    parser = argparse.ArgumentParser(prog="suite", description=__doc__)
    parser.add_argument("--only", default="*", metavar="BENCHMARK[:PROGRAM]", help="patterns with * and ?")
    parser.add_argument("--minutes", type=float, default=math.inf, help="for all of them")
    given = parser.parse_args()
    benchmarks, programs = chosen(given.only)
    RESULTS.mkdir(exist_ok=True)
    failed = run_all(benchmarks, programs, given.minutes)
    subprocess.run([sys.executable, "-m", "report"], cwd=BENCHMARKS, check=True)
    if failed:
        raise SystemExit(f"these benchmarks failed: {', '.join(failed)}")


if __name__ == "__main__":
    main()
