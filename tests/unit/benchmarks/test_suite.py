"""Which benchmarks are run, in which order, and what is kept of them."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

sys.path.append(str(Path(__file__).parents[3] / "benchmarks"))

from harness import Run
from suite import __main__ as suite
from suite.__main__ import Benchmark

WRITES = (
    "import sys, json; print('half'); open(sys.argv[2], 'w').write(json.dumps({'when': '2026-01-02T03:04:05+00:00'}))"
)


def test_all_benchmarks_are_known():
    names = [each.name for each in suite.known()]
    assert {"primal", "redundant", "untuned", "gate"} <= set(names)
    assert not {"gpu", "machine", "harness", "primal_programs"} & set(names)
    assert all((suite.BENCHMARKS / each.command[0]).exists() for each in suite.known() if each.command[0] != "-m")


def test_benchmarks_are_chosen_by_patterns():
    found, programs = suite.chosen("pri*:sax*")
    assert [each.name for each in found] == ["primal"] and programs == "sax*"
    assert [each.name for each in suite.chosen("*")[0]] == [each.name for each in suite.known()]
    with pytest.raises(SystemExit, match=r"no benchmark is called 'prmal'; there are .*primal"):
        suite.chosen("prmal")


def test_minutes_are_shared_out():
    benchmarks = [Benchmark(name, ()) for name in ("primal", "gate", "untuned")]
    assert suite.share(28.0, benchmarks) == 2.0 and suite.share(7.0, benchmarks[2:]) == 7.0
    assert suite.share(-1.0, benchmarks) == 0.0 and suite.share(float("inf"), benchmarks) == float("inf")
    assert benchmarks[0].options("sax*", 1.5) == ["--only", "sax*", "--minutes", "1.5"]
    assert benchmarks[0].options("", float("inf")) == benchmarks[1].options("sax*", 1.5) == []


def test_no_program_is_begun_after_its_minutes(tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(sys, "argv", ["primal", "--json", str(tmp_path / "primal.json"), "--minutes", "0"])
    run = Run.from_command_line("primal")
    run.only = "sax*"
    assert not run.wants("saxpy") and not run.wants("dot")
    run.finish()
    assert json.loads((tmp_path / "primal.json").read_text())["left_out"] == ["saxpy"]
    assert "left out for lack of time: saxpy" in capsys.readouterr().out


def test_benchmarks_that_fail_are_named_and_the_others_kept(tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(suite, "RESULTS", tmp_path)
    given = [Benchmark("good", ("-c", WRITES)), Benchmark("bad", ("-c", "raise SystemExit(3)"))]
    assert suite.run_all(given, "") == ["bad"]
    printed = capsys.readouterr().out.splitlines()
    assert printed[0].startswith("[1/2 good, ") and printed[0].endswith("] half")
    assert printed[1] == "bad ended with status 3"
    assert [path.name for path in (tmp_path / "history").iterdir()] == ["good-2026-01-02T030405Z.json"]
    assert json.loads((tmp_path / "good.json").read_text())["when"] == "2026-01-02T03:04:05+00:00"
