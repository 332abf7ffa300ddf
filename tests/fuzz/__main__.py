"""The command line: `python -m fuzz --seconds 60 --seed 1 --processes 2`."""

from __future__ import annotations

import argparse
import math
import os
import random
import sys
import time
from pathlib import Path

from fuzz import files
from fuzz.families import METHODS, MODULES, TARGETS
from fuzz.report import Report
from fuzz.run import Run, execute


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="fuzz", description="Checks random programs against references.")
    parser.add_argument("--family", choices=tuple(MODULES), default="functions", help="which programs")
    parser.add_argument("--method", choices=tuple(METHODS), help="the gradient of every function by this method alone")
    parser.add_argument("--target", choices=tuple(TARGETS), help="every function on a GPU, from saved kernels")
    parser.add_argument("--seconds", type=float, default=math.inf, help="how long to run (until stopped)")
    parser.add_argument("--seed", type=int, help="the seed of the first program; the next ones follow")
    parser.add_argument("--count", type=int, help="how many programs")
    parser.add_argument("--processes", type=int, default=os.cpu_count() or 1, help="how many processes")
    parser.add_argument("--folder", type=Path, default=Path("build/fuzz"), help="where programs with faults go")
    parser.add_argument("--replay", type=Path, help="check the program of this file once more")
    given = parser.parse_args()
    if (given.method or given.target) and given.family == "procedures":
        parser.error("--method and --target are for functions; leave out --family")
    if given.method and given.target:
        parser.error("with --target the seed decides the method; leave out --method")
    return given


def replay(path: Path) -> int:
    from fuzz.search import check

    fault = check(files.load(path))
    print("no fault" if fault is None else f"{fault}\n{fault.detail}")
    return fault is not None


def main() -> int:
    given = arguments()
    if given.replay:
        return replay(given.replay)
    seed = random.SystemRandom().randrange(10**9) if given.seed is None else given.seed
    check = METHODS.get(given.method) or TARGETS.get(given.target)
    name = f"{given.family}:{check}" if check else given.family
    report = Report(seed)
    report.start()
    execute(Run(name, seed, given.count, time.monotonic() + given.seconds, given.folder, report), given.processes)
    report.end()
    return report.faults > 0


if __name__ == "__main__":
    sys.exit(main())
