"""Modules of core IR as text, each with what it computes, written with numpy."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np


class Case(NamedTuple):
    """A module, arguments for its function `main`, and the same function in the language."""

    text: str
    arguments: tuple[Any, ...]
    expected: Callable[..., Any]


VECTOR = np.array([0.5, -1.25, 2.0])

SCALED_SQUARES = """
func.func private @square(%x: f64) -> f64 {
  %y = arith.mulf %x, %x : f64
  return %y : f64
}
func.func @main(%x: tensor<3xf64> loc("x"), %k: f64 loc("k")) -> tensor<3xf64> {
  %n = arith.constant 3 : index
  %y = "soac.map"(%n, %x) ({
  ^bb0(%i: index, %e: f64):
    %s = func.call @square(%e) : (f64) -> f64
    %t = arith.mulf %s, %k : f64
    "soac.yield"(%t) : (f64) -> ()
  }) {operandSegmentSizes = array<i32: 1, 1, 0>} : (index, tensor<3xf64>) -> tensor<3xf64>
  return %y : tensor<3xf64>
}
"""

LOOP = """
func.func @main(%x: tensor<?xf64>, %start: f64) -> f64 {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %n = tensor.dim %x, %zero : tensor<?xf64>
  %r = scf.for %i = %zero to %n step %one iter_args(%a = %start) -> (f64) {
    %e = tensor.extract %x[%i] : tensor<?xf64>
    %s = math.sin %a : f64
    %b = arith.addf %s, %e : f64
    scf.yield %b : f64
  }
  return %r : f64
}
"""

WHILE = """
func.func @main(%x: f64, %limit: f64) -> f64 {
  %half = arith.constant 0.5 : f64
  %r = scf.while (%a = %x) : (f64) -> f64 {
    %more = arith.cmpf ogt, %a, %limit : f64
    scf.condition(%more) %a : f64
  } do {
  ^bb0(%a: f64):
    %b = arith.mulf %a, %half : f64
    scf.yield %b : f64
  }
  return %r : f64
}
"""

BRANCH = """
func.func @main(%x: f64, %y: f64) -> f64 {
  %zero = arith.constant 0.0 : f64
  %positive = arith.cmpf ogt, %x, %zero : f64
  %r = scf.if %positive -> (f64) {
    %e = math.exp %y : f64
    %p = arith.mulf %x, %e : f64
    scf.yield %p : f64
  } else {
    %p = arith.mulf %x, %x : f64
    scf.yield %p : f64
  }
  return %r : f64
}
"""


def _loop(x: Any, start: Any) -> Any:
    for e in x:
        start = np.sin(start) + e
    return start


def _while(x: Any, limit: Any) -> Any:
    while x > limit:
        x = x * 0.5
    return x


CASES = {
    "map": Case(SCALED_SQUARES, (VECTOR, 0.75), lambda x, k: x * x * k),
    "for": Case(LOOP, (VECTOR, 0.3), _loop),
    "while": Case(WHILE, (3.0, 0.4), _while),
    "branch": Case(BRANCH, (1.5, 0.25), lambda x, y: x * np.exp(y) if x > 0 else x * x),
}

CUSTOM_RULES = """
func.func private @square(%x: f64) -> f64 {
  %y = arith.mulf %x, %x : f64
  return %y : f64
}
func.func private @square_fwd(%x: f64) -> (f64, f64) {
  %y = arith.mulf %x, %x : f64
  return %y, %x : f64, f64
}
func.func private @square_bwd(%x: f64, %ct: f64) -> f64 {
  %c = arith.constant 100.0 : f64
  %y = arith.mulf %x, %c : f64
  %a = arith.mulf %y, %ct : f64
  return %a : f64
}
"ad.custom_rule"() {primal = @square, kind = "vjp", functions = [@square_fwd, @square_bwd]} : () -> ()
func.func private @unused(%x: f64) -> f64 {
  return %x : f64
}
func.func @main(%x: f64) -> f64 {
  %y = func.call @square(%x) : (f64) -> f64
  return %y : f64
}
"""

SEVERAL_RESULTS = """
func.func @main(%x: f64, %n: i64, %f: i1) -> (f64, i64, i1) {
  return %x, %n, %f : f64, i64, i1
}
"""
