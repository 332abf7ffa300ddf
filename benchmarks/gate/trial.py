"""Is the gate to be trusted? Runs of it on a machine that is kept busy, and slow-downs that it must find.

`python -m gate.trial [--runs 20] [--busy 2] [--plant FACTOR]` in the folder `benchmarks`: how often a row was called
slower though nothing had changed, and, with `--plant`, which rows were not found when each takes so many times as long.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from gate import __main__ as gate
from gate.decide import Verdict
from gate.rows import ROWS

# One keeps the arithmetic of a core busy, the other its way to memory; both end with the process that started them.
BUSY = (
    "while os.getppid() == parent: sum(k * k for k in range(10_000))",
    "import numpy as np\na = np.ones(8_000_000)\nwhile os.getppid() == parent: a += 1.0",
)
BEGIN = "import os\nparent = os.getppid()\n"


@contextmanager
def busy(processes: int) -> Iterator[None]:
    """Other processes that compute without end, of both kinds in turns."""
    started = [subprocess.Popen([sys.executable, "-c", BEGIN + BUSY[k % len(BUSY)]]) for k in range(processes)]
    try:
        yield
    finally:
        for each in started:
            each.kill()
            each.wait()


def false_alarms(runs: int) -> Counter[str]:
    """Rows that were called slower, by how many runs; each run is told as it ends."""
    found: Counter[str] = Counter()
    again = 0
    for number in range(1, runs + 1):
        verdicts, _ = gate.check([], [])
        found.update(each.row for each in verdicts if each.is_red)
        again += sum(len(each.attempts) > 1 for each in verdicts)
        worst = max((_share(each), each.row) for each in verdicts if each.range and each.range.limit)
        print(
            f"run {number} of {runs}: {sum(found.values())} false alarms so far, {again} rows measured again, "
            f"nearest to its limit: {worst[1]} at {worst[0]:.0%}",
            flush=True,
        )
    return found


def _share(verdict: Verdict) -> float:
    """How near to its limit a row was, with its best attempt."""
    known = verdict.range
    return min(verdict.attempts) / known.limit if known is not None and known.limit else 0.0


def missed(factor: float) -> list[str]:
    """Rows that are not called slower though each of them takes `factor` times as long."""
    verdicts, _ = gate.check([], [f"{row}={factor}" for row in ROWS])
    return [each.row for each in verdicts if not each.is_red]


def main(given: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=20)
    parser.add_argument("--busy", type=int, default=2, metavar="PROCESSES", help="processes that keep the machine busy")
    parser.add_argument("--plant", type=float, metavar="FACTOR", help="how many times as long all rows take")
    options = parser.parse_args(given)
    with busy(options.busy):
        alarms = false_alarms(options.runs)
        lost = missed(options.plant) if options.plant else []
    for row, count in alarms.items():
        print(f"false alarm: {row}, in {count} of {options.runs} runs")
    for row in lost:
        print(f"not found: {row}")
    if options.plant:
        print(f"{len(ROWS) - len(lost)} of {len(ROWS)} slow-downs of {options.plant:g} found")
    raise SystemExit(int(bool(alarms or lost)))


if __name__ == "__main__":
    main()
