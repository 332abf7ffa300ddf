"""Elements of arrays are read only where the program reads them."""

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

# Each reads xs[i] in arms only; i is an index of xs where 2 * i < n.
PROGRAMS = {
    "two conditions": """
      %p = scf.if %low -> f64 { @READ@ %s = math.sin %e : f64 scf.yield %s : f64 } else { scf.yield %a : f64 }
      %q = scf.if %even -> f64 { @READ@ %s = math.exp %e : f64 scf.yield %s : f64 } else { scf.yield %b : f64 }
      %y = arith.mulf %p, %q : f64""",
    "one condition twice": """
      %p = scf.if %low -> f64 { @READ@ scf.yield %e : f64 } else { scf.yield %a : f64 }
      %s = math.sin %p : f64
      %y = scf.if %low -> f64 { @READ@ %m = arith.mulf %e, %s : f64 scf.yield %m : f64 } else { scf.yield %s : f64 }""",
    "what is made of an element": """
      %p = scf.if %low -> f64 { @READ@ %s = math.sin %e : f64 %m = arith.mulf %s, %a : f64 scf.yield %m : f64 }
        else { scf.yield %a : f64 }
      %q = scf.if %even -> f64 { @READ@ %s = math.sin %e : f64 %m = arith.mulf %s, %b : f64 scf.yield %m : f64 }
        else { scf.yield %b : f64 }
      %y = arith.mulf %p, %q : f64""",
    "a condition": """
      %is = scf.if %low -> i1 { @READ@ %t = arith.cmpf ogt, %e, %a : f64 scf.yield %t : i1 }
        else { scf.yield %even : i1 }
      %y = scf.if %is -> f64 { %m = arith.mulf %a, %b : f64 scf.yield %m : f64 } else { scf.yield %b : f64 }""",
    "an arm in an arm": """
      %y = scf.if %low -> f64 {
        %q = scf.if %even -> f64 { @READ@ %s = math.sin %e : f64 scf.yield %s : f64 }
          else { @READ@ %s = math.cos %e : f64 scf.yield %s : f64 }
        %m = arith.mulf %q, %b : f64
        scf.yield %m : f64
      } else { scf.yield %a : f64 }""",
}


def module(body):
    return f"""
      func.func @f(%i0: index, %n0: index, %a0: f64, %b0: f64, %xs0: tensor<?xf64>) -> f64 {{
        %r = "phi.segment"(%i0, %n0, %a0, %b0, %xs0) ({{
        ^bb0(%i: index, %n: index, %a: f64, %b: f64, %xs: tensor<?xf64>):
          %twice = arith.addi %i, %i : index
          %thrice = arith.addi %twice, %i : index
          %low = arith.cmpi slt, %twice, %n : index
          %even = arith.cmpi slt, %thrice, %n : index
          {body.replace("@READ@", "%e = tensor.extract %xs[%i] : tensor<?xf64>")}
          "phi.yield"(%y) : (f64) -> ()
        }}) {{label = "s0", active_in = [false, false, true, true, true], active_out = [true],
               fm = #phi.fm<"contract">}}
          : (index, index, f64, f64, tensor<?xf64>) -> f64
        return %r : f64
      }}"""


def compiled(name, *passes):
    made = ir.Module.parse(module(PROGRAMS[name]))
    for each in passes:
        each.run(made)
        assert made.operation.verify()
    return made


def plain(name, i, n, a, b, xs):
    low, even = 2 * i < n, 3 * i < n
    if name == "two conditions":
        return (np.sin(xs[i]) if low else a) * (np.exp(xs[i]) if even else b)
    if name == "one condition twice":
        return xs[i] * np.sin(xs[i]) if low else np.sin(a)
    if name == "what is made of an element":
        return (np.sin(xs[i]) * a if low else a) * (np.sin(xs[i]) * b if even else b)
    if name == "a condition":
        return a * b if (xs[i] > a if low else even) else b
    return (np.sin(xs[i]) if even else np.cos(xs[i])) * b if low else a


@pytest.mark.parametrize("name", PROGRAMS)
def test_nothing_is_read_outside(name):
    rng = np.random.default_rng(3)
    with make_context():
        primal = compiled(name, Raise(), Lower())
        again = compiled(name, Raise(), Raise(), Simplify(), Lower())
        derivative = compiled(name, Raise(), Simplify(), Differentiate(), Simplify(), Factor(), Lower())
    for i, n, size in ((0, 4, 2), (1, 4, 2), (1, 3, 2), (7, 10, 0), (2, 4, 2), (5, 4, 1)):
        a, b, xs = rng.uniform(0.2, 1.5), rng.uniform(0.2, 1.5), rng.uniform(0.2, 1.5, size=size)
        point = [np.int64(i), np.int64(n), np.float64(a), np.float64(b), xs]
        wanted = plain(name, i, n, a, b, xs)
        assert run(primal, "f", *point)[0] == pytest.approx(wanted, rel=1e-14)
        assert run(again, "f", *point)[0] == pytest.approx(wanted, rel=1e-14)
        step = 1e-6
        found = run(derivative, "s0_vjp", *point, np.float64(1.0))
        slope = (plain(name, i, n, a + step, b, xs) - plain(name, i, n, a - step, b, xs)) / (2 * step)
        assert found[0] == pytest.approx(slope, abs=1e-8)
        for place in range(size):
            moved = [xs + step * sign * (np.arange(size) == place) for sign in (1, -1)]
            slope = (plain(name, i, n, a, b, moved[0]) - plain(name, i, n, a, b, moved[1])) / (2 * step)
            assert found[2][place] == pytest.approx(slope, abs=1e-8)
