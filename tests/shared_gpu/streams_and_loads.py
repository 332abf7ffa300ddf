"""Kernels beside torch, CuPy and JAX in one process, on a GPU: streams, threads, loads, memory, forks.

`streams_and_loads.py make FOLDER` compiles bundles, without a GPU; `streams_and_loads.py run FOLDER` checks them on
one, where numpy, the driver and the runtime of Tapeless are needed, and each of torch, CuPy and JAX is used if it is
there. It ends with a table, and with exit code 1 if something is wrong.
"""

from __future__ import annotations

import argparse
import os
import sys
import time
import traceback
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))


def run(folder: Path, only: str) -> int:
    """Prints a line for each check; how many are wrong."""
    os.environ.setdefault("XLA_PYTHON_CLIENT_PREALLOCATE", "false")
    from shared_gpu.calls import CALLS
    from shared_gpu.checks import Skipped
    from shared_gpu.inside import INSIDE
    from shared_gpu.loads import LOADED
    from shared_gpu.processes import PROCESSES
    from shared_gpu.streams import STREAMS
    from shared_gpu.threads import THREADS

    rows = []
    for name, check in {**STREAMS, **CALLS, **INSIDE, **THREADS, **LOADED, **PROCESSES}.items():
        if only not in name:
            continue
        start = time.perf_counter()
        try:
            outcome, detail = "ok", check(folder)
        except Skipped as missing:
            outcome, detail = "skipped", str(missing)
        except Exception as error:
            traceback.print_exc()
            outcome, detail = "WRONG", f"{type(error).__name__}: {error}"
        rows.append((name, outcome, f"{time.perf_counter() - start:5.1f} s", " ".join(detail.split())[:200]))
        print(*rows[-1], sep="  ", flush=True)
    print("\n" + "\n".join(f"{name:26} {outcome:8} {seconds}  {detail}" for name, outcome, seconds, detail in rows))
    wrong = sum(outcome == "WRONG" for _, outcome, _, _ in rows)
    print(f"{len(rows)} checks, {wrong} wrong")
    return wrong


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("step", choices=("make", "run"))
    parser.add_argument("folder", type=Path)
    parser.add_argument("--target", default="cuda:sm_90")
    parser.add_argument("--only", default="", help="run only checks with this in their names")
    given = parser.parse_args()
    if given.step == "make":
        from shared_gpu.bundles import make

        make(given.folder, given.target)
    elif run(given.folder, given.only):
        sys.exit(1)


if __name__ == "__main__":
    main()
