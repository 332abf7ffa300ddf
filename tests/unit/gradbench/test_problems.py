"""Every function of every problem is right by every method, to ten digits."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from tapeless.gradbench.protocol import Tool
from tapeless.gradbench.settings import Settings
from tapeless.gradbench.table import NAMES, find_problem
from tapeless.methods import DEFAULT, IMPLEMENTED

from .cases import PROBLEMS, cases, message

TOOLS = {method: Tool(Settings(method)) for method in IMPLEMENTED}
# What has no reverse mode in it is the same by all methods.
FORWARD = ("square", "primal", "objective", "cost", "ff")
FUNCTIONS = [(module, function) for module in NAMES for function in find_problem(module)]
BY_METHOD = [
    (module, function, method)
    for module, function in FUNCTIONS
    for method in (IMPLEMENTED if function not in FORWARD and module != "ht" else (DEFAULT,))
]


@pytest.mark.one_in(27)
@pytest.mark.parametrize(("module", "function", "method"), BY_METHOD)
def test_values_and_derivatives(module, function, method):
    for case in cases(module):
        answer = TOOLS[method].answer(message(module, function, case.given))
        assert answer["success"]
        assert_same(answer["output"], case.expected[function])


def assert_same(actual: Any, expected: Any) -> None:
    """The same structure with the same numbers."""
    if isinstance(expected, dict):
        assert list(actual) == list(expected)
        for name in expected:
            assert_same(actual[name], expected[name])
    else:
        assert np.shape(actual) == np.shape(expected)
        np.testing.assert_allclose(actual, expected, rtol=1e-10, atol=1e-10)


def test_all_problems_have_cases():
    assert set(NAMES) == set(PROBLEMS)
    for module in NAMES:
        assert all(list(case.expected) == list(find_problem(module)) for case in cases(module))
