"""Run-time checks on the emulated GPU: what fails on the CPU fails there, with the same values and lines."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from test_checks import FAILING, PASSING
from variants import assert_same

import tapeless as tl
from emulated_gpu.kernels import emulated_cuda


@pytest.mark.one_in(4)
@pytest.mark.parametrize("case", FAILING.values(), ids=FAILING)
def test_failing_check(case: tuple[Any, ...]) -> None:
    function, arguments, error, message = case
    with emulated_cuda() as gpu, pytest.raises(error, match=message) as found:
        tl.jit(function, target="cuda")(*arguments)
    gpu.check_guards()
    with pytest.raises(error) as wanted:
        tl.jit(function)(*arguments)
    assert str(found.value) == str(wanted.value)


@pytest.mark.one_in(2)
@pytest.mark.parametrize("case", PASSING.values(), ids=PASSING)
def test_nothing_fails(case: tuple[Any, ...]) -> None:
    function, arguments, wanted = case
    with emulated_cuda():
        assert_same(tl.jit(function, target="cuda")(*arguments), wanted, 1e-12)


def many(x, places):
    return tl.map(lambda i: x[i] * 2.0, places)


def test_one_of_many_failures_is_reported() -> None:
    """Blocks that start after one of them has failed do nothing."""
    places = np.arange(1000) % 7
    places[[300, 500, 700]] = 90, 50, 70
    with emulated_cuda(seed=3), pytest.raises(tl.IndexOutOfRange, match=r"index (90|50|70) is out of range"):
        tl.jit(many, target="cuda")(np.ones(8), places)
