"""No test looks at the clock on the wall, which a busy machine lets run ahead: `waiting` says how tests wait."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

UNIT = Path(__file__).parent
FOLDERS = sorted(path for path in UNIT.iterdir() if path.is_dir() and path.name != "__pycache__")
WALL_CLOCKS = {"time", "time_ns", "perf_counter", "perf_counter_ns", "monotonic", "monotonic_ns"}
# Calls whose number is how long to wait at most, where a timer or a sleep only makes room for something.
WAITS = {"join", "wait", "acquire", "alarm", "communicate"}
# Texts without any of these have no dependence that would be found.
TELLING = re.compile(rf"\btime\b|\btimeout\b|\b({'|'.join(sorted(WAITS))})\(\s*[\d.]")


def dependences(tree: ast.AST) -> Iterator[str]:
    """Where a program depends on how fast the machine is at the moment."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute) and node.attr in WALL_CLOCKS and _name(node.value) == "time":
            yield f"line {node.lineno}: time.{node.attr}; use time.process_time, and count work where you can"
        elif isinstance(node, ast.ImportFrom) and node.module == "time":
            yield f"line {node.lineno}: import time, and say time.process_time"
        elif isinstance(node, ast.Call):
            given = [each.value for each in node.keywords if each.arg == "timeout"]
            if _name(node.func) in WAITS:
                given += node.args[:1]
            if any(isinstance(each, ast.Constant) and isinstance(each.value, int | float) for each in given):
                yield f"line {node.lineno}: a limit in seconds; use waiting.HANG_SECONDS, or none"


def _name(node: ast.AST) -> str:
    return node.id if isinstance(node, ast.Name) else node.attr if isinstance(node, ast.Attribute) else ""


@pytest.mark.parametrize(
    "folder",
    sorted(path for path in UNIT.iterdir() if path.is_dir() and path.name != "__pycache__"),
    ids=lambda path: path.name,
)
def test_no_test_looks_at_the_clock_on_the_wall(folder: Path) -> None:
    found = [
        f"{path.relative_to(UNIT)} {each}"
        for path in sorted(folder.rglob("*.py"))
        if TELLING.search(text := path.read_text())
        for each in dependences(ast.parse(text))
    ]
    assert found == []


@pytest.mark.parametrize(
    "program",
    [
        "start = time.perf_counter()",
        "from time import time",
        "subprocess.run(command, timeout=60)",
        "thread.join(5)",
        "signal.alarm(20)",
        "threading.Barrier(2, timeout=30)",
    ],
)
def test_a_dependence_on_the_clock_is_found(program: str) -> None:
    assert len(list(dependences(ast.parse(program)))) == 1 and TELLING.search(program)


@pytest.mark.parametrize(
    "program",
    ["time.process_time()", "thread.join()", "thread.join(HANG_SECONDS)", "'x'.join('y')", "time.sleep(0.1)"],
)
def test_other_waits_are_not(program: str) -> None:
    assert not list(dependences(ast.parse(program)))
