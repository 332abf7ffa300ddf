"""Chains of `elif` are nests: differentiating one takes work in proportion to the chain, by every method."""

from __future__ import annotations

import math

import pytest
from compile_work import calls_during, compile_to_llvm, program_of

from tapeless.methods import IMPLEMENTED

SHORT, LONG, STEEPEST = 20, 80, 1.2


@pytest.mark.parametrize("method", IMPLEMENTED)
def test_gradients_of_elif_chains(method: str) -> None:
    programs = {n: program_of("elifs", "gradient", n) for n in (1, SHORT, LONG)}
    compile_to_llvm(programs[1], method)  # imports what the method needs
    calls = {n: calls_during(lambda n=n: compile_to_llvm(programs[n], method)) for n in programs}  # type: ignore[misc]
    growth = (calls[LONG] - calls[1]) / (calls[SHORT] - calls[1])
    assert math.log(growth, (LONG - 1) / (SHORT - 1)) < STEEPEST, calls
