"""Passes on arrays, loops and calls do not run where there are only numbers, and would change nothing there."""

from __future__ import annotations

import pytest

from tapeless._mlir import ir
from tapeless.passes import PASSES
from tapeless.passes.driver import contents
from tapeless.passes.driver.pipeline import PassPipeline

NUMBERS = """
func.func private @g(%x: f64, %y: f64) -> f64 {
  %c = arith.cmpf olt, %x, %y : f64
  %r = scf.if %c -> f64 {
    %a = math.sin %x fastmath<contract> : f64
    %b = arith.mulf %a, %y fastmath<contract> : f64
    scf.yield %b : f64
  } else {
    %b = "soac.fn"(%y) {function = "sign"} : (f64) -> f64
    scf.yield %b : f64
  }
  %s = arith.addf %r, %x fastmath<contract> : f64
  return %s : f64
}
func.func @f(%x: f64, %y: f64) -> (f64, f64, f64) {
  %one = arith.constant 1.0 : f64
  %v, %dx, %dy = "ad.vjp"(%x, %y, %one) {
    callee = @g, method = "METHOD", operandSegmentSizes = array<i32: 2, 1>, wrt = [0, 1]
  } : (f64, f64, f64) -> (f64, f64, f64)
  return %v, %dx, %dy : f64, f64, f64
}
"""

OTHERS = {
    "an array that comes in": "func.func @f(%x: tensor<3xf64>, %y: f64) -> f64 { return %y : f64 }",
    "an array that is read": """func.func @f(%x: f64, %i: index) -> f64 {
        %a = arith.constant dense<[1.0, 2.0]> : tensor<2xf64>
        %b = tensor.extract %a[%i] : tensor<2xf64>
        return %b : f64
      }""",
    "a loop": """func.func @f(%x: f64, %n: index) -> f64 {
        %zero = arith.constant 0 : index
        %one = arith.constant 1 : index
        %r = scf.for %i = %zero to %n step %one iter_args(%s = %x) -> f64 {
          %t = arith.mulf %s, %x : f64
          scf.yield %t : f64
        }
        return %r : f64
      }""",
    "a call": """func.func private @g(f64) -> f64
      func.func @f(%x: f64) -> f64 {
        %r = func.call @g(%x) : (f64) -> f64
        return %r : f64
      }""",
}


@pytest.mark.parametrize("method", ["redundant", "reversible", "coarsened"])
def test_pipelines_give_the_same_with_and_without_these_passes(
    context: ir.Context, method: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    texts = []
    for is_left_out in (True, False):
        if not is_left_out:
            monkeypatch.setattr(contents.Contents, "leave_idle", lambda self, group: False)
        module = ir.Module.parse(NUMBERS.replace("METHOD", method), context)
        PassPipeline.named("cpu").run(module)
        texts.append(str(module))
    assert texts[0] == texts[1]


def test_every_such_pass_leaves_numbers_as_they_are(context: ir.Context) -> None:
    module = ir.Module.parse(NUMBERS.replace("METHOD", "redundant"), context)
    PassPipeline.named("core").run(module)
    assert contents.has_numbers_alone(module)
    before, tried = str(module), 0
    for name in list(PASSES):
        if getattr(PASSES[name], "skips_numbers", False):
            with context, ir.Location.unknown():
                PASSES[name]().run(module)
            assert str(module) == before, name
            tried += 1
    assert tried > 25


@pytest.mark.parametrize("what", OTHERS)
def test_what_is_not_numbers_alone(context: ir.Context, what: str) -> None:
    assert not contents.has_numbers_alone(ir.Module.parse(OTHERS[what], context))
