"""How `benchmarks/untuned` measures: processes that crash or hang cost one contestant, and rows are complete."""

from __future__ import annotations

import json
import subprocess
import sys
import zipfile
from dataclasses import replace
from pathlib import Path

import pytest

sys.path.append(str(Path(__file__).parents[3] / "benchmarks"))

from untuned import measure, run
from untuned.bundles import INDEX, Refused, compile_times
from untuned.contestants import Ready
from untuned.process import rows_of
from untuned.program import Program
from untuned.programs import PROGRAMS
from untuned.quantities import deviation
from untuned.side_by_side import in_parallel, shares, turn
from untuned.summary import text_of
from untuned.task import Contestant, Task, bundle_file, contestants, empty_row

BENCHMARKS = Path(__file__).parents[3] / "benchmarks"
NAME = "Black-Scholes book"
SPELLINGS = tuple(Contestant("tapeless", spelling, "redundant") for spelling in ("loops", "maps"))
TASK = Task(NAME, "f64", "small", "cpu", 1, SPELLINGS, seconds=0.01, checks="off")
# Does what `untuned.measure` does, without measuring: the second spelling ends the process as the first line says.
SCRIPT = """
import json, os, sys, time
ENDING
task = json.loads(sys.argv[1])
rows = []
for each in task["contestants"]:
    title = f"tapeless {each['spelling']} redundant"
    if title in task["skipped"]:
        continue
    print(json.dumps({"begin": title}), flush=True)
    if each["spelling"] == "maps":
        ending()
    rows.append({"contestant": "tapeless", "spelling": each["spelling"], "method": "redundant", "refused": None})
print(json.dumps({"rows": rows}), flush=True)
"""
ENDINGS = {
    "crash": ("ending = os.abort", "SIGABRT"),
    "error": ("def ending(): raise SystemExit('what went wrong')", "exit code 1: what went wrong"),
    "hang": ("def ending(): time.sleep(600)", "nothing came"),
}


@pytest.mark.parametrize("name", ["crash", "error", pytest.param("hang", marks=pytest.mark.thorough)])
def test_what_ends_a_process_costs_one_contestant(name, tmp_path):
    ending, reason = ENDINGS[name]
    script = tmp_path / "script.py"
    script.write_text(SCRIPT.replace("ENDING", ending))
    loops, maps = rows_of(TASK, limit=10.0 if name == "hang" else 120.0, command=(str(script),))
    assert loops["refused"] is None and reason in maps["refused"]


def test_rows_of_a_process():
    rows = rows_of(replace(TASK, contestants=SPELLINGS[1:]), limit=300.0)
    (row,) = rows
    assert row.keys() == empty_row(PROGRAMS[NAME], TASK, SPELLINGS[1]).keys()
    assert row["agrees"] and row["refused"] is None and row["code_bytes"] > 0
    assert 0 < row["seconds_min"] <= row["seconds_median"] and row["compile_processor_seconds"] > 0
    assert json.loads(json.dumps(rows)) == rows


@pytest.mark.thorough
def test_bundles_for_gpus(tmp_path):
    options = ["--prepare", str(tmp_path), "--only", "Ising energy", "--dtypes", "f32", "--processes", "2"]
    subprocess.run([sys.executable, BENCHMARKS / "untuned" / "run.py", *options], check=True, capture_output=True)
    for spelling in PROGRAMS["Ising energy"].spellings:
        file = bundle_file(
            tmp_path, PROGRAMS["Ising energy"], Contestant("tapeless", spelling, "redundant"), "f32", "small"
        )
        assert min(compile_times(file)) > 0.0
        with zipfile.ZipFile(file) as archive:
            assert any(name.endswith(".ptx") for name in archive.namelist())


def test_bundles_that_could_not_be_made(tmp_path):
    made = {"a.tlk": {"refused": "NoRuleError: 'x'"}, "b.tlk": {"wall": 2.0, "processor": 1.0}}
    (tmp_path / INDEX).write_text(json.dumps(made))
    with pytest.raises(Refused, match="NoRuleError: 'x'"):
        compile_times(tmp_path / "a.tlk")
    assert compile_times(tmp_path / "b.tlk") == (2.0, 1.0)


def test_tasks_are_told_as_text():
    task = TASK.without("tapeless maps redundant")
    assert Task.from_json(task.to_json()) == task


