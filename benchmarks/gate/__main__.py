"""Measures the rows of the gate, and says which are slower than recorded: `make gate`, `make gate RECORD=1`."""

from __future__ import annotations

import argparse
import json
import os
import platform
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any

import machine

from gate import decide
from gate.decide import Range, Verdict
from gate.rows import ROWS

BENCHMARKS = Path(__file__).parents[1]
RECORDED = Path(__file__).with_name("recorded")
# Of one sitting; several sittings tell more than more processes.
RECORDING_PROCESSES = 5
NOT_MEASURED = 2  # another exit status than that of slow rows
HOW_TO_RECORD = "make gate RECORD=1 on a machine of this kind writes its ranges beside the others"

Ratios = dict[str, float]


def here() -> dict[str, str]:
    """The conditions that ratios depend on: processor, C compiler, version of Python."""
    return {
        "cpu": machine.processor(),
        "cc": machine.c_compiler(),
        "python": ".".join(platform.python_version_tuple()[:2]),
    }


@cache
def kernels() -> tempfile.TemporaryDirectory[str]:
    """Where the processes of one command find kernels of rows whose compilation is not what is measured."""
    return tempfile.TemporaryDirectory()


def attempt(rows: Sequence[str], slow: Sequence[str]) -> Ratios:
    """The ratios of rows in a fresh process."""
    planted = [f"--slow={each}" for each in slow]
    command = [sys.executable, "-m", "gate.measure", *planted, *rows]
    environment = {**os.environ, "TAPELESS_CACHE_DIR": kernels().name}
    found = subprocess.run(command, cwd=BENCHMARKS, env=environment, capture_output=True, text=True)
    if found.returncode:
        print(f"the rows of the gate could not be measured:\n{found.stderr}", file=sys.stderr)
        raise SystemExit(NOT_MEASURED)
    return {name: each["seconds"] / each["reference"] for name, each in json.loads(found.stdout).items()}


def references() -> dict[str, str]:
    """What the time of each row is told in on this machine."""
    return {name: row.reference_here() for name, row in ROWS.items()}


def recorded_file() -> Path:
    return RECORDED / f"{platform.machine()}.json"


def records() -> list[dict[str, Any]]:
    path = recorded_file()
    return json.loads(path.read_text()) if path.exists() else []


def check(rows: Sequence[str], slow: Sequence[str]) -> tuple[list[Verdict], list[str]]:
    """All rows once, those above their limits again; and how this machine differs from the recorded one."""
    record = decide.record_for(here(), records())
    known = decide.ranges_of(record, references())
    unlike = decide.differences(here(), record["machine"]) if record else ["no machine of this kind was recorded"]
    attempts = {name: [ratio] for name, ratio in attempt(rows, slow).items()}
    for pause in decide.PAUSES:
        again = [row for row, found in attempts.items() if decide.judge(row, found, known.get(row)).word == "again"]
        if again:
            print(f"measured again in {pause} s: {', '.join(again)}", flush=True)
            time.sleep(pause)
            for row, ratio in attempt(again, slow).items():
                attempts[row].append(ratio)
    return [decide.judge(row, found, known.get(row)) for row, found in attempts.items()], unlike


def text_of(verdict: Verdict) -> str:
    found = " ".join(f"{ratio:9.4g}" for ratio in verdict.attempts)
    return f"{verdict.row:32} {verdict.word:13} {found:30} {_limits(verdict.range)}"


def _limits(known: Range | None) -> str:
    if known is None:
        return "no range"
    limit = f"at most {known.limit:.4g}" if known.limit else "no limit, the range is too wide"
    return f"recorded {known.low:.4g} to {known.high:.4g}, {limit}"


def record(rows: Sequence[str], widen: bool = False) -> None:
    """Writes the ranges of rows on this machine, from several processes; those of others stay.

    To widen keeps the lowest and the highest ratio of earlier sittings, too.
    """
    found: list[Ratios] = []
    for number in range(RECORDING_PROCESSES):
        found.append(attempt(rows, ()))
        print(f"process {number + 1} of {RECORDING_PROCESSES}", flush=True)
    ranges = {row: decide.range_of(each[row] for each in found) for row in found[0]}
    mine = next((each for each in records() if not decide.differences(each["machine"], here())), None)
    if widen:
        before = decide.ranges_of(mine, references())
        ranges = decide.widened({row: each for row, each in before.items() if row in ranges}, ranges)
    beside = references()
    written = {
        row: {"reference": beside[row], "low": float(f"{each.low:.4g}"), "high": float(f"{each.high:.4g}")}
        for row, each in ranges.items()
    }
    entry = {"machine": here(), "rows": {**(mine["rows"] if mine and rows else {}), **written}}
    others = [each for each in records() if decide.differences(each["machine"], entry["machine"])]
    RECORDED.mkdir(exist_ok=True)
    recorded_file().write_text(json.dumps([*others, entry], indent=1) + "\n")
    for row, each in ranges.items():
        print(f"{row:32} {_limits(each)}")


def tell(verdicts: Sequence[Verdict], unlike: Sequence[str]) -> None:
    """All rows, the slow ones last, where they are seen."""
    for verdict in sorted(verdicts, key=lambda each: (each.is_red, each.word != "fine")):
        print(text_of(verdict))
    red = sum(each.is_red for each in verdicts)
    print(f"{len(verdicts)} rows, {red} slower than their limits")
    for each in unlike:
        print(f"this machine is not the recorded one, so no row stops a change: {each}; {HOW_TO_RECORD}")


def main() -> None:
    parser = argparse.ArgumentParser(prog="gate", description=__doc__)
    parser.add_argument("rows", nargs="*", metavar="ROW", help="names of rows; without any, all")
    parser.add_argument("--record", action="store_true", help="writes the ranges of this machine")
    parser.add_argument("--widen", action="store_true", help="with --record: earlier ranges of this machine stay in")
    parser.add_argument("--slow", action="append", default=[], metavar="ROW=FACTOR", help="plants a slow-down")
    parser.add_argument("--json", type=Path, metavar="FILE", help="where verdicts go")
    given = parser.parse_args()
    if given.record:
        record(given.rows, given.widen)
        return
    verdicts, unlike = check(given.rows, given.slow)
    tell(verdicts, unlike)
    if given.json is not None:
        write(given.json, verdicts)
    spent = os.times()
    print(f"{spent.children_user + spent.children_system:.0f} s of processor time")
    raise SystemExit(decide.exit_status(verdicts, unlike))


def write(path: Path, verdicts: Sequence[Verdict]) -> None:
    """The rows of a run of the gate for the report."""
    rows = [{"row": each.row, "word": each.word, "ratio": min(each.attempts)} for each in verdicts]
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps({**machine.header(), "gate": rows}, indent=1) + "\n")


if __name__ == "__main__":
    main()
