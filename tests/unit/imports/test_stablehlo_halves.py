"""Floats of 16 bits in StableHLO: computed in f32, rounded once by each operation, and differentiated."""

from __future__ import annotations

import numpy as np
import pytest

import tapeless as tl
from tapeless.methods import IMPLEMENTED

RNG = np.random.default_rng(3)
W1, W2 = RNG.normal(size=(4, 8)) / 2, RNG.normal(size=(8, 1)) / 2
X, Y = RNG.normal(size=(16, 4)), RNG.normal(size=(16, 1)) / 4


def numpy_type(name):
    return np.float16 if name == "f16" else pytest.importorskip("ml_dtypes").bfloat16


def perceptron(half):
    """A layer in 16 bits, whose products and loss are in f32, as programs of mixed precision are."""
    t = lambda shape, kind=half: f"tensor<{shape}x{kind}>" if shape else f"tensor<{kind}>"  # noqa: E731
    return f"""func.func @main(%w1: {t("4x8")}, %w2: {t("8x1")}, %x: {t("16x4")}, %y: {t("16x1")}) -> tensor<f32> {{
  %0 = stablehlo.dot_general %x, %w1, contracting_dims = [1] x [0] : ({t("16x4")}, {t("4x8")}) -> {t("16x8")}
  %c = stablehlo.constant dense<[0.5, 0.25, -0.5, 1.0, 0.0, 0.125, 2.0, -1.0]> : {t("8")}
  %b = stablehlo.broadcast_in_dim %c, dims = [1] : ({t("8")}) -> {t("16x8")}
  %1 = stablehlo.add %0, %b : {t("16x8")}
  %2 = stablehlo.tanh %1 : {t("16x8")}
  %3 = stablehlo.dot_general %2, %w2, contracting_dims = [1] x [0] : ({t("16x8")}, {t("8x1")}) -> tensor<16x1xf32>
  %4 = stablehlo.convert %y : ({t("16x1")}) -> tensor<16x1xf32>
  %5 = stablehlo.subtract %3, %4 : tensor<16x1xf32>
  %6 = stablehlo.multiply %5, %5 : tensor<16x1xf32>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %7 = stablehlo.reduce(%6 init: %zero) applies stablehlo.add across dimensions = [0, 1]
    : (tensor<16x1xf32>, tensor<f32>) -> tensor<f32>
  return %7 : tensor<f32>
}}"""


def wide(half):
    """The same in f32."""
    return perceptron(half).replace(half, "f32")


@pytest.mark.parametrize("half", ["f16", "bf16"])
def test_operations_round_their_results_once(half):
    kind = numpy_type(half)
    text = f"""func.func @main(
    %x: tensor<64x{half}>, %y: tensor<64x{half}>, %i: tensor<64xi64>, %d: tensor<64xf64>) -> (
    tensor<64x{half}>, tensor<64x{half}>, tensor<64x{half}>, tensor<64x{half}>, tensor<64x{half}>, tensor<{half}>) {{
  %0 = stablehlo.add %x, %y : tensor<64x{half}>
  %1 = stablehlo.divide %0, %y : tensor<64x{half}>
  %2 = stablehlo.convert %i : (tensor<64xi64>) -> tensor<64x{half}>
  %3 = stablehlo.convert %d : (tensor<64xf64>) -> tensor<64x{half}>
  %4 = stablehlo.maximum %x, %y : tensor<64x{half}>
  %zero = stablehlo.constant dense<0.0> : tensor<{half}>
  %5 = stablehlo.reduce(%x init: %zero) applies stablehlo.add across dimensions = [0]
    : (tensor<64x{half}>, tensor<{half}>) -> tensor<{half}>
  return %0, %1, %2, %3, %4, %5
    : tensor<64x{half}>, tensor<64x{half}>, tensor<64x{half}>, tensor<64x{half}>, tensor<64x{half}>, tensor<{half}>
}}"""
    x, y = (RNG.normal(size=64).astype(kind) for _ in range(2))
    i, d = RNG.integers(-5000, 5000, 64), RNG.normal(size=64)
    total, quotient, whole, near, largest, summed = tl.from_mlir(text)(x, y, i, d)
    added = (x.astype(np.float32) + y.astype(np.float32)).astype(kind)
    np.testing.assert_array_equal(total, added)
    np.testing.assert_array_equal(quotient, (added.astype(np.float32) / y.astype(np.float32)).astype(kind))
    np.testing.assert_array_equal(whole, i.astype(kind))
    np.testing.assert_array_equal(near, d.astype(kind))
    np.testing.assert_array_equal(largest, np.maximum(x, y))
    assert total.dtype == kind
    assert summed == np.float32(np.float32(x.astype(np.float64).sum()).astype(kind))


