"""Nests whose cells wait for neighbours, by antidiagonals on the emulated GPU, against the loops on the CPU."""

from __future__ import annotations

from unittest import mock

import numpy as np
import pytest

import tapeless as tl
from emulated_gpu.kernels import emulated_cuda
from table_programs import PROGRAMS, TYPES, arguments, by_rows_with_borders, scored
from tapeless.passes.soac.skew.skewing import Skewing

METHODS = ("redundant", "reversible", "coarsened")


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("name", PROGRAMS)
def test_as_loops_on_the_cpu(name: str, method: str) -> None:
    gradient = tl.value_and_grad(PROGRAMS[name], (0, 1), method=method)
    by_loops = tl.value_and_grad(PROGRAMS[name], (0, 1), method="coarsened")
    watched = mock.patch.object(Skewing, "carry_out", autospec=True, side_effect=Skewing.carry_out)
    with watched as carried_out, emulated_cuda() as gpu:
        kernel = tl.compile(gradient, TYPES, target="cuda")
        assert carried_out.call_count == (method != "coarsened")
        for shape in ((12, 7), (5, 31), (40, 40), (1, 1), (1, 9), (9, 1)):
            given = arguments(*shape)
            value, parts = by_loops(*given)
            for _ in range(2):
                found, found_parts = kernel(*given)
                assert found == pytest.approx(value, rel=1e-12)
                for part, found_part in zip(parts, found_parts, strict=True):
                    np.testing.assert_allclose(found_part, part, rtol=1e-9, atol=1e-12)
        gpu.check_guards()


def test_f32() -> None:
    gradient = tl.value_and_grad(by_rows_with_borders, (0, 1))
    given = arguments(14, 11, np.float32)
    value, parts = tl.value_and_grad(by_rows_with_borders, (0, 1), method="coarsened")(*given)
    with emulated_cuda():
        found, found_parts = tl.compile(gradient, given, target="cuda")(*given)
    assert found == pytest.approx(value, rel=1e-5)
    for part, found_part in zip(parts, found_parts, strict=True):
        np.testing.assert_allclose(found_part, part, rtol=1e-3, atol=1e-5)


def test_empty_tables_stay_as_they_were() -> None:
    gradient = tl.value_and_grad(scored, (0, 1))
    with emulated_cuda():
        kernel = tl.compile(gradient, TYPES, target="cuda")
        for shape in ((0, 4), (4, 0), (0, 0)):
            value, parts = kernel(*arguments(*shape))
            assert value == 0.0
            assert not any(part.any() for part in parts)


def test_checks_of_places_fail_as_in_loops() -> None:
    scores, gap, a, b = arguments(12, 10)
    a[5] = 3
    with emulated_cuda():
        kernel = tl.compile(scored, TYPES, target="cuda")
        with pytest.raises(IndexError, match="index 3"):
            kernel(scores, gap, a, b)
