"""A process for every task, with its threads and its time limited; one that ends early costs one contestant."""

from __future__ import annotations

import json
import os
import queue
import signal
import subprocess
import sys
import tempfile
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from untuned.task import Task, empty_row

BENCHMARKS = Path(__file__).parents[1]
Row = dict[str, Any]
# Seconds until a process says its first word; libraries are not loaded before.
LONGEST_START = 120.0


def rows_of(task: Task, limit: float, command: tuple[str, ...] = ("-m", "untuned.measure")) -> list[Row]:
    """The rows of a task: a contestant that crashes, or is silent for `limit` seconds, has the reason in its row."""
    program = task.record
    lost: list[Row] = []
    while True:
        rows, at, reason = _attempt(task, limit, command)
        if rows is not None:
            return sorted(rows + lost, key=lambda row: _place(task, row))
        named = [each for each in task.contestants if each.title == at]
        left = [each for each in task.contestants if each.title not in task.skipped]
        for each in named or left:
            lost.append(empty_row(program, task, each) | {"refused": reason})
        if not named or len(left) == 1:
            return sorted(lost, key=lambda row: _place(task, row))
        task = task.without(at)


def _place(task: Task, row: Row) -> int:
    keys = [(each.name, each.spelling, each.method) for each in task.contestants]
    return keys.index((row["contestant"], row["spelling"], row["method"]))


def _attempt(task: Task, limit: float, command: tuple[str, ...]) -> tuple[list[Row] | None, str, str]:
    """The rows, or else which contestant the process was at, and why it ended."""
    at = ""
    with tempfile.TemporaryDirectory() as folder:
        process = _start(task, folder, command)
        try:
            for line in _lines(process, limit + task.seconds):
                if "rows" in line:
                    return line["rows"], at, ""
                at = line.get("begin", "" if "timing" in line else at)
            errors = Path(folder, "errors").read_text(errors="replace").strip().splitlines()
            return None, at, f"the process ended with {_ending(process)}: {errors[-1] if errors else ''}"[:600]
        except queue.Empty:
            return None, at, f"nothing came for {limit:.0f} s"
        finally:
            _end(process)


def _start(task: Task, folder: str, command: tuple[str, ...]) -> subprocess.Popen[str]:
    with open(Path(folder, "errors"), "w") as errors:
        return subprocess.Popen(
            [sys.executable, *command, task.to_json()],
            stdout=subprocess.PIPE,
            stderr=errors,
            text=True,
            env=environment(task, folder),
            start_new_session=True,
        )


def environment(task: Task, folder: str) -> dict[str, str]:
    """Threads as the task says, a cache of kernels of its own, and JAX on the target."""
    count = str(task.threads)
    one = "--xla_cpu_multi_thread_eigen=false intra_op_parallelism_threads=1"
    given = {
        "PYTHONPATH": os.pathsep.join([str(BENCHMARKS), *filter(None, [os.environ.get("PYTHONPATH")])]),
        "OMP_NUM_THREADS": count,
        "OPENBLAS_NUM_THREADS": count,
        "MKL_NUM_THREADS": count,
        "TAPELESS_CACHE_DIR": str(Path(folder, "kernels")),
        "JAX_PLATFORMS": task.target if task.target == "cpu" else "cuda,cpu",
        "XLA_PYTHON_CLIENT_PREALLOCATE": "false",
    }
    if task.target == "cpu" and task.threads == 1:
        given["XLA_FLAGS"] = one
    Path(folder, "kernels").mkdir(mode=0o700)
    kept = {name: text for name, text in os.environ.items() if name not in ("PYTHONDONTWRITEBYTECODE", "XLA_FLAGS")}
    return kept | given


def _lines(process: subprocess.Popen[str], limit: float) -> Iterator[Any]:
    """The next message of the process; `queue.Empty` is raised when it is silent for longer than the limit."""
    lines: queue.Queue[str | None] = queue.Queue()
    stream = process.stdout
    assert stream is not None

    def read() -> None:
        with stream:
            for line in stream:
                lines.put(line)
        lines.put(None)

    threading.Thread(target=read, daemon=True).start()
    timeout = max(limit, LONGEST_START)
    while (line := lines.get(timeout=timeout)) is not None:
        timeout = limit
        yield json.loads(line)


def _ending(process: subprocess.Popen[str]) -> str:
    code = process.wait()
    return f"signal {signal.Signals(-code).name}" if code < 0 else f"exit code {code}"


def _end(process: subprocess.Popen[str]) -> None:
    """Ends the process and those that it started."""
    if process.poll() is None:
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()
