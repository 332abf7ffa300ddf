"""Programs of the collection, saved: loaded they give the same bits, and so does their C function."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import tapeless as tl
from programs import PROGRAMS
from programs.program import Program

from .called_from_c import call_from_c

EVERY = 12
SHARE = list(PROGRAMS.values())[::EVERY]


def flat(results: Any) -> Iterator[Any]:
    if isinstance(results, tuple):
        for result in results:
            yield from flat(result)
    else:
        yield results


def check(program: Program, folder: Path) -> None:
    arguments = program.arguments(np.random.default_rng(3))
    kernel = tl.compile(program.function, arguments, threads=2)
    bundle = kernel.to_bytes()
    expected = list(flat(kernel(*arguments)))
    loaded = list(flat(tl.load(bundle)(*arguments)))
    from_c = call_from_c(bundle, kernel.abi, arguments, folder)
    for found in (loaded, from_c):
        assert [np.asarray(each).tobytes() for each in found] == [np.asarray(each).tobytes() for each in expected]


@pytest.mark.one_in(10)
@pytest.mark.parametrize("program", SHARE, ids=lambda program: program.name)
def test_saved_programs_give_the_same_bits(program: Program, tmp_path: Path) -> None:
    check(program, tmp_path)


@pytest.mark.thorough
@pytest.mark.parametrize("program", PROGRAMS.values(), ids=PROGRAMS)
def test_every_saved_program_gives_the_same_bits(program: Program, tmp_path: Path) -> None:
    check(program, tmp_path)
