"""Modules of linalg against numpy: values, and derivatives by every method against differences."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
import pytest

import tapeless as tl
from tapeless.methods import IMPLEMENTED

from .linalg_modules import CASES, LOOPS


@cache
def function_of(name: str) -> Any:
    return tl.from_mlir(CASES[name].text)


@pytest.mark.one_in(2)
@pytest.mark.parametrize("name", CASES)
def test_values(name: str) -> None:
    case = CASES[name]
    found, expected = function_of(name)(*case.arguments), case.expected(*case.arguments)
    pairs = zip(found, expected, strict=True) if isinstance(expected, tuple) else [(found, expected)]
    for each, wanted in pairs:
        np.testing.assert_allclose(each, wanted, rtol=1e-12, atol=1e-12)


@pytest.mark.one_in(9)
@pytest.mark.parametrize("method", IMPLEMENTED)
@pytest.mark.parametrize("name", CASES)
def test_derivatives_are_those_of_differences(name: str, method: str) -> None:
    tl.check_grads(function_of(name), CASES[name].arguments, order=1, methods=[method])


def test_a_failed_check_has_its_message() -> None:
    text = LOOPS.replace("arith.cmpf ogt, %e, %limit", "arith.cmpf olt, %e, %limit")
    with pytest.raises(tl.CheckFailed, match="the loop ended early"):
        tl.from_mlir(text)(*CASES["loops"].arguments)
