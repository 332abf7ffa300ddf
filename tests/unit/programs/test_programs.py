"""Every program of the collection, run in every way if thorough, against its numpy reference."""

from __future__ import annotations

import copy
import inspect
import re
from typing import Any

import numpy as np
import pytest
from variants import VARIANTS, assert_same, call, single_precision

from programs import PROGRAMS, procedures
from programs.axes import TARGETS
from programs.numpy_names import NAMES
from programs.program import Program
from tapeless import lang

SINGLE_TOLERANCE = 2e-5


def in_turn(program: Program, target: str) -> list[str]:
    """A plain call, and the other ways in turn."""
    first, *others = VARIANTS[target]
    return [first, *(others and [others[list(PROGRAMS).index(program.name) % len(others)]])]


@pytest.mark.one_in(75)
@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize("program", PROGRAMS.values(), ids=PROGRAMS)
def test_program(program: Program, target: str) -> None:
    check(program, target, in_turn(program, target))


@pytest.mark.thorough
@pytest.mark.parametrize("target", [target for target in TARGETS if len(VARIANTS[target]) > 2])
@pytest.mark.parametrize("program", PROGRAMS.values(), ids=PROGRAMS)
def test_program_in_the_other_ways(program: Program, target: str) -> None:
    check(program, target, [name for name in VARIANTS[target] if name not in in_turn(program, target)])


def check(program: Program, target: str, ways: list[str]) -> None:
    arguments = program.arguments(np.random.default_rng(7))
    wanted = program.reference(*copy.deepcopy(arguments))
    for run in (VARIANTS[target][name] for name in ways):
        given = copy.deepcopy(arguments)
        assert_same(run(program.function, given), wanted, program.tolerance)
        assert_unchanged(given, arguments)


@pytest.mark.one_in(22)
@pytest.mark.parametrize(
    "program", [p for p in PROGRAMS.values() if not p.tags & {"f64", "ints"}], ids=lambda program: program.name
)
def test_program_in_single_precision(program: Program) -> None:
    arguments = single_precision(program.arguments(np.random.default_rng(7)))
    wanted = program.reference(*copy.deepcopy(arguments))
    assert_same(call(program.function, arguments), wanted, max(program.tolerance, SINGLE_TOLERANCE))


def assert_unchanged(given: tuple[Any, ...], before: tuple[Any, ...]) -> None:
    """Arguments are never changed."""
    for now, then in zip(given, before, strict=True):
        np.testing.assert_array_equal(now, then)


def test_the_collection_uses_every_operator() -> None:
    """What the language offers and no program uses would go untested."""
    modules = {inspect.getmodule(program.function) for program in PROGRAMS.values()} | {procedures}
    text = "\n".join(inspect.getsource(module) for module in modules)
    printing = "debug_print"  # kernels, which programs are compiled to, do not print
    operators = lang.OPERATORS.keys() - NAMES.keys() - {printing}
    assert [name for name in sorted(operators) if not re.search(rf"\btl\.{name}\b", text)] == []
