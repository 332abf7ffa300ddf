"""Counts the programs that each pass changes, and writes the table of docs/firing.md.

`python -m firing` takes programs of the tests and of benchmarks/untuned through the pipelines of all methods on both
targets; nothing is run, and no GPU is needed. `make firing` calls it.
"""

from __future__ import annotations

import argparse
import os
import tempfile
from collections import defaultdict
from collections.abc import Iterable
from functools import partial
from multiprocessing import get_context
from pathlib import Path

from firing.cases import METHODS, cases
from firing.table import Counts, page
from firing.walk import Case, Found, start, watch


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", default="", help="programs with this in their names")
    parser.add_argument("--processes", type=int, default=os.cpu_count() or 1, help="by default one for each core")
    parser.add_argument("-o", "--output", type=Path, help="where the page goes; by default it is printed")
    given = parser.parse_args()
    chosen = [case for case in cases() if given.only in " ".join(case)]
    # Benchmarks take longest, and come first, so that no process is left alone with them at the end.
    tasks = [(case, method) for case in reversed(chosen) for method in METHODS]
    processes = min(given.processes, len(tasks)) or 1
    with (
        tempfile.TemporaryDirectory() as folder,
        get_context("spawn").Pool(processes, partial(start, folder), maxtasksperchild=120) as pool,
    ):
        text = page(_counted(pool.imap_unordered(watch, tasks), len(tasks)), len(chosen))
    if given.output is None:
        print(text)
    else:
        given.output.write_text(text)


def _counted(watched: Iterable[tuple[Case, Found]], total: int) -> Counts:
    counts: Counts = defaultdict(lambda: defaultdict(set))
    for done, (case, found) in enumerate(watched, 1):
        print(f"\r{done} of {total} programs by one method", end="", flush=True)
        for pipeline, (ran, fired) in found.items():
            for name in ran:
                counts[name][pipeline] |= {case[1]} if name in fired else set()
    print()
    return counts


if __name__ == "__main__":
    main()
