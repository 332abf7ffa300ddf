"""Results are the same bits on any number of threads: every program with its derivatives, cut into many blocks."""

from __future__ import annotations

import copy
from typing import Any

import numpy as np
import pytest
from programs_as_ir import values_and_adjoints

from programs import PROGRAMS
from programs.program import Program
from tapeless._mlir import ir
from tapeless.api.binding import call
from tapeless.backend.compile import CompileOptions, compile_module
from tapeless.dialects.context import make_context
from tapeless.passes.lower import cuts, maps, scan_pieces, scans, work
from tapeless.runtime.image import LoadedImage
from tapeless.runtime.invoke import bind

# Where work is cut: (module, name, a value that cuts arrays of a few elements).
SMALLEST = (
    (cuts, "LEAST_WORK", 1),
    (cuts, "WORK_PER_COPIED_ELEMENT", {True: 1, False: 1}),
    (cuts, "LANES", 2),
    (work, "WORK_PER_BLOCK", 2),
    (scan_pieces, "SMALLEST_PIECE", 8),
    (scans, "LARGEST_AT_ONCE", 3),
    (maps, "ROWS_PER_PACKING", 1),
)


@pytest.fixture
def small_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    for module, name, value in SMALLEST:
        monkeypatch.setattr(module, name, value)


def run(text: str, arguments: list[Any], threads: int) -> list[bytes]:
    with make_context(), ir.Location.unknown():
        code = compile_module(ir.Module.parse(text), CompileOptions(threads=threads))
    image = LoadedImage(code.image)
    invoke = bind(image.address(code.entry), dict(enumerate(code.sites)))
    names = [f"argument{k}" for k in range(len(arguments))]
    return [np.asarray(result).tobytes() for result in call(code.abi, names, "f", invoke, copy.deepcopy(arguments))]


@pytest.mark.usefixtures("small_blocks")
@pytest.mark.parametrize("program", PROGRAMS.values(), ids=PROGRAMS)
def test_program(program: Program) -> None:
    """Three threads run the code of two: a share of the programs shows it."""
    text, arguments = values_and_adjoints(program)
    counts = (2, 3) if list(PROGRAMS).index(program.name) % 8 == 0 else (2,)
    expected = run(text, arguments, threads=1)
    for threads in counts:
        assert run(text, arguments, threads) == expected
