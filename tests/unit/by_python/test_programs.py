"""Every program of the collection gives the same by Python as by its reference, in types and in values."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import tapeless as tl
from programs import PROGRAMS


def same(result: Any, expected: Any, tolerance: float) -> None:
    if isinstance(expected, tuple):
        assert isinstance(result, tuple)
        assert len(result) == len(expected)
        for pair in zip(result, expected, strict=True):
            same(*pair, tolerance)
        return
    np.testing.assert_allclose(result, expected, rtol=max(tolerance, 1e-12), atol=max(tolerance, 1e-12))


@pytest.mark.one_in(10)
@pytest.mark.parametrize("name", PROGRAMS)
def test_by_python(name: str) -> None:
    program = PROGRAMS[name]
    arguments = program.arguments(np.random.default_rng(1))
    with tl.disable_jit():
        result = tl.function(program.function)(*arguments)
    with np.errstate(all="ignore"):
        expected = program.reference(*arguments)
    same(result, expected, program.tolerance)
