"""Results are the same bits on any number of threads: every program with its derivatives, cut into many blocks."""

from __future__ import annotations

import copy
from typing import Any

import numpy as np
import pytest
from programs_as_ir import values_and_adjoints
from small_blocks import cut_small_arrays

from programs import PROGRAMS
from programs.axes import methods_in_turn
from shared_context import shared_context
from tapeless._mlir import ir
from tapeless.backend.compile import CompileOptions, compile_module
from tapeless.runtime.calling.binding import call
from tapeless.runtime.image import LoadedImage
from tapeless.runtime.invoke import bind


@pytest.fixture
def small_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    cut_small_arrays(monkeypatch)


def run(text: str, arguments: list[Any], threads: int) -> list[bytes]:
    with shared_context(), ir.Location.unknown():
        code = compile_module(ir.Module.parse(text), CompileOptions(threads=threads))
    image = LoadedImage(code.image)
    invoke = bind(image.address(code.entry), dict(enumerate(code.sites)))
    names = [f"argument{k}" for k in range(len(arguments))]
    return [np.asarray(result).tobytes() for result in call(code.abi, names, "f", invoke, copy.deepcopy(arguments))]


@pytest.mark.one_in(154)
@pytest.mark.usefixtures("small_blocks")
@pytest.mark.parametrize(("name", "method"), methods_in_turn(PROGRAMS))
def test_program(name: str, method: str) -> None:
    """Three threads run the code of two: a share of the programs shows it."""
    text, arguments = values_and_adjoints(PROGRAMS[name], method)
    counts = (2, 3) if list(PROGRAMS).index(name) % 8 == 0 else (2,)
    expected = run(text, arguments, threads=1)
    for threads in counts:
        assert run(text, arguments, threads) == expected
