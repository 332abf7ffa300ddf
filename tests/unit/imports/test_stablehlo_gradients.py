"""Derivatives of every operation on arrays, by all methods and both modes, against differences."""

from __future__ import annotations

import pytest

import tapeless as tl
from unit.imports import stablehlo_structure
from unit.imports.stablehlo_structure import ROWS

WITHOUT = ("constant", "iota", "dynamic_iota", "get_dimension_size", "if")
CASES = {f"{row.name}-{k}": row for k, row in enumerate(ROWS) if "f64" in row.dtypes and row.result == "T"}


@pytest.mark.one_in(10)
@pytest.mark.parametrize("name", [name for name, row in CASES.items() if row.name not in WITHOUT])
def test_derivatives_are_those_of_differences(name):
    text, _ = stablehlo_structure.module("f64", [CASES[name]])
    tl.check_grads(tl.from_mlir(text), tuple(stablehlo_structure.arguments("f64")), order=1)
