"""Derivatives of every operation, by all methods and both modes, against differences."""

from __future__ import annotations

import numpy as np
import pytest

import tapeless as tl
from tapeless.methods import IMPLEMENTED
from unit.imports import stablehlo_structure, stablehlo_table
from unit.imports.stablehlo_structure import ROWS

WITHOUT = ("constant", "iota", "dynamic_iota", "get_dimension_size", "if")
CASES = {f"{row.name}-{k}": row for k, row in enumerate(ROWS) if "f64" in row.dtypes and row.result == "T"}


@pytest.mark.one_in(10)
@pytest.mark.parametrize("name", [name for name, row in CASES.items() if row.name not in WITHOUT])
def test_derivatives_are_those_of_differences(name):
    text, _ = stablehlo_structure.module("f64", [CASES[name]])
    tl.check_grads(tl.from_mlir(text), tuple(stablehlo_structure.arguments("f64")), order=1)


AWAY_FROM_KINKS = (
    np.array([0.3, 0.71, 0.11, 0.95, 0.44, 0.62, 1.7, 0.83, 1.2, 0.27, 0.38, 0.57]),
    np.array([1.3, 0.4, 0.9, 0.2, 1.4, 2.2, 0.6, 0.33, 0.5, 1.9, 0.75, 1.1]),
    np.array([True, False, False] * 4),
)


@pytest.mark.one_in(3)
@pytest.mark.parametrize("method", IMPLEMENTED)
def test_derivatives_of_elementwise_operations_are_those_of_differences(method):
    text, rows = stablehlo_table.module("f64", smooth=True)
    smooth = {row.name for row in rows}
    assert smooth >= {"tanh", "power", "atan2", "select", "clamp", "maximum", "remainder", "convert", "cbrt"}
    tl.check_grads(tl.from_mlir(text), AWAY_FROM_KINKS, order=1, methods=[method])
