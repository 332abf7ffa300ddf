"""Operations of StableHLO that are defined by others, and those that a name gives a meaning."""

from __future__ import annotations

import math

import numpy as np
import pytest

import tapeless as tl
from tapeless.errors import ShapeMismatch
from tapeless.passes.imports.stablehlo.composites import FUNCTIONS
from unit.imports.stablehlo_reference import evaluate

BATCH = """func.func @main(%x: tensor<3x4x2xf64>, %s: tensor<4xf64>, %o: tensor<4xf64>, %g: tensor<3x4x2xf64>)
    -> (tensor<3x4x2xf64>, tensor<4xf64>, tensor<4xf64>, tensor<3x4x2xf64>,
        tensor<3x4x2xf64>, tensor<4xf64>, tensor<4xf64>) {
  %0:3 = "stablehlo.batch_norm_training"(%x, %s, %o) {epsilon = 0.01 : f32, feature_index = 1 : i64}
    : (tensor<3x4x2xf64>, tensor<4xf64>, tensor<4xf64>) -> (tensor<3x4x2xf64>, tensor<4xf64>, tensor<4xf64>)
  %1 = "stablehlo.batch_norm_inference"(%x, %s, %o, %o, %0#2) {epsilon = 0.01 : f32, feature_index = 1 : i64}
    : (tensor<3x4x2xf64>, tensor<4xf64>, tensor<4xf64>, tensor<4xf64>, tensor<4xf64>) -> tensor<3x4x2xf64>
  %2:3 = "stablehlo.batch_norm_grad"(%x, %s, %0#1, %0#2, %g) {epsilon = 0.01 : f32, feature_index = 1 : i64}
    : (tensor<3x4x2xf64>, tensor<4xf64>, tensor<4xf64>, tensor<4xf64>, tensor<3x4x2xf64>)
    -> (tensor<3x4x2xf64>, tensor<4xf64>, tensor<4xf64>)
  return %0#0, %0#1, %0#2, %1, %2#0, %2#1, %2#2
    : tensor<3x4x2xf64>, tensor<4xf64>, tensor<4xf64>, tensor<3x4x2xf64>,
      tensor<3x4x2xf64>, tensor<4xf64>, tensor<4xf64>
}"""
NORMALISED = """func.func @main(%x: tensor<3x4x2xf64>, %s: tensor<4xf64>, %o: tensor<4xf64>) -> tensor<3x4x2xf64> {
  %0:3 = "stablehlo.batch_norm_training"(%x, %s, %o) {epsilon = 0.01 : f32, feature_index = 1 : i64}
    : (tensor<3x4x2xf64>, tensor<4xf64>, tensor<4xf64>) -> (tensor<3x4x2xf64>, tensor<4xf64>, tensor<4xf64>)
  return %0#0 : tensor<3x4x2xf64>
}"""
EPSILON = float(np.float32(0.01))


def test_batches_are_normalised_and_their_gradients_are_those_of_differentiation():
    rng = np.random.default_rng(2)
    x, g = rng.standard_normal((2, 3, 4, 2))
    s, o = rng.standard_normal((2, 4))
    found = tl.from_mlir(BATCH)(x, s, o, g)
    mean, variance = x.mean((0, 2)), x.var((0, 2))
    wide = [each[None, :, None] for each in (mean, variance, s, o)]
    deviation = np.sqrt(wide[1] + EPSILON)
    np.testing.assert_allclose(found[0], (x - wide[0]) / deviation * wide[2] + wide[3], rtol=1e-12)
    np.testing.assert_allclose(found[1], mean, rtol=1e-12)
    np.testing.assert_allclose(found[2], variance, rtol=1e-12)
    np.testing.assert_allclose(found[3], (x - wide[3]) / deviation * wide[2] + wide[3], rtol=1e-12)
    adjoints = tl.vjp(tl.from_mlir(NORMALISED), x, s, o)[1](g)
    for value, adjoint in zip(found[4:], adjoints, strict=True):
        np.testing.assert_allclose(value, adjoint, rtol=1e-10, atol=1e-12)


X = np.array([0.25, 0.75])
WANTED = {
    "erf": [math.erf(each) for each in X],
    "erfc": [math.erfc(each) for each in X],
    "erf_inv": [0.22531205501217808, 0.81341984759761852],
    "lgamma": [math.lgamma(each) for each in X],
    "digamma": [-4.2274535333762654, -1.0858608797864722],
    "square": X * X,
    "acosh": [np.nan, np.nan],
    **{name: getattr(np, f"arc{name[1:]}")(X) for name in ("asin", "acos", "atan", "asinh", "atanh")},
    **{name: getattr(np, name)(X) for name in ("sinh", "cosh", "tan")},
}


