"""How fast, how small and how exact are gradients of what runs backwards? On one core.

`python benchmarks/reversible.py [--quick] [--part NAME] [--only PATTERN] [--json FILE] [--data DIR]`

| part | question |
| --- | --- |
| `loops` | how fast are gradients of loops, against the primal, our redundant method and JAX? |
| `memory` | how many bytes does a gradient hold after few and after many steps, and how many does JAX? |
| `procedures` | how fast are programs written with `@tl.reversible`, against the redundant method? |
| `there_and_back` | how far from the start do 10,000 steps there and back end? |
| `ordinary` | do programs without a loop that runs backwards get the code of the redundant method? |

Kernels are compiled with `checks="off"`. `--data` names the folder of ADBench's files; without it, data of the same
shapes are made.
"""

import argparse
import os
import sys
from collections.abc import Callable
from pathlib import Path

os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
os.environ["XLA_FLAGS"] = "--xla_cpu_multi_thread_eigen=false intra_op_parallelism_threads=1"
os.environ["JAX_ENABLE_X64"] = "1"
os.environ["OMP_NUM_THREADS"] = "1"

from harness import Run  # noqa: E402
from running_back import loops, memory, ordinary, there_and_back, written  # noqa: E402

PARTS: dict[str, Callable[[Run, Path | None], None]] = {
    "loops": loops.measure,
    "memory": memory.measure,
    "procedures": written.measure,
    "there_and_back": there_and_back.measure,
    "ordinary": ordinary.measure,
}


def chosen() -> tuple[list[str], Path | None]:
    """Takes `--part NAME` and `--data DIR` off the command line."""
    parser = argparse.ArgumentParser(add_help=False)
    parser.add_argument("--part", choices=PARTS)
    parser.add_argument("--data", type=Path)
    options, rest = parser.parse_known_args()
    sys.argv[1:] = rest
    return [options.part] if options.part else list(PARTS), options.data


def main() -> None:
    parts, folder = chosen()
    run = Run.from_command_line("reversible")
    for part in parts:
        PARTS[part](run, folder)
    run.finish()


if __name__ == "__main__":
    main()
