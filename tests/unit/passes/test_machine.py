"""Hardware numbers stand in one record: no other file of the passes has one."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

import tapeless.passes
from tapeless.passes.ir import machine
from tapeless.targets import GENERATIONS

ROOT = Path(tapeless.passes.__file__).parent
RECORD = ROOT / "ir" / "machine.py"
MULTIPROCESSORS = {gpu.multiprocessors for gpu in machine.GPUS.values()}
# From so many kilobytes on, a size is about a memory of a machine.
KILOBYTE, LARGE = {(ast.LShift, 10), (ast.Mult, 1024)}, 40
# Thresholds of schedules, which are no numbers of a machine, each with its subject.
THRESHOLDS = {("soac/spread/together.py", 64): "shared memory for the rows of 128 iterations and their sums"}


def test_every_generation_has_a_row():
    assert tuple(machine.GPUS) == GENERATIONS


def test_both_kinds_of_processors_have_a_row():
    assert set(machine.CPUS) == {"x86_64", "aarch64"}


def hardware_numbers(source: str) -> Iterator[int]:
    """The multiples of numbers of multiprocessors, and large sizes in kilobytes, that a file has."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Constant) and type(node.value) is int:
            if any(node.value in (count, 8 * count, 16 * count) for count in MULTIPROCESSORS):
                yield node.value
        elif isinstance(node, ast.BinOp) and isinstance(left := node.left, ast.Constant):
            unit = (type(node.op), getattr(node.right, "value", None))
            if unit in KILOBYTE and left.value >= LARGE:
                yield left.value


@pytest.mark.parametrize("source", ["A = 132", "A = 8 * 3, 1056", "A = 99 << 10", "A = 48 * 1024"])
def test_hardware_numbers_are_found(source):
    assert list(hardware_numbers(source))


def test_no_other_file_has_hardware_numbers():
    found = {
        (str(path.relative_to(ROOT)), number)
        for folder in ("ir", "soac", "lower", "rev", "ad")
        for path in (ROOT / folder).rglob("*.py")
        if path != RECORD
        for number in hardware_numbers(path.read_text())
    }
    assert found == set(THRESHOLDS)