@pytest.mark.parametrize("form", ["operation", "composite"])
def test_functions_of_chlo_are_known_by_name(form):
    """A composite's decomposition would give 0 here: it is never looked at."""
    names = list(FUNCTIONS)
    if form == "operation":
        lines = [f"%{k} = chlo.{name} %x : tensor<2xf64> -> tensor<2xf64>" for k, name in enumerate(names)]
    else:
        attribute = "{decomposition = @nothing}"
        lines = [
            f'%{k} = stablehlo.composite "chlo.{name}" %x {attribute} : (tensor<2xf64>) -> tensor<2xf64>'
            for k, name in enumerate(names)
        ]
    body = "\n  ".join(lines)
    types = ", ".join(["tensor<2xf64>"] * len(names))
    given = ", ".join(f"%{k}" for k in range(len(names)))
    text = f"""func.func @main(%x: tensor<2xf64>) -> ({types}) {{
  {body}
  return {given} : {types}
}}
func.func private @nothing(%x: tensor<2xf64>) -> tensor<2xf64> {{
  %0 = stablehlo.constant dense<0.0> : tensor<2xf64>
  return %0 : tensor<2xf64>
}}"""
    assert set(names) == set(WANTED)
    for name, value in zip(names, tl.from_mlir(text)(X), strict=True):
        np.testing.assert_allclose(value, WANTED[name], rtol=1e-13, err_msg=name)


def test_largest_elements_come_with_their_places():
    found = tl.from_mlir("""func.func @main(%x: tensor<2x6xf32>) -> (tensor<2x3xf32>, tensor<2x3xi32>) {
  %0:2 = chlo.top_k(%x, k = 3) : tensor<2x6xf32> -> (tensor<2x3xf32>, tensor<2x3xi32>)
  return %0#0, %0#1 : tensor<2x3xf32>, tensor<2x3xi32>
}""")(np.array([[1, 5, 3, 5, 0, 2], [-1, -2, -3, 0, -5, -4]], np.float32))
    np.testing.assert_array_equal(found[0], [[5, 5, 3], [0, -1, -2]])
    np.testing.assert_array_equal(found[1], [[1, 3, 2], [3, 0, 1]])


def test_assertions_on_sizes_are_checks():
    f = tl.from_mlir("""func.func @main(%n: tensor<i32>) -> tensor<i32> {
  %four = stablehlo.constant dense<4> : tensor<i32>
  %0 = stablehlo.compare EQ, %n, %four, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
  stablehlo.custom_call @shape_assertion(%0, %n, %four)
    {error_message = "the size is {0} and not {1}", has_side_effect = true}
    : (tensor<i1>, tensor<i32>, tensor<i32>) -> ()
  return %n : tensor<i32>
}""")
    assert f(np.int32(4)) == 4
    with pytest.raises(ShapeMismatch, match="the size is 5 and not 4"):
        f(np.int32(5))


def test_placements_and_barriers_change_nothing():
    text = """func.func @main(%x: tensor<3xf64>) -> tensor<3xf64> {
  %0 = stablehlo.custom_call @Sharding(%x) : (tensor<3xf64>) -> tensor<3xf64>
  %1 = stablehlo.reduce_precision %0, format = e11m52 : tensor<3xf64>
  return %1 : tensor<3xf64>
}"""
    np.testing.assert_array_equal(tl.from_mlir(text)(np.arange(3.0)), np.arange(3.0))


def test_portable_artifacts_are_read():
    from tapeless._mlir import ir, stablehlo
    from tapeless.dialects.foreign import load_stablehlo

    text = """func.func @main(%x: tensor<3xf64>) -> tensor<3xf64> {
  %0 = stablehlo.tanh %x : tensor<3xf64>
  return %0 : tensor<3xf64>
}"""
    context = ir.Context()
    load_stablehlo(context)
    with context:
        module = ir.Module.parse(text)
        artifact = stablehlo().serialize_portable_artifact(module, "1.0.0")
    x = np.array([0.5, -1.0, 2.0])
    np.testing.assert_allclose(tl.from_mlir(artifact)(x), evaluate(text, [x])[0], rtol=1e-14)
