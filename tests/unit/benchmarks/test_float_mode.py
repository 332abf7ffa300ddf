"""Contestants on a CPU have one mode of denormal numbers, that of JAX unless told otherwise."""

from __future__ import annotations

import io
import json
import subprocess
import sys
import threading
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

sys.path.append(str(Path(__file__).parents[3] / "benchmarks"))

import float_mode
from report.row import KNOWN
from untuned import measure
from untuned.program import Program
from untuned.programs import PROGRAMS
from untuned.task import Contestant, Task, empty_row, mode_of

BENCHMARKS = Path(__file__).parents[3] / "benchmarks"
TASK = Task("Black-Scholes book", "f64", "small", "cpu", 1, (), seconds=0.01, checks="off")
DENORMAL = {"f64": np.full(100, 1e-310), "f32": np.full(100, 1e-39, np.float32)}


@pytest.fixture
def flushing():
    float_mode.set_denormals("flush")
    yield
    float_mode.set_denormals("keep")


def halves(x: np.ndarray) -> np.ndarray:
    """How many of the halves are not zero, by their bits: a comparison would flush them, too."""
    return np.count_nonzero((x * x.dtype.type(0.5)).view(f"u{x.itemsize}"))


@pytest.mark.parametrize("dtype", DENORMAL)
def test_denormals_are_zeros_in_this_thread_and_in_those_started_later(dtype, flushing):
    found = [halves(DENORMAL[dtype])]
    thread = threading.Thread(target=lambda: found.append(halves(DENORMAL[dtype])))
    thread.start()
    thread.join()
    assert found == [0, 0]
    float_mode.set_denormals("keep")
    assert halves(DENORMAL[dtype]) == 100


def test_peers_flush_in_all_their_threads():
    pytest.importorskip("torch")
    code = """
import float_mode
float_mode.set_denormals("flush")
import torch
torch.set_num_threads(2)
x = torch.full((1 << 21,), 1e-310, dtype=torch.float64)
print(int(torch.count_nonzero((x * 0.5).view(torch.int64))))
"""
    found = subprocess.run([sys.executable, "-c", code], cwd=BENCHMARKS, capture_output=True, text=True, check=True)
    assert found.stdout.split() == ["0"]


@pytest.mark.parametrize(("target", "mode"), [("cpu", "flush"), ("cpu", "keep"), ("cuda", "flush")])
def test_processes_on_a_cpu_have_the_mode_of_the_task(target, mode, monkeypatch):
    given = []

    def stop(task: Task) -> None:
        raise StopIteration

    monkeypatch.setattr(measure, "set_denormals", given.append)
    monkeypatch.setattr(measure, "pin", lambda task: None)
    monkeypatch.setattr(measure, "warm_up", stop)
    with pytest.raises(StopIteration):
        measure.run(replace(TASK, target=target, denormals=mode), io.StringIO())
    assert given == ([mode] if target == "cpu" else [])


def test_kernels_of_a_task_flush_themselves(monkeypatch):
    given = {}

    def compiled(function: object, arguments: object, **options: object) -> object:
        given.update(options)
        raise StopIteration

    monkeypatch.setattr("tapeless.compile", compiled)
    program: Program = PROGRAMS[TASK.program]
    ours = Contestant("tapeless", next(iter(program.spellings)), "redundant")
    for target, mode in (("cpu", "flush"), ("cuda", "keep")):
        with pytest.raises(StopIteration):
            measure.prepare(ours, program, replace(TASK, target=target), program.arguments("tiny", "f64"))
        assert given["denormals"] == mode


def test_rows_say_the_mode():
    kept = replace(TASK, denormals="keep")
    assert mode_of(kept, Contestant("jax")) == mode_of(TASK, Contestant("numpy")) == "flush"
    assert mode_of(kept, Contestant("torch")) == "keep"
    assert mode_of(replace(TASK, target="cuda"), Contestant("jax")) is None
    row = empty_row(PROGRAMS[TASK.program], kept, Contestant("torch"))
    assert row["denormals"] == "keep" and "denormals" in KNOWN
    assert Task.from_json(json.dumps(json.loads(kept.to_json()))) == kept


def test_a_processor_that_is_not_known_is_refused(monkeypatch):
    monkeypatch.setattr(float_mode.platform, "machine", lambda: "riscv64")
    with pytest.raises(RuntimeError, match="riscv64 flushes denormal numbers is not known; use --denormals keep"):
        float_mode.set_denormals("flush")
