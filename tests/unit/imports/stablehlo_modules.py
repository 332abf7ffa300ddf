"""Modules of StableHLO, written by hand, with arguments: what JAX and PyTorch write for small programs."""

from __future__ import annotations

import numpy as np

RNG = np.random.default_rng(7)


def normal(*shape: int) -> np.ndarray:
    return RNG.standard_normal(shape)


SCAN = """
func.func @main(%xs: tensor<6x4xf64>, %start: tensor<4xf64>) -> (tensor<4xf64>, tensor<6x4xf64>) {
  %none = stablehlo.constant dense<0> : tensor<i32>
  %fill = stablehlo.constant dense<0.0> : tensor<6x4xf64>
  %0:4 = stablehlo.while(%rows = %xs, %i = %none, %h = %start, %out = %fill)
    : tensor<6x4xf64>, tensor<i32>, tensor<4xf64>, tensor<6x4xf64>
  cond {
    %six = stablehlo.constant dense<6> : tensor<i32>
    %1 = stablehlo.compare LT, %i, %six, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %1 : tensor<i1>
  } do {
    %1 = func.call @row(%rows, %i) : (tensor<6x4xf64>, tensor<i32>) -> tensor<4xf64>
    %2 = stablehlo.multiply %h, %1 : tensor<4xf64>
    %3 = stablehlo.tanh %2 : tensor<4xf64>
    %4 = stablehlo.add %3, %1 : tensor<4xf64>
    %5 = stablehlo.broadcast_in_dim %4, dims = [1] : (tensor<4xf64>) -> tensor<1x4xf64>
    %zero = stablehlo.constant dense<0> : tensor<i32>
    %6 = stablehlo.dynamic_update_slice %out, %5, %i, %zero
      : (tensor<6x4xf64>, tensor<1x4xf64>, tensor<i32>, tensor<i32>) -> tensor<6x4xf64>
    %one = stablehlo.constant dense<1> : tensor<i32>
    %next = stablehlo.add %i, %one : tensor<i32>
    stablehlo.return %rows, %next, %4, %6 : tensor<6x4xf64>, tensor<i32>, tensor<4xf64>, tensor<6x4xf64>
  }
  return %0#2, %0#3 : tensor<4xf64>, tensor<6x4xf64>
}
func.func private @row(%rows: tensor<6x4xf64>, %i: tensor<i32>) -> tensor<4xf64> {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %0 = stablehlo.dynamic_slice %rows, %i, %zero, sizes = [1, 4]
    : (tensor<6x4xf64>, tensor<i32>, tensor<i32>) -> tensor<1x4xf64>
  %1 = stablehlo.reshape %0 : (tensor<1x4xf64>) -> tensor<4xf64>
  return %1 : tensor<4xf64>
}
"""

SOFTMAX = """
func.func @main(%x: tensor<5x4xf64>, %w: tensor<4x3xf64>, %b: tensor<3xf64>) -> tensor<5x3xf64> {
  %low = stablehlo.constant dense<0xFFF0000000000000> : tensor<f64>
  %zero = stablehlo.constant dense<0.0> : tensor<f64>
  %0 = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0]
    : (tensor<5x4xf64>, tensor<4x3xf64>) -> tensor<5x3xf64>
  %1 = stablehlo.broadcast_in_dim %b, dims = [1] : (tensor<3xf64>) -> tensor<5x3xf64>
  %2 = stablehlo.add %0, %1 : tensor<5x3xf64>
  %3 = stablehlo.reduce(%2 init: %low) applies stablehlo.maximum across dimensions = [1]
    : (tensor<5x3xf64>, tensor<f64>) -> tensor<5xf64>
  %4 = stablehlo.broadcast_in_dim %3, dims = [0] : (tensor<5xf64>) -> tensor<5x3xf64>
  %5 = stablehlo.subtract %2, %4 : tensor<5x3xf64>
  %6 = stablehlo.exponential %5 : tensor<5x3xf64>
  %7 = stablehlo.reduce(%6 init: %zero) applies stablehlo.add across dimensions = [1]
    : (tensor<5x3xf64>, tensor<f64>) -> tensor<5xf64>
  %8 = stablehlo.reshape %7 : (tensor<5xf64>) -> tensor<5x1xf64>
  %9 = stablehlo.broadcast_in_dim %8, dims = [0, 1] : (tensor<5x1xf64>) -> tensor<5x3xf64>
  %10 = stablehlo.divide %6, %9 : tensor<5x3xf64>
  return %10 : tensor<5x3xf64>
}
"""

NEWTON = """
func.func @main(%x: tensor<f64>) -> tensor<f64> {
  %one = stablehlo.constant dense<1.0> : tensor<f64>
  %half = stablehlo.constant dense<0.5> : tensor<f64>
  %small = stablehlo.constant dense<1.0e-12> : tensor<f64>
  %0 = stablehlo.while(%y = %one) : tensor<f64>
  cond {
    %1 = stablehlo.multiply %y, %y : tensor<f64>
    %2 = stablehlo.subtract %1, %x : tensor<f64>
    %3 = stablehlo.abs %2 : tensor<f64>
    %4 = stablehlo.compare GT, %3, %small, FLOAT : (tensor<f64>, tensor<f64>) -> tensor<i1>
    stablehlo.return %4 : tensor<i1>
  } do {
    %1 = stablehlo.divide %x, %y : tensor<f64>
    %2 = stablehlo.add %y, %1 : tensor<f64>
    %3 = stablehlo.multiply %half, %2 : tensor<f64>
    stablehlo.return %3 : tensor<f64>
  }
  return %0 : tensor<f64>
}
"""

GATHER = """
func.func @main(%x: tensor<7x3xf64>, %at: tensor<5xi32>) -> tensor<5x3xf64> {
  %0 = stablehlo.broadcast_in_dim %at, dims = [0] : (tensor<5xi32>) -> tensor<5x1xi32>
  %1 = "stablehlo.gather"(%x, %0) <{dimension_numbers = #stablehlo.gather<offset_dims = [1],
    collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 3>}>
    : (tensor<7x3xf64>, tensor<5x1xi32>) -> tensor<5x3xf64>
  return %1 : tensor<5x3xf64>
}
"""

MODULES = {
    "scan": (SCAN, (normal(6, 4), normal(4))),
    "softmax": (SOFTMAX, (normal(5, 4), normal(4, 3), normal(3))),
    "newton": (NEWTON, (2.0,)),
    "gather": (GATHER, (normal(7, 3), np.array([2, -4, 6, 90, 2], np.int32))),
}
