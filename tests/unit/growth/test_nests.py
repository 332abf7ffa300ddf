"""Chains of `elif` are nests: differentiating one takes work in proportion to the chain, by every method."""

from __future__ import annotations

import math

import pytest
from compile_work import calls_during, compile_to_llvm, program_of

from tapeless.methods import DEFAULT, IMPLEMENTED

SHORT, LONG, STEEPEST = 20, 80, 1.2


CASES = [*(("elifs", method) for method in IMPLEMENTED), ("elifs of arrays", DEFAULT)]


@pytest.mark.one_in(4)
@pytest.mark.parametrize(("family", "method"), CASES)
def test_gradients_of_elif_chains(family: str, method: str) -> None:
    programs = {n: program_of(family, "gradient", n) for n in (1, SHORT, LONG)}
    compile_to_llvm(programs[1], method)  # imports what the method needs
    calls = {n: calls_during(lambda n=n: compile_to_llvm(programs[n], method)) for n in programs}  # type: ignore[misc]
    growth = (calls[LONG] - calls[1]) / (calls[SHORT] - calls[1])
    assert math.log(growth, (LONG - 1) / (SHORT - 1)) < STEEPEST, calls
