"""Programs that nobody tuned, by Tapeless and its peers: `python benchmarks/untuned/run.py --help`.

Every program, size, dtype, target and number of threads is a process of its own, in which all contestants take turns.
`--processes` has several of them run side by side, each on its own processors; they call the GPU one at a time.
`--prepare DIR` compiles bundles for GPUs of the generation sm_90, without a GPU; `--run DIR` times them beside the
peers on a machine that has one, and of Tapeless the runtime alone. Kernels have no checks of indices unless told so.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import replace
from fnmatch import fnmatch
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from machine import header

from untuned.process import rows_of
from untuned.program import DTYPES, SIZES, Program
from untuned.programs import PROGRAMS
from untuned.side_by_side import in_parallel
from untuned.summary import text_of
from untuned.task import PEERS, Task, contestants

METHODS = ("redundant", "reversible", "coarsened")
TARGETS = ("cpu", "cuda")


def main() -> None:
    options = command_line().parse_args()
    programs = [each for each in PROGRAMS.values() if wants(each, options)]
    if options.prepare is not None:
        from untuned.bundles import prepare

        arguments = (options.dtypes, options.methods, options.checks, options.limit, options.processes)
        prepare(options.prepare, programs, *arguments)
        return
    tasks = list(tasks_of(programs, options))
    found: dict[Task, list[dict[str, Any]]] = {}
    start = time.perf_counter()
    for task, rows in measured(tasks, options):
        found[task] = rows
        name = f"{task.program}, {task.dtype}, {task.size}, {task.target} x{task.threads}"
        at = f"[{len(found)}/{len(tasks)}, {time.perf_counter() - start:.0f} s]"
        print(f"{at} {name}: {in_short(rows)}", flush=True)
        if options.json is not None:
            options.json.parent.mkdir(parents=True, exist_ok=True)
            options.json.write_text(json.dumps(results(in_order(tasks, found), options), indent=1))
    print(text_of(in_order(tasks, found)))


def measured(tasks: list[Task], options: argparse.Namespace) -> Iterator[tuple[Task, list[dict[str, Any]]]]:
    """Every task with its rows, as they are found."""
    with tempfile.NamedTemporaryFile() as turns:

        def one(task: Task, processors: tuple[int, ...]) -> list[dict[str, Any]]:
            file = turns.name if task.target == "cuda" and options.processes > 1 else None
            return rows_of(replace(task, processors=processors, turns=file), options.limit)

        yield from in_parallel(one, tasks, options.processes)


def in_order(tasks: list[Task], found: dict[Task, list[dict[str, Any]]]) -> list[dict[str, Any]]:
    """All rows found so far, in the order of their tasks."""
    return [row for task in tasks for row in found.get(task, ())]


def command_line() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(description="programs that nobody tuned, by Tapeless and its peers")
    known = ("tapeless", *PEERS)
    usual = tuple(each for each in known if each != "torch.compile")
    parser.add_argument("--only", default="*", metavar="PATTERN", help="programs by name, with * and ?")
    parser.add_argument("--field", default="*", metavar="PATTERN", help="fields by name, with * and ?")
    listed(parser, "--sizes", SIZES, ("small", "middle"))
    listed(parser, "--dtypes", tuple(DTYPES), ("f64", "f32"))
    listed(parser, "--methods", METHODS, ("redundant",))
    listed(parser, "--targets", TARGETS, ("cpu",))
    parser.add_argument("--threads", type=lambda text: tuple(map(int, text.split(","))), default=(1,), help="as 1,2")
    listed(parser, "--contestants", known, usual)
    parser.add_argument(
        "--processes", type=int, default=1, help="side by side, with processors of their own and turns on the GPU"
    )
    parser.add_argument("--checks", choices=("on", "off"), default="off", help="of indices, by Tapeless (default off)")
    parser.add_argument("--json", type=Path, metavar="FILE", help="where the results go")
    parser.add_argument("--seconds", type=float, default=1.0, help="of timing, for each process (default 1)")
    parser.add_argument("--limit", type=float, default=300.0, help="seconds for a contestant to compile (default 300)")
    parser.add_argument("--prepare", type=Path, metavar="DIR", help="compile bundles for GPUs, and time nothing")
    parser.add_argument("--run", type=Path, metavar="DIR", help="take Tapeless's kernels for GPUs from these bundles")
    return parser


def listed(parser: argparse.ArgumentParser, option: str, known: tuple[str, ...], default: tuple[str, ...]) -> None:
    """An option that is a list of known names."""

    def parse(text: str) -> tuple[str, ...]:
        given = tuple(text.split(","))
        if unknown := [each for each in given if each not in known]:
            raise argparse.ArgumentTypeError(f"{unknown[0]!r} is none of {', '.join(known)}")
        return given

    parser.add_argument(option, type=parse, default=default, help=f"of {','.join(known)} (default {','.join(default)})")


def wants(program: Program, options: argparse.Namespace) -> bool:
    by_name = fnmatch(program.name, options.only) or options.only in program.name
    return by_name and (fnmatch(program.field, options.field) or options.field in program.field)


def tasks_of(programs: list[Program], options: argparse.Namespace) -> Iterator[Task]:
    """A task for every combination; threads are those of the CPU."""
    targets = ("cuda",) if options.run is not None else options.targets
    for program in programs:
        for dtype in (each for each in options.dtypes if each in program.dtypes):
            for size in options.sizes:
                for target, threads in ((each, n) for each in targets for n in options.threads):
                    if target == "cuda" and threads != options.threads[0]:
                        continue
                    names = tuple(each for each in options.contestants if target == "cpu" or each != "numpy")
                    yield Task(
                        program=program.name,
                        dtype=dtype,
                        size=size,
                        target=target,
                        threads=threads,
                        contestants=contestants(program, names, options.methods),
                        seconds=options.seconds,
                        checks=options.checks,
                        bundles=None if options.run is None else str(options.run.resolve()),
                    )


def in_short(rows: list[dict[str, Any]]) -> str:
    """Microseconds of every contestant."""

    def one(row: dict[str, Any]) -> str:
        name = row["spelling"] or row["contestant"]
        if row["seconds_min"] is None:
            return f"{name} refused"
        return f"{name} {1e6 * row['seconds_min']:.1f}{'' if row['agrees'] else ' DIFFERS'}"

    return ", ".join(map(one, rows))


def results(rows: list[dict[str, Any]], options: argparse.Namespace) -> dict[str, Any]:
    settings = {"checks": options.checks, "seconds": options.seconds}
    return {**header(), "settings": settings, "rows": rows}


if __name__ == "__main__":
    main()
