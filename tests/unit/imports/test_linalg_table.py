"""Every operation on numbers in bodies of linalg, in every dtype: values by numpy, derivatives by differences."""

from __future__ import annotations

import numpy as np
import pytest

import tapeless as tl
from tapeless.passes.imports.linalg.number_rules import RULES
from unit.imports.linalg_table import DTYPES, FLOATS, ROWS, arguments, module, rows_of

TOLERANCES = {"f64": 1e-13, "f32": 2e-6}
OTHERS = {"arith.index_cast", "arith.index_castui", "linalg.index", "arith.constant", "math.sincos"}
"""Operations on indices, and those that give several results."""
AT_EDGES = ("arith.", "math.is", "math.copysign", "math.floor", "math.ceil", "math.trunc", "math.round", "math.abs")


def check(dtype, rows, given):
    with np.errstate(all="ignore"):
        wanted = [row.expected(*given) for row in rows]
    for row, found, expected in zip(rows, tl.from_mlir(module(dtype, rows))(*given), wanted, strict=True):
        assert found.dtype == DTYPES[dtype if row.result == "T" else row.result], row.text
        tolerance = TOLERANCES.get(found.dtype.name.replace("float", "f"), 0)
        np.testing.assert_allclose(found, expected, rtol=TOLERANCES.get(dtype, tolerance), atol=0, err_msg=row.text)


@pytest.mark.parametrize("dtype", DTYPES)
def test_operations_give_what_numpy_gives(dtype):
    rows = rows_of(dtype)
    given = arguments(dtype)
    check(dtype, [row for row in rows if "acosh" not in row.text and "%w" not in row.text], given)
    shifted = [given[0] + np.array(1.5, given[0].dtype), *given[1:]] if dtype in FLOATS else given
    for row in (row for row in rows if "%w" in row.text):
        found = tl.from_mlir(module(dtype, [row]))(*given)
        expected = np.arccosh(shifted[0]) if "acosh" in row.text else row.expected(*shifted)
        np.testing.assert_allclose(found, expected, rtol=TOLERANCES[dtype], err_msg=row.text)


@pytest.mark.parametrize("dtype", FLOATS)
def test_zeros_infinities_and_nan_are_kept(dtype):
    rows = [row for row in rows_of(dtype) if row.text.startswith(AT_EDGES) and "%w" not in row.text]
    check(dtype, rows, arguments(dtype, at_edges=True))


def test_derivatives_are_those_of_differences():
    tl.check_grads(tl.from_mlir(module("f64", rows_of("f64", smooth=True))), arguments("f64"), order=1)


def test_every_operation_is_in_the_table():
    shown = {row.text.split()[0] for row in ROWS}
    assert set(RULES) == shown | OTHERS


WITHOUT_AXES = """func.func @main(%x: tensor<f64>, %n: tensor<i32>) -> tensor<f64> {
  %e = tensor.extract %x[] : tensor<f64>
  %k = tensor.extract %n[] : tensor<i32>
  %y = math.fpowi %e, %k : f64, i32
  %r = tensor.from_elements %y : tensor<f64>
  return %r : tensor<f64>
}"""
OF_NUMBERS = """func.func @main(%x: f64, %n: i32) -> f64 {
  %y = math.fpowi %x, %n : f64, i32
  return %y : f64
}"""
IN_A_BRANCH = """func.func @main(%x: f64, %n: i32) -> f64 {
  %zero = arith.constant 0.0 : f64
  %three = arith.constant 3 : i32
  %k = arith.extsi %n : i32 to i64
  %c = arith.cmpf olt, %x, %zero : f64
  %y = scf.if %c -> f64 {
    %a = math.fpowi %x, %k : f64, i64
    scf.yield %a : f64
  } else {
    %a = math.fpowi %x, %three : f64, i32
    scf.yield %a : f64
  }
  return %y : f64
}"""


@pytest.mark.parametrize("text", [WITHOUT_AXES, OF_NUMBERS, IN_A_BRANCH])
@pytest.mark.parametrize("exponent", [-2, 0, 1, 3, 7])
def test_exponents_may_be_arguments(exponent, text):
    value, slope = tl.value_and_grad(tl.from_mlir(text))(-1.5, np.int32(exponent))
    np.testing.assert_allclose([value, slope], [(-1.5) ** exponent, exponent * (-1.5) ** (exponent - 1)], rtol=1e-14)


def test_exponents_in_core_ir_may_be_constants_and_bases_integers():
    f = tl.from_mlir("""func.func @main(%x: f64, %n: i64) -> (f64, i64, i1) {
  %k = arith.constant 3 : i32
  %y = math.fpowi %x, %k : f64, i32
  %m = math.ipowi %n, %n : i64
  %i = math.isinf %x : f64
  return %y, %m, %i : f64, i64, i1
}""")
    assert f(1.5, 3) == (3.375, 27, False) and f(-np.inf, -1) == (-np.inf, -1, True)
    assert tl.grad(lambda x: f(x, 2)[0])(1.5) == 6.75
