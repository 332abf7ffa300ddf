"""First calls in fresh processes: compiled once, then found on disk without MLIR or LLVM; damage is repaired."""

from __future__ import annotations

import json
import os
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

    def __init__(self, folder: Path) -> None:
        self.program = folder / "program.py"
        self.cache = folder / "cache"

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
    return Runner(tmp_path)


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


def test_the_second_process_loads_what_the_first_compiled(runner: Runner) -> None:
    with same_compiler():
        first, second = runner.run(), runner.run()
        assert first["compiled"] and first["seconds"] < 5.0
        assert not second["compiled"] and second["seconds"] < 0.5
        assert first["result"] == second["result"] == [3.0] * 3
        assert len(runner.entries()) == 1


def test_a_captured_value_is_part_of_the_key(runner: Runner) -> None:
    with same_compiler():
        assert runner.run(1.0)["result"] == [3.0] * 3
        assert runner.run(2.0)["result"] == [5.0] * 3
        assert len(runner.entries()) == 2


def test_a_damaged_entry_is_compiled_again(runner: Runner) -> None:
    with same_compiler():
        runner.run()
        (entry,) = runner.entries()
        whole = entry.read_bytes()
        entry.write_bytes(whole[:-1] + bytes([whole[-1] ^ 0xFF]))
        repaired = runner.run()
        assert repaired["compiled"] and repaired["result"] == [3.0] * 3
        assert not runner.run()["compiled"]


def test_processes_that_compile_at_once_agree(runner: Runner) -> None:
    with same_compiler():
        processes = [runner.start() for _ in range(3)]
        assert [runner.outcome(process)["result"] for process in processes] == [[3.0] * 3] * 3
        assert len(runner.entries()) == 1
        assert not runner.run()["compiled"]
