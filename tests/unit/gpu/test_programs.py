"""Every program of the collection and its adjoint on the emulated GPU, against the CPU."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import tapeless as tl
from emulated_gpu.kernels import emulated_cuda
from programs import PROGRAMS
from programs.axes import METHODS
from programs_on_gpu import LEAST_TOLERANCE, largest_distance, ones_like

SHARE = 15
CASES = [
    pytest.param(name, method, marks=[] if (number + shift) % SHARE == 0 else pytest.mark.thorough)
    for shift, method in enumerate(METHODS)
    for number, name in enumerate(PROGRAMS)
]


def on_both(function: Any, arguments: tuple[Any, ...], tolerance: float, **options: Any) -> Any:
    """What the CPU gives, which the GPU must give too, twice: the second call may be recorded."""
    expected = tl.compile(function, arguments, **options)(*arguments)
    with emulated_cuda() as gpu:
        kernel = tl.compile(function, arguments, target="cuda", **options)
        for _ in range(2):
            assert largest_distance(kernel(*arguments), expected) <= tolerance
        gpu.check_guards()
    return expected


@pytest.mark.one_in(18)
@pytest.mark.parametrize(("name", "method"), CASES)
def test_value_and_adjoint(name: str, method: str) -> None:
    program = PROGRAMS[name]
    arguments = program.arguments(np.random.default_rng(0))
    tolerance = max(program.tolerance, LEAST_TOLERANCE)
    function = tl.function(program.function)
    value = on_both(function, arguments, tolerance)
    _, pullback = tl.vjp(function, *arguments, method=method)
    given = (*pullback.primals, *pullback.cotangents(ones_like(value)))
    try:
        tl.compile(pullback.derivative, given)
    except tl.FrontendError:  # a loop that cannot be unrolled cannot be for a GPU either
        with pytest.raises(tl.FrontendError):
            tl.compile(pullback.derivative, given, target="cuda:sm_90")
        return
    on_both(pullback.derivative, given, tolerance)
