"""Rules given for a function, and marks, change derivatives as they say."""

from __future__ import annotations

import numpy as np
import pytest
from derivatives import Program, check, from_python, from_text, jvp, run, vjp

import tapeless as tl

CUSTOM = """
module {
  func.func private @cube(%x: f64, %n: i64) -> f64 {
    %a = arith.mulf %x, %x : f64
    %y = arith.mulf %a, %x : f64
    return %y : f64
  }
  func.func private @cube_fwd(%x: f64, %n: i64) -> (f64, f64) {
    %a = arith.mulf %x, %x : f64
    %y = arith.mulf %a, %x : f64
    return %y, %x : f64, f64
  }
  func.func private @cube_bwd(%x: f64, %bar: f64) -> (f64, i64) {
    %none = arith.constant 0 : i64
    %ten = arith.constant 10.0 : f64
    %a = arith.mulf %x, %bar : f64
    %x_bar = arith.mulf %a, %ten : f64
    return %x_bar, %none : f64, i64
  }
  func.func private @cube_push(%x: f64, %n: i64, %dx: f64, %dn: i64) -> (f64, f64) {
    %seven = arith.constant 7.0 : f64
    %a = arith.mulf %x, %x : f64
    %y = arith.mulf %a, %x : f64
    %dy = arith.mulf %seven, %dx : f64
    return %y, %dy : f64, f64
  }
  RULES
  func.func @f(%x: f64) -> f64 {
    %n = arith.constant 3 : i64
    %y = func.call @cube(%x, %n) : (f64, i64) -> f64
    %z = arith.mulf %y, %x : f64
    return %z : f64
  }
}
"""

REVERSE = '"ad.custom_rule"() {primal = @cube, kind = "vjp", functions = [@cube_fwd, @cube_bwd]} : () -> ()'
FORWARD = '"ad.custom_rule"() {primal = @cube, kind = "jvp", functions = [@cube_push]} : () -> ()'
X = 2.0
VALUE = X**4


def with_rules(*rules: str) -> Program:
    """x cubed, by a function that may have rules of its own, times x."""
    return from_text(CUSTOM.replace("RULES", "\n  ".join(rules)))


# Which rules are given: the slope that each mode sees in the cube, where the true one is 12.
SLOPES = {
    "none": ((), 12.0, 12.0),
    "reverse": ((REVERSE,), 10.0 * X, 12.0),
    "forward": ((FORWARD,), 7.0, 7.0),
    "both": ((REVERSE, FORWARD), 10.0 * X, 7.0),
}


@pytest.mark.parametrize("given", SLOPES)
def test_rules_are_used(given: str) -> None:
    rules, reverse, forward = SLOPES[given]
    program = with_rules(*rules)
    assert run(vjp(program), X, 3.0) == [VALUE, 3.0 * (X**3 + X * reverse)]
    assert run(jvp(program), X, 3.0) == [VALUE, 3.0 * (X**3 + X * forward)]


def test_rules_are_differentiated_again() -> None:
    """The adjoint x_bar = x**3 + 10 x * x has the derivative 3 x**2 + 20 x."""
    outer = run(jvp(vjp(with_rules(REVERSE)), wrt=[0]), X, 1.0, 1.0)
    assert outer[-1] == 3 * X**2 + 20 * X
    assert run(vjp(vjp(with_rules(REVERSE)), wrt=[0]), X, 1.0, 0.0, 1.0)[-1] == 3 * X**2 + 20 * X


def half_constant(x):
    return tl.sum(x * tl.stop_gradient(x)) + tl.stop_gradient(tl.sum(x))


def test_stopped_gradients() -> None:
    x = np.array([1.0, 2.0, 3.0])
    program = from_python(half_constant, x)
    np.testing.assert_array_equal(run(vjp(program), x, 1.0)[1], x)
    assert run(jvp(program), x, np.ones(3))[1] == 6.0


def marked(x, w):
    def part(t):
        for _ in range(3):
            t = tl.sin(t) * w
        return t

    return tl.sum(tl.checkpoint(part)(tl.checkpoint(part)(x)))


def marked_in_maps(x, w):
    return tl.map(lambda e: tl.checkpoint(lambda t: tl.exp(t * w) * t)(e), x)


@pytest.mark.parametrize("function", [marked, marked_in_maps])
def test_checkpoints_change_no_derivative(function) -> None:
    x = np.array([0.4, -1.2, 0.9])
    program = from_python(function, x, 0.7)
    check(program, x, 0.7)
    check(vjp(program), x, 0.7, *([1.5] if function is marked else [x]), tolerance=1e-5, step=1e-5)
