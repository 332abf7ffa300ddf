"""From loops of core IR to the code of their derivatives: run, and compared with differences."""

from __future__ import annotations

import numpy as np
import pytest
from tests.core_interpreter import run

from tapeless._mlir import ir
from tapeless.dialects.context import make_context
from tapeless.passes.phi.differentiate.differentiate import Differentiate
from tapeless.passes.phi.lower.lower import Lower
from tapeless.passes.phi.raise_ import Raise

LOOPS = {
    "affine": """
      %d = scf.for %k = %c0 to %n step %c1 iter_args(%x = %b) -> f64 {
        %m = arith.mulf %a, %x : f64
        %y = arith.addf %m, %b : f64
        scf.yield %y : f64
      }""",
    "ema": """
      %d = scf.for %k = %c0 to %n step %c1 iter_args(%x = %b) -> f64 {
        %e = tensor.extract %xs[%k] : tensor<?xf64>
        %r = arith.subf %one, %a : f64
        %p = arith.mulf %a, %e : f64
        %q = arith.mulf %r, %x : f64
        %y = arith.addf %p, %q : f64
        scf.yield %y : f64
      }""",
    "logistic": """
      %d = scf.for %k = %c0 to %n step %c1 iter_args(%x = %b) -> f64 {
        %r = arith.subf %one, %x : f64
        %p = arith.mulf %a, %x : f64
        %y = arith.mulf %p, %r : f64
        scf.yield %y : f64
      }""",
    "system": """
      %s:2 = scf.for %k = %c0 to %n step %c1 iter_args(%x = %b, %v = %a) -> (f64, f64) {
        %p = arith.mulf %half, %v : f64
        %x1 = arith.addf %x, %p : f64
        %q = arith.mulf %a, %x : f64
        %v1 = arith.subf %v, %q : f64
        scf.yield %x1, %v1 : f64, f64
      }
      %d = arith.mulf %s#0, %s#1 : f64""",
    "product": """
      %d = scf.for %k = %c0 to %n step %c1 iter_args(%x = %one) -> f64 {
        %e = tensor.extract %xs[%k] : tensor<?xf64>
        %t = arith.addf %e, %a : f64
        %y = arith.mulf %x, %t : f64
        scf.yield %y : f64
      }""",
    "scan": """
      %d = scf.for %k = %c0 to %n step %c1 iter_args(%x = %b) -> f64 {
        %e = tensor.extract %xs[%k] : tensor<?xf64>
        %t = arith.mulf %e, %x : f64
        %s = math.sin %e : f64
        %y = arith.addf %s, %t : f64
        scf.yield %y : f64
      }""",
    "largest": """
      %d = scf.for %k = %c0 to %n step %c1 iter_args(%x = %b) -> f64 {
        %e = tensor.extract %xs[%k] : tensor<?xf64>
        %t = arith.mulf %e, %a : f64
        %y = arith.maximumf %x, %t : f64
        scf.yield %y : f64
      }""",
    "arrays": """
      %size = tensor.dim %xs, %c0 : tensor<?xf64>
      %ys = "soac.map"(%size, %xs) ({
      ^bb0(%i: index, %x: f64):
        %t = arith.mulf %x, %a : f64
        %u = arith.subf %b, %t : f64
        %v = math.exp %u : f64
        "soac.yield"(%v) : (f64) -> ()
      }) {operandSegmentSizes = array<i32: 1, 1, 0>} : (index, tensor<?xf64>) -> tensor<?xf64>
      %d = "soac.reduce"(%size, %ys, %zero) ({
      ^bb0(%p: f64, %q: f64):
        %r = arith.addf %p, %q : f64
        "soac.yield"(%r) : (f64) -> ()
      }) {operandSegmentSizes = array<i32: 1, 1, 1>} : (index, tensor<?xf64>, f64) -> f64""",
    "descent": """
      %size = tensor.dim %xs, %c0 : tensor<?xf64>
      %w:2 = scf.while (%i = %c0, %stop = %false, %x = %b) : (index, i1, f64) -> (index, f64) {
        %small = arith.cmpi slt, %i, %n : index
        %on = arith.xori %stop, %true : i1
        %both = arith.andi %small, %on : i1
        scf.condition(%both) %i, %x : index, f64
      } do {
      ^bb0(%i: index, %x: f64):
        %g = scf.for %k = %c0 to %size step %c1 iter_args(%s = %zero) -> f64 {
          %e = tensor.extract %xs[%k] : tensor<?xf64>
          %t = arith.mulf %e, %x : f64
          %u = arith.subf %t, %one : f64
          %v = arith.mulf %e, %u : f64
          %s1 = arith.addf %s, %v : f64
          scf.yield %s1 : f64
        }
        %abs = math.absf %g : f64
        %done = arith.cmpf olt, %abs, %half : f64
        %next = scf.if %done -> f64 {
          scf.yield %x : f64
        } else {
          %r = arith.mulf %a, %g : f64
          %y = arith.subf %x, %r : f64
          scf.yield %y : f64
        }
        %i1 = arith.addi %i, %c1 : index
        scf.yield %i1, %done, %next : index, i1, f64
      }
      %d = scf.for %k = %c0 to %size step %c1 iter_args(%s = %zero) -> f64 {
        %e = tensor.extract %xs[%k] : tensor<?xf64>
        %t = arith.mulf %e, %w#1 : f64
        %u = arith.subf %t, %one : f64
        %v = arith.mulf %u, %u : f64
        %s1 = arith.addf %s, %v : f64
        scf.yield %s1 : f64
      }""",
}
# Those whose array is differentiated in as well.
ARRAYS = ("ema", "product", "scan", "largest", "arrays")


