"""First calls in fresh processes: compiled once, then found on disk without MLIR or LLVM; damage is repaired."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from tapeless.backend.toolchain import source_stamps
from waiting import HANG_SECONDS

PROGRAM = """
import json, sys, time
import numpy as np
import tapeless as tl

@tl.function
def shifted(x: tl.f64[:], k: tl.f64) -> tl.f64[:]:
    return tl.exp(x) + k * FACTOR

start = time.process_time()
result = shifted(np.zeros(3), 2.0)
print(json.dumps({
    "seconds": time.process_time() - start,
    "result": result.tolist(),
    "compiled": any(name.partition(".")[0] in ("mlir", "torch_mlir", "llvmlite") for name in sys.modules),
}))
"""


class Runner:
    """Runs a program in fresh processes that share one cache folder."""

    def __init__(self, folder: Path, cache: Path) -> None:
        self.program = folder / "program.py"
        self.cache = cache

    def start(self, factor: float = 1.0) -> subprocess.Popen[str]:
        self.program.write_text(f"FACTOR = {factor}\n{PROGRAM}")
        environment = os.environ | {"TAPELESS_CACHE_DIR": str(self.cache)}
        command = [sys.executable, str(self.program)]
        return subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, text=True)

    def run(self, factor: float = 1.0) -> dict[str, Any]:
        return self.outcome(self.start(factor))

    @staticmethod
    def outcome(process: subprocess.Popen[str]) -> dict[str, Any]:
        output, _ = process.communicate(timeout=HANG_SECONDS)
        assert process.returncode == 0
        return json.loads(output)

    def entries(self) -> list[Path]:
        return sorted(self.cache.glob("*/*.kernel"))


@pytest.fixture
def runner(tmp_path: Path) -> Runner:
    return Runner(tmp_path, tmp_path / "cache")


@pytest.fixture(scope="module")
def first(tmp_path_factory: pytest.TempPathFactory) -> tuple[Runner, dict[str, Any]]:
    """The first run, and what came of it."""
    folder = tmp_path_factory.mktemp("first")
    runner = Runner(folder, folder / "cache")
    return runner, runner.run()


@pytest.fixture
def later(first: tuple[Runner, dict[str, Any]], tmp_path: Path) -> Runner:
    """Runs the same program with a copy of what the first run left in its cache."""
    runner, _ = first
    return Runner(runner.program.parent, shutil.copytree(runner.cache, tmp_path / "cache"))


@contextmanager
def same_compiler() -> Iterator[None]:
    """What is said here holds as long as nobody edits the compiler, which rightly makes cached kernels stale."""
    before = source_stamps()
    try:
        yield
    except AssertionError:
        if source_stamps() != before:
            pytest.skip("the compiler's sources changed while the test ran")
        raise


def test_the_second_process_loads_what_the_first_compiled(first: tuple[Runner, dict[str, Any]], later: Runner) -> None:
    with same_compiler():
        made, second = first[1], later.run()
        assert made["compiled"] and made["seconds"] < 5.0
        assert not second["compiled"] and second["seconds"] < 0.5
        assert made["result"] == second["result"] == [3.0] * 3
        assert len(later.entries()) == 1


def test_a_captured_value_is_part_of_the_key(later: Runner) -> None:
    with same_compiler():
        assert later.run(2.0)["result"] == [5.0] * 3
        assert len(later.entries()) == 2


def test_a_damaged_entry_is_compiled_again(later: Runner) -> None:
    with same_compiler():
        (entry,) = later.entries()
        whole = entry.read_bytes()
        entry.write_bytes(whole[:-1] + bytes([whole[-1] ^ 0xFF]))
        repaired = later.run()
        assert repaired["compiled"] and repaired["result"] == [3.0] * 3
        assert not later.run()["compiled"]


def test_processes_that_compile_at_once_agree(runner: Runner) -> None:
    with same_compiler():
        processes = [runner.start() for _ in range(2)]
        assert [runner.outcome(process)["result"] for process in processes] == [[3.0] * 3] * 2
        assert len(runner.entries()) == 1
        assert not runner.run()["compiled"]
