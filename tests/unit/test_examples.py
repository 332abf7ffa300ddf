"""Every file in examples/ runs."""

from __future__ import annotations

import re
import runpy
import subprocess
import sys
from pathlib import Path

import pytest

from waiting import HANG_SECONDS

EXAMPLES = sorted((Path(__file__).parents[2] / "examples").glob("*.py"))
# Examples that start processes, and the package that does so: they run in one of their own, or not without it.
IN_PROCESSES = {"data_parallel": "distributed"}


# These take longer than most.
LONG = ("leapfrog", "newton", "real_nvp", "wave")


@pytest.mark.one_in(7)
@pytest.mark.parametrize(
    "example",
    [
        pytest.param(example, id=example.stem, marks=pytest.mark.thorough if example.stem in LONG else [])
        for example in EXAMPLES
        if example.stem not in IN_PROCESSES
    ],
)
def test_example_runs_and_prints_something(example: Path, capsys: pytest.CaptureFixture[str]) -> None:
    runpy.run_path(str(example), run_name="__main__")
    assert capsys.readouterr().out.strip()


@pytest.mark.thorough
@pytest.mark.parametrize("example", [e for e in EXAMPLES if e.stem in IN_PROCESSES], ids=lambda path: path.stem)
def test_example_with_processes_agrees_with_one_process(example: Path) -> None:
    pytest.importorskip(IN_PROCESSES[example.stem])
    done = subprocess.run([sys.executable, example], capture_output=True, text=True, timeout=HANG_SECONDS)
    assert done.returncode == 0, done.stderr
    assert float(re.findall("difference to training in one process: (.*)", done.stdout)[0]) < 1e-12
