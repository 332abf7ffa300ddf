"""Every function of every problem is right by every method."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from tapeless.gradbench.protocol import Tool
from tapeless.gradbench.settings import Settings
from tapeless.gradbench.table import NAMES, find_problem
from tapeless.methods import IMPLEMENTED

from .cases import CASES

TOOLS = {method: Tool(Settings(method)) for method in IMPLEMENTED}


@pytest.mark.parametrize("method", IMPLEMENTED)
@pytest.mark.parametrize("case", CASES, ids=str)
def test_values_and_derivatives(case, method):
    answer = TOOLS[method].answer(case.message())
    assert answer["success"]
    assert_same(answer["output"], case.expected)


def assert_same(actual: Any, expected: Any) -> None:
    """The same structure with the same numbers, to ten digits; whole numbers are exact."""
    if isinstance(expected, dict):
        assert list(actual) == list(expected)
        for name in expected:
            assert_same(actual[name], expected[name])
    else:
        assert np.shape(actual) == np.shape(expected)
        np.testing.assert_allclose(actual, expected, rtol=1e-10, atol=1e-10)


def test_there_are_cases_of_all_functions():
    functions = {(name, function) for name in NAMES for function in find_problem(name)}
    assert {(case.module, case.function) for case in CASES} == functions