def module(body: str, with_array: bool) -> str:
    return f"""
    func.func @f(%n0: index, %a0: f64, %b0: f64, %xs0: tensor<?xf64>) -> f64 {{
      %result = "phi.segment"(%n0, %a0, %b0, %xs0) ({{
      ^bb0(%n: index, %a: f64, %b: f64, %xs: tensor<?xf64>):
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %true = arith.constant true
      %false = arith.constant false
      %zero = arith.constant 0.0 : f64
      %half = arith.constant 0.5 : f64
      %one = arith.constant 1.0 : f64
      {body}
      "phi.yield"(%d) : (f64) -> ()
      }}) {{label = "s0", active_in = [false, true, true, {"true" if with_array else "false"}], active_out = [true],
           fm = #phi.fm<"contract">}} : (index, f64, f64, tensor<?xf64>) -> f64
      return %result : f64
    }}"""


def compiled(body: str, with_array: bool, raised: bool) -> ir.Module:
    with make_context():
        made = ir.Module.parse(module(body, with_array))
        if raised:
            Raise().run(made)
            assert made.operation.verify()
        Differentiate().run(made)
        assert made.operation.verify()
        Lower().run(made)
        assert made.operation.verify()
        return made


@pytest.mark.one_in(6)
@pytest.mark.parametrize("raised", [False, True], ids=["from core IR", "from phi"])
@pytest.mark.parametrize("name", LOOPS)
def test_code_of_gradients(name, raised):
    rng = np.random.default_rng(4)
    with_array = name in ARRAYS
    made = compiled(LOOPS[name], with_array, raised)
    for steps in (0, 1, 2, 5, 9):
        point = [np.int64(steps), rng.uniform(0.1, 0.4), rng.uniform(0.3, 1.2), rng.uniform(0.2, 1.2, size=9)]
        found = run(made, "s0_vjp", *point, np.float64(1.0))

        def value(*given):
            return run(made, "f", *given)[0]

        for place in (1, 2):
            up, down = ([*point[:place], point[place] + h, *point[place + 1 :]] for h in (1e-6, -1e-6))
            assert found[place - 1] == pytest.approx((value(*up) - value(*down)) / 2e-6, rel=1e-5, abs=1e-7), steps
        if with_array:
            for at in range(9):
                change = 1e-6 * (np.arange(9) == at)
                up, down = ([*point[:3], point[3] + sign * change] for sign in (1, -1))
                wanted = (value(*up) - value(*down)) / 2e-6
                assert found[2][at] == pytest.approx(wanted, rel=1e-5, abs=1e-7), (steps, at)
