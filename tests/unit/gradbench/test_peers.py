"""The derivatives by hand in C, which the benchmark compares with, are right too."""

from __future__ import annotations

import ctypes
import sys
from pathlib import Path

import pytest

from tapeless.gradbench.table import find_problem

from .cases import cases
from .test_problems import assert_same

sys.path.append(str(Path(__file__).parents[3] / "benchmarks"))
from on_gradbench import in_c
from on_gradbench.data import INPUTS, SIZES, make_input


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> ctypes.CDLL:
    return in_c.compiled(tmp_path_factory.mktemp("c"))


@pytest.mark.one_in(7)
@pytest.mark.parametrize("problem", in_c.PROBLEMS)
def test_in_c(library, problem):
    for case in cases(problem):
        if case.given.get("us") == []:
            continue
        for function, task in find_problem(problem).items():
            arguments = task.arguments(case.given)
            result = in_c.PROBLEMS[problem](library, *arguments)[function]()
            assert_same(task.output(result), case.expected[function])


@pytest.mark.parametrize("problem", SIZES)
def test_inputs_are_as_the_suite_sends_them(problem):
    """The smallest input of the benchmark has what programs read."""
    assert list(INPUTS) == list(SIZES)
    for task in find_problem(problem).values():
        assert len(task.arguments(make_input(problem, SIZES[problem][0])))