@pytest.mark.parametrize("half", ["f16", "bf16"])
def test_gradients_are_those_of_the_program_in_f32_to_rounding(half):
    kind = numpy_type(half)
    given = [each.astype(kind) for each in (W1, W2, X, Y)]
    expected = tl.value_and_grad(tl.from_mlir(wide(half)), argnums=(0, 1))(*(each.astype(np.float32) for each in given))
    tolerance = 3e-3 if half == "f16" else 3e-2
    for method in sorted(IMPLEMENTED):
        value, slopes = tl.value_and_grad(tl.from_mlir(perceptron(half)), argnums=(0, 1), method=method)(*given)
        np.testing.assert_allclose(value, expected[0], rtol=tolerance)
        for found, wanted in zip(slopes, expected[1], strict=True):
            assert found.dtype == kind
            np.testing.assert_allclose(found.astype(np.float32), wanted, rtol=tolerance, atol=tolerance)


def test_programs_in_half_precision_are_trained():
    step = tl.value_and_grad(tl.from_mlir(perceptron("f16")), argnums=(0, 1))
    weights, losses = [W1.astype(np.float16), W2.astype(np.float16)], []
    for _ in range(20):
        value, slopes = step(*weights, X.astype(np.float16), Y.astype(np.float16))
        losses.append(value)
        weights = [each - np.float16(0.01) * slope for each, slope in zip(weights, slopes, strict=True)]
    assert losses[-1] < 0.5 * losses[0]


def test_numbers_are_rounded_when_they_come_in():
    text = """func.func @main(%x: tensor<f16>) -> tensor<f16> {
  %0 = stablehlo.add %x, %x : tensor<f16>
  return %0 : tensor<f16>
}"""
    assert tl.from_mlir(text)(0.1) == 2 * float(np.float16(0.1))


@pytest.mark.parametrize("half", ["f16", "bf16"])
def test_numbers_of_the_type_itself_come_in(half):
    kind = numpy_type(half)
    text = f"""func.func @main(%x: tensor<{half}>) -> tensor<{half}> {{
  %0 = stablehlo.multiply %x, %x : tensor<{half}>
  return %0 : tensor<{half}>
}}"""
    f = tl.from_mlir(text)
    assert f(kind(2.5)) == f(np.array(2.5, kind)) == 6.25


@pytest.mark.parametrize("half", ["f16", "bf16"])
def test_arrays_may_be_handed_on_without_an_operation(half):
    x = np.arange(6.0).reshape(3, 2).astype(numpy_type(half))
    found = tl.from_mlir(
        f"func.func @main(%x: tensor<3x2x{half}>) -> tensor<3x2x{half}> {{ return %x : tensor<3x2x{half}> }}"
    )(x)
    assert found.dtype == x.dtype
    np.testing.assert_array_equal(found, x)


def test_bits_are_refused():
    text = """func.func @main(%x: tensor<4xf16>) -> tensor<4xi16> {
  %0 = stablehlo.bitcast_convert %x : (tensor<4xf16>) -> tensor<4xi16>
  return %0 : tensor<4xi16>
}"""
    with pytest.raises(tl.PipelineError, match="i16"):
        tl.from_mlir(text)
