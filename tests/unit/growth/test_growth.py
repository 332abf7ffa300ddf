"""Compiling takes work in proportion to the program: four times the statements, about four times the calls."""

from __future__ import annotations

import math

import pytest
from compile_work import calls_during, compile_to_llvm, program_of
from families import FAMILIES

from tapeless.passes.soac.fuse import merge_loops, sink
from tapeless.passes.soac.simplify import known_writes, writes

STEEPEST = 1.3


def work(family: str, form: str, n: int) -> int:
    function = program_of(family, form, n)
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
    for module in (merge_loops, sink):
        monkeypatch.setattr(module, "MOST_NEIGHBOURS", 4)
    monkeypatch.setattr(sink, "MOST_DEPENDENT", 4)
    for module in (known_writes, writes):
        monkeypatch.setattr(module, "LONGEST_CHAIN", 4)


# Gradients of every second family, values of the others; `make thorough` has them all.
FORMS = ("value", "gradient", "tangent")
CASES = [
    pytest.param(family, form, marks=[] if form == FORMS[number % 2] else pytest.mark.thorough)
    for number, family in enumerate(FAMILIES)
    for form in FORMS
]


@pytest.mark.one_in(80)
@pytest.mark.parametrize(("family", "form"), CASES)
def test_work_grows_like_the_program(family: str, form: str) -> None:
    short, long = FAMILIES[family].sizes
    calls = {n: work(family, form, n) for n in (1, short, long)}
    # What every program costs is the same in all of them, and would hide how the rest grows.
    growth = (calls[long] - calls[1]) / (calls[short] - calls[1])
    assert math.log(growth, (long - 1) / (short - 1)) < STEEPEST, calls
