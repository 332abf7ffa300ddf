"""Compiling takes work in proportion to the length of a program: twice as many statements, about twice the calls."""

from __future__ import annotations

import math

import pytest
from compile_work import FORMS, calls_during, compile_to_llvm, function_of
from families import FAMILIES

from tapeless.passes.soac import covered_fills, fuse, writes

STEEPEST = 1.3


def work(family: str, form: str, n: int) -> int:
    program = FAMILIES[family]
    text = program.text(n) + FORMS[form].format(type=program.type)
    function = function_of(text, f"<{n} {family}, {form}>")
    return calls_during(lambda: compile_to_llvm(function))


@pytest.fixture(scope="module", autouse=True)
def imported() -> None:
    """Compiles once before anything is counted, because that imports the passes."""
    work("ifs of arrays", "gradient", 1)


@pytest.fixture(autouse=True)
def short_chains(monkeypatch: pytest.MonkeyPatch) -> None:
    """Compares a write or a loop with few before it, so that short programs show how the work grows from there on.

    With the limits that are shipped, programs shorter than these take more than in proportion.
    """
    monkeypatch.setattr(fuse, "MOST_NEIGHBOURS", 6)
    for module in (writes, covered_fills):
        monkeypatch.setattr(module, "LONGEST_CHAIN", 6)


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("family", FAMILIES)
def test_work_grows_like_the_program(family: str, form: str) -> None:
    sizes = FAMILIES[family].sizes
    calls = [work(family, form, n) for n in sizes]
    # What every program costs is the same in all of them, and would hide how the rest grows.
    first, second = calls[1] - calls[0], calls[2] - calls[1]
    assert math.log2(second / first) < STEEPEST, dict(zip(sizes, calls, strict=True))
