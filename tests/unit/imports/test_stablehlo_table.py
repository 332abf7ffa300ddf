"""Every elementwise operation in every dtype against the reference interpreter of StableHLO."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest

import tapeless as tl
from tapeless.passes.imports.stablehlo.to_core import RULES
from unit.imports import stablehlo_structure, stablehlo_table
from unit.imports.stablehlo_reference import evaluate
from unit.imports.stablehlo_table import ALL, DTYPES, FLOATS, arguments, module

TOLERANCES = {"f64": 2e-13, "f32": 2e-6}


ELSEWHERE = {
    *("composite", "convolution", "custom_call", "reduce_precision"),
    *("dynamic_gather", "dynamic_pad", "real_dynamic_slice"),
    *("batch_norm_grad", "batch_norm_inference", "batch_norm_training"),
}
"""Operations that other tests have: those of a few types or of open sizes, and those that a name gives a meaning."""

COMPARISONS = {
    "EQ": np.equal,
    "NE": np.not_equal,
    "LT": np.less,
    "LE": np.less_equal,
    "GT": np.greater,
    "GE": np.greater_equal,
}


def in_total_order(row, x, y):
    """A comparison by the bits of floats: -NaN, -inf, ..., -0, 0, ..., inf, NaN."""
    words = [each.view(np.int64 if each.dtype == np.float64 else np.int32) for each in (x, y)]
    ranks = [np.where(each < 0, np.iinfo(each.dtype).min - each - 1, each) for each in words]
    return COMPARISONS[row.text.split()[1].rstrip(",")](*ranks)


@pytest.mark.parametrize("dtype", ALL)
def test_elementwise_operations_give_what_the_reference_gives(dtype):
    text, rows = module(dtype)
    given = arguments(dtype)
    found, wanted = tl.from_mlir(text)(*given), evaluate(text, given)
    for row, value, reference in zip(rows, found, wanted, strict=True):
        if "TOTALORDER" in row.text:  # the interpreter compares as if that were FLOAT
            reference = in_total_order(row, *given[:2])
        assert value.dtype == reference.dtype, row
        tolerance = TOLERANCES.get(row.result, 0)
        np.testing.assert_allclose(value, reference, rtol=tolerance, atol=tolerance, err_msg=str(row))
        if reference.dtype.kind == "f":
            zeros = reference == 0
            np.testing.assert_array_equal(np.signbit(value[zeros]), np.signbit(reference[zeros]), err_msg=str(row))


AT_EDGES = ("add", "subtract", "multiply", "divide", "maximum", "minimum", "power", "remainder", "atan2")
EDGES = np.array([np.inf, -np.inf, np.nan, 0.0, -0.0, 1.0, -1.0, 0.5, -2.0, 3.0])


@pytest.mark.parametrize("dtype", FLOATS)
def test_zeros_infinities_and_nan_meet_as_in_the_reference(dtype):
    t = f"tensor<100x{dtype}>"
    lines = "\n  ".join(f"%{k} = stablehlo.{name} %x, %y : {t}" for k, name in enumerate(AT_EDGES))
    given = ", ".join(f"%{k}" for k in range(len(AT_EDGES)))
    types = ", ".join([t] * len(AT_EDGES))
    text = f"func.func @main(%x: {t}, %y: {t}) -> ({types}) {{\n  {lines}\n  return {given} : {types}\n}}"
    arguments = [each.ravel().astype(DTYPES[dtype]) for each in np.meshgrid(EDGES, EDGES)]
    for name, found, wanted in zip(AT_EDGES, tl.from_mlir(text)(*arguments), evaluate(text, arguments), strict=True):
        np.testing.assert_allclose(found, wanted, rtol=TOLERANCES[dtype], err_msg=name)
        zeros = wanted == 0
        np.testing.assert_array_equal(np.signbit(found[zeros]), np.signbit(wanted[zeros]), err_msg=name)


@pytest.mark.one_in(3)
@pytest.mark.parametrize("dtype", ALL)
def test_operations_on_arrays_give_what_the_reference_gives(dtype):
    text, rows = stablehlo_structure.module(dtype)
    given = stablehlo_structure.arguments(dtype)
    reference_text, _ = stablehlo_structure.module(dtype, for_reference=True)
    found, wanted = tl.from_mlir(text)(*given), evaluate(reference_text, given)
    for row, value, reference in zip(rows, found, wanted, strict=True):
        assert np.shape(value) == reference.shape, row
        assert not reference.shape or value.dtype == reference.dtype, row
        tolerance = TOLERANCES.get(dtype, 0)
        np.testing.assert_allclose(value, reference, rtol=tolerance, atol=10 * tolerance, err_msg=str(row))


def test_every_operation_with_a_rule_is_in_a_table():
    shown = {row.name for dtype in ALL for row in stablehlo_table.rows(dtype)}
    shown |= {row.name for row in stablehlo_structure.ROWS}
    ruled = {name.removeprefix("stablehlo.") for name in RULES if name.startswith("stablehlo.")}
    assert ruled == shown | ELSEWHERE


def test_the_manual_names_every_operation_that_has_a_rule():
    page = (Path(__file__).parents[3] / "docs" / "stablehlo.md").read_text()
    words = set(re.findall(r"\w+", page.partition("## What is translated")[2]))
    named = {name.partition(".")[2] for name in RULES if name.partition(".")[0] in ("stablehlo", "chlo")}
    assert named - words == set()
