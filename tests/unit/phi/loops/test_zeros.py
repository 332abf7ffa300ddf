"""Loops that keep a zero through many steps: closed forms, too, are zero where powers are infinite."""

from __future__ import annotations

import numpy as np
import pytest
from tests.core_interpreter import run

from tapeless._mlir import ir
from tapeless.dialects.context import make_context
from tapeless.passes.phi.differentiate.differentiate import Differentiate
from tapeless.passes.phi.factor.factor import Factor
from tapeless.passes.phi.lower.lower import Lower
from tapeless.passes.phi.raise_ import Raise
from tapeless.passes.phi.simplify.simplify import Simplify
from tapeless.passes.phi.solve.solve import Solve

AFFINE = """
  %d = scf.for %k = %c0 to %n step %c1 iter_args(%x = %p) -> f64 {
    %m = arith.mulf %a, %x fastmath<reassoc,contract> : f64
    %y = arith.addf %m, %b fastmath<reassoc,contract> : f64
    scf.yield %y : f64
  }"""
PRODUCT = """
  %e = arith.addf %a, %b fastmath<reassoc,contract> : f64
  %d = scf.for %k = %c0 to %n step %c1 iter_args(%x = %p) -> f64 {
    %i = arith.index_cast %k : index to i64
    %j = arith.sitofp %i : i64 to f64
    %t = arith.addf %e, %j fastmath<reassoc,contract> : f64
    %y = arith.mulf %t, %x fastmath<reassoc,contract> : f64
    scf.yield %y : f64
  }"""


def module(loop):
    return f"""
      func.func @f(%n0: index, %a0: f64, %b0: f64, %p0: f64) -> f64 {{
        %r = "phi.segment"(%n0, %a0, %b0, %p0) ({{
        ^bb0(%n: index, %a: f64, %b: f64, %p: f64):
          %c0 = arith.constant 0 : index
          %c1 = arith.constant 1 : index
          {loop}
          "phi.yield"(%d) : (f64) -> ()
        }}) {{label = "s0", active_in = [false, true, true, true], active_out = [true],
              fm = #phi.fm<"reassoc,contract">}} : (index, f64, f64, f64) -> f64
        return %r : f64
      }}"""


def kernels(loop):
    for passes in ((Differentiate(), Lower()), (Simplify(), Differentiate(), Simplify(), Factor(), Lower())):
        with make_context():
            made = ir.Module.parse(module(loop))
            for each in (Raise(), Solve(), *passes):
                each.run(made)
            assert made.operation.verify()
            yield made


def stepped(steps, a, b, p):
    """The value, and its derivatives in a, b and p, step by step."""
    x, da, db, dp = p, 0.0, 0.0, 1.0
    for _ in range(steps):
        x, da, db, dp = a * x + b, a * da + x, a * db + 1.0, a * dp
    return x, (da, db, dp)


@pytest.mark.one_in(4)
@pytest.mark.parametrize("steps", [0, 1, 7, 2000, 4097])
@pytest.mark.parametrize("a", [2.0, -3.0, 0.5, 1.0, -1e200])
def test_zero_stays_zero(steps, a):
    for made in kernels(AFFINE):
        found = run(made, "f", np.int64(steps), np.float64(a), np.float64(0.0), np.float64(0.0))[0]
        assert found == 0.0
        slopes = run(made, "s0_vjp", np.int64(steps), np.float64(a), np.float64(0.0), np.float64(0.0), np.float64(1.0))
        with np.errstate(all="ignore"):
            _, wanted = stepped(steps, np.float64(a), 0.0, 0.0)
        for one, other in zip(slopes, wanted, strict=True):
            assert not np.isfinite(other) or one == pytest.approx(other, rel=1e-12)


def test_zero_seeds_give_zero():
    for made in kernels(AFFINE):
        for p, b in ((0.0, 0.0), (1.5, 0.0), (0.0, 2.0)):
            slopes = run(made, "s0_vjp", np.int64(3000), np.float64(2.0), np.float64(b), np.float64(p), np.float64(0.0))
            # The states themselves are infinite where the loop does not keep a zero.
            assert slopes[1:] == [0.0, 0.0], (p, b)
            assert slopes[0] == 0.0 or p or b


def test_what_is_not_a_number_stays_so():
    for made in kernels(AFFINE):
        for a in (np.nan, np.inf):
            assert np.isnan(run(made, "f", np.int64(5), np.float64(a), np.float64(0.0), np.float64(0.0))[0])


def test_products_of_many_factors():
    for made in kernels(PRODUCT):
        point = np.int64(400), np.float64(1.0), np.float64(0.5)
        assert run(made, "f", *point, np.float64(0.0))[0] == 0.0
        assert np.isinf(run(made, "f", *point, np.float64(1.0))[0])
        assert np.isnan(run(made, "f", np.int64(400), np.float64(np.nan), np.float64(0.5), np.float64(0.0))[0])