def test_values_need_one_method():
    program: Program = replace(PROGRAMS[NAME], quantity="value")
    found = contestants(program, ("tapeless", "jax", "numpy"), ("redundant", "coarsened"))
    assert [each.title for each in found] == [f"tapeless {each} redundant" for each in program.spellings] + ["jax"]


def test_summary():
    ours, other = (empty_row(PROGRAMS[NAME], TASK, each) for each in (SPELLINGS[0], Contestant("jax")))
    refused = empty_row(PROGRAMS[NAME], TASK, SPELLINGS[1]) | {"refused": "NoRuleError: 'x'\nand more"}
    ours |= {"seconds_min": 9e-6, "processor_seconds_min": 3e-6, "agrees": False, "deviation": 0.5}
    text = text_of([ours, refused, other | {"processor_seconds_min": 2e-6}])
    assert "tapeless / jax: 1.500 of 1 rows, 1 slower" in text
    assert "NoRuleError: 'x'" in text and "5.0e-01" in text


@pytest.mark.parametrize(
    ("found", "expected", "far"),
    [
        ((1.0, [2.0, 4.0]), (1.0, [2.0, 5.0]), 0.2),
        ((1.0, [2.0]), (1.0, [2.0, 5.0]), float("inf")),
        (float("nan"), 1.0, float("inf")),
        (float("nan"), float("nan"), 0.0),
        (float("inf"), float("inf"), 0.0),
    ],
)
def test_deviation(found, expected, far):
    def arrays(result):
        import numpy as np

        return tuple(np.array(each) for each in result) if isinstance(result, tuple) else result

    assert deviation(arrays(found), arrays(expected)) == pytest.approx(far)


def test_processes_side_by_side_have_processors_of_their_own():
    available = sum(shares(1), ())
    for count in (1, 2, 3, 64):
        given = shares(count)
        assert 1 <= len(given) <= count and len({len(each) for each in given}) == 1
        together = [processor for share in given for processor in share]
        assert len(set(together)) == len(together) and set(together) <= set(available)
    done = dict(in_parallel(lambda item, processors: (item * item, processors), range(5), 2))
    assert {item: square for item, (square, _) in done.items()} == {0: 0, 1: 1, 2: 4, 3: 9, 4: 16}
    assert all(processors in shares(2) for _, processors in done.values())


def test_more_threads_than_processors_of_a_process_are_refused(monkeypatch):
    monkeypatch.setattr(run, "shares", lambda processes: [(0, 1)] * processes)
    run.check_processors([replace(TASK, threads=2), replace(TASK, target="cuda", threads=4)], 8)
    run.check_processors([replace(TASK, threads=4)], 1)
    with pytest.raises(SystemExit, match="--processes 8 leaves 2 processors to each, and --threads asks for 4"):
        run.check_processors([TASK, replace(TASK, threads=4)], 8)


def test_one_process_at_a_time_has_the_gpu(tmp_path):
    file = str(tmp_path / "turns")
    code = f"""
from untuned import side_by_side
side_by_side.SIGN_OF_LIFE = 0.0
with side_by_side.turn({file!r}, lambda: print('waits', flush=True)):
    print('mine', flush=True)
"""
    with turn(file, lambda: None):
        other = subprocess.Popen([sys.executable, "-c", code], cwd=BENCHMARKS, stdout=subprocess.PIPE, text=True)
        assert other.stdout is not None and other.stdout.readline() == "waits\n"
    assert other.communicate()[0].splitlines()[-1] == "mine"


def test_slow_calls_are_not_repeated(monkeypatch):
    clock = [0.0]
    monkeypatch.setattr(measure.time, "perf_counter", lambda: clock[0])
    calls: list[str] = []

    def ready(name: str, seconds: float) -> measure.Entry:
        def call() -> None:
            calls.append(name)
            clock[0] += seconds

        contestant = Contestant(name)
        return measure.Entry(contestant, empty_row(PROGRAMS[NAME], TASK, contestant), Ready(call))

    slow, quick = ready("slow", 7.0), ready("quick", 0.5)
    measure.time_in_turns([slow, quick], seconds=2.0, longest=5.0)
    assert calls.count("slow") == 1 and calls.count("quick") == 5
    assert slow.row["seconds_min"] == 7.0 and quick.row["seconds_min"] == 0.5
