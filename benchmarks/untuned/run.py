"""Programs that nobody tuned, by Tapeless and its peers: `python benchmarks/untuned/run.py --help`.

Every program, size, dtype, target and number of threads is a process of its own, in which all contestants take turns.
`--processes` has several of them run side by side, each on its own processors; they call the GPU one at a time.
`--prepare DIR` compiles bundles for GPUs of the generation sm_90, without a GPU; `--run DIR` times them beside the
peers on a machine that has one, and of Tapeless the runtime alone. Kernels have no checks of indices unless told so.
"""

from __future__ import annotations

import argparse
import importlib.util
import json
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import replace
from fnmatch import fnmatch
from itertools import product
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from float_mode import FLUSH, MODES
from machine import header

from untuned.process import rows_of
from untuned.program import DTYPES, SIZES, Program
from untuned.side_by_side import in_parallel, shares
from untuned.summary import text_of
from untuned.task import PEERS, Task, contestants, programs_of

METHODS = ("redundant", "reversible", "coarsened")
TARGETS = ("cpu", "cuda")


def main(module: str = "untuned.programs") -> None:
    """Measures the programs of a module as the command line says."""
    options = command_line().parse_args()
    programs = [each for each in programs_of(module).values() if wants(each, options)]
    if options.prepare is not None:
        from untuned.bundles import prepare

        arguments = (options.dtypes, options.methods, options.checks, options.limit, options.processes)
        prepare(options.prepare, programs, *arguments, sizes=options.sizes, module=module)
        return
    tasks = list(tasks_of(programs, options, module))
    found: dict[Task, list[dict[str, Any]]] = {}
    left_out: list[str] = []
    start = time.perf_counter()
    for task, rows in measured(tasks, options):
        name = f"{task.program}, {task.dtype}, {task.size}, {task.target} x{task.threads}"
        if rows is None:
            left_out.append(name)
            continue
        found[task] = rows
        at = f"[{len(found)}/{len(tasks)}, {time.perf_counter() - start:.0f} s]"
        print(f"{at} {name}: {in_short(rows)}", flush=True)
        write(options, in_order(tasks, found), left_out)
    write(options, in_order(tasks, found), left_out)
    print(text_of(in_order(tasks, found)))
    if left_out:
        print(f"left out for lack of time: {len(left_out)} of {len(tasks)}, {left_out[0]} the first")


def write(options: argparse.Namespace, rows: list[dict[str, Any]], left_out: list[str]) -> None:
    """The file of results as far as they are there."""
    if options.json is not None:
        options.json.parent.mkdir(parents=True, exist_ok=True)
        options.json.write_text(json.dumps({**results(rows, options), "left_out": left_out}, indent=1))


def measured(tasks: list[Task], options: argparse.Namespace) -> Iterator[tuple[Task, list[dict[str, Any]] | None]]:
    """Every task with its rows, as they are found; None for what is not begun since the time is up."""
    check_processors(tasks, options.processes)
    end = time.monotonic() + 60.0 * options.minutes
    with tempfile.NamedTemporaryFile() as turns:

        def one(task: Task, processors: tuple[int, ...]) -> list[dict[str, Any]] | None:
            if time.monotonic() > end:
                return None
            file = turns.name if task.target == "cuda" and options.processes > 1 else None
            return rows_of(replace(task, processors=processors, turns=file), options.limit)

        yield from in_parallel(one, tasks, options.processes)


def check_processors(tasks: list[Task], processes: int) -> None:
    """Ends the program where a task has more threads than its process would have processors."""
    share = len(shares(processes)[0])
    most = max((task.threads for task in tasks if task.target == "cpu"), default=0)
    if processes > 1 and most > share:
        raise SystemExit(
            f"--processes {processes} leaves {share} processors to each, and --threads asks for {most}; run fewer "
            "processes"
        )


def in_order(tasks: list[Task], found: dict[Task, list[dict[str, Any]]]) -> list[dict[str, Any]]:
    """All rows found so far, in the order of their tasks."""
    return [row for task in tasks for row in found.get(task, ())]


def command_line() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(description="programs that nobody tuned, by Tapeless and its peers")
    known = ("tapeless", *PEERS)
    usual = tuple(each for each in known if each != "torch.compile" and importlib.util.find_spec(each))
    parser.add_argument(
        "--only", action="append", metavar="PATTERN", help="programs by name, with * and ?; may be given several times"
    )
    parser.add_argument("--field", default="*", metavar="PATTERN", help="fields by name, with * and ?")
    listed(parser, "--sizes", SIZES, ("middle", "small"))
    listed(parser, "--dtypes", tuple(DTYPES), ("f64", "f32"))
    listed(parser, "--methods", METHODS, ("redundant",))
    listed(parser, "--targets", TARGETS, ("cpu",))
    parser.add_argument("--threads", type=lambda text: tuple(map(int, text.split(","))), default=(1,), help="as 1,2")
    listed(parser, "--contestants", known, usual)
    parser.add_argument(
        "--processes", type=int, default=1, help="side by side, with processors of their own and turns on the GPU"
    )
    parser.add_argument("--checks", choices=("on", "off"), default="off", help="of indices, by Tapeless (default off)")
    parser.add_argument(
        "--denormals", choices=MODES, default=FLUSH, help="numbers nearer to zero than normal ones, by all but JAX"
    )
    parser.add_argument("--json", type=Path, metavar="FILE", help="where the results go")
    parser.add_argument("--seconds", type=float, default=1.0, help="of timing, for each process (default 1)")
    parser.add_argument("--longest", type=float, default=10.0, help="call in seconds that is timed again (default 10)")
    parser.add_argument("--minutes", type=float, default=float("inf"), help="after which nothing is begun")
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
    by_name = any(fnmatch(program.name, each) or each in program.name for each in options.only or ["*"])
    return by_name and (fnmatch(program.field, options.field) or options.field in program.field)


def tasks_of(programs: list[Program], options: argparse.Namespace, module: str) -> Iterator[Task]:
    """A task for every combination; threads are those of the CPU. All programs come before the next size or dtype."""
    targets = ("cuda",) if options.run is not None else options.targets
    for target, threads, dtype, size in product(targets, options.threads, options.dtypes, options.sizes):
        if target == "cuda" and threads != options.threads[0]:
            continue
        names = tuple(each for each in options.contestants if target == "cpu" or each != "numpy")
        for program in (each for each in programs if dtype in each.dtypes):
            yield Task(
                program=program.name,
                dtype=dtype,
                size=size,
                target=target,
                threads=threads,
                contestants=contestants(program, names, options.methods),
                seconds=options.seconds,
                checks=options.checks,
                longest=options.longest,
                bundles=None if options.run is None else str(options.run.resolve()),
                module=module,
                denormals=options.denormals,
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
    settings = {"checks": options.checks, "seconds": options.seconds, "denormals": options.denormals}
    return {**header(), "settings": settings, "rows": rows}


if __name__ == "__main__":
    main()
