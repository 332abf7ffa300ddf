"""Dead code goes whatever holds it, and is looked for by the cheap test first, which misses none of it."""

from __future__ import annotations

import pytest

from shared_context import shared_context
from tapeless._mlir import ir
from tapeless.passes.ir.regions.liveness import Liveness
from tapeless.passes.soac.simplify.prune import prune

HEAD = "func.func @f(%x: tensor<?xf64>, %a: f64, %n: index, %c: i1) -> f64 {\n  %c0 = arith.constant 0 : index\n"
HEAD += "  %c1 = arith.constant 1 : index\n"
USED = "  %i0 = arith.addi %c0, %c1 : index\n  %e0 = tensor.extract %x[%i0] : tensor<?xf64>\n"

DEAD = {
    "an operation": "%b = math.sin %a : f64\n return %e0 : f64",
    "a chain": "%b = math.sin %a : f64\n %d = math.cos %b : f64\n return %e0 : f64",
    "what a loop hands on to itself": """
      %s:2 = scf.for %i = %c0 to %n step %c1 iter_args(%t = %a, %u = %a) -> (f64, f64) {
        %v = math.sin %t : f64
        %w = math.cos %u : f64
        scf.yield %v, %w : f64, f64
      }
      %r = arith.addf %s#0, %e0 : f64
      return %r : f64""",
    "what two loops hand on": """
      %s:2 = scf.for %i = %c0 to %n step %c1 iter_args(%t = %a, %u = %a) -> (f64, f64) {
        %v = math.sin %t : f64
        scf.yield %v, %u : f64, f64
      }
      %p:2 = scf.for %i = %c0 to %n step %c1 iter_args(%t = %s#0, %u = %s#1) -> (f64, f64) {
        %v = math.sin %t : f64
        %w = math.cos %u : f64
        scf.yield %v, %w : f64, f64
      }
      %r = arith.addf %p#0, %e0 : f64
      return %r : f64""",
    "an element of a map": """
      %y = "soac.map"(%n, %x, %x) ({
      ^bb0(%i: index, %u: f64, %v: f64):
        %s = math.sin %v : f64
        "soac.yield"(%u) : (f64) -> ()
      }) {operandSegmentSizes = array<i32: 1, 2, 0>} : (index, tensor<?xf64>, tensor<?xf64>) -> tensor<?xf64>
      %z = tensor.extract %y[%i0] : tensor<?xf64>
      %r = arith.addf %z, %e0 : f64
      return %r : f64""",
    "a result of a map": """
      %y:2 = "soac.map"(%n, %x) ({
      ^bb0(%i: index, %u: f64):
        %s = math.sin %u : f64
        "soac.yield"(%u, %s) : (f64, f64) -> ()
      }) {operandSegmentSizes = array<i32: 1, 1, 0>} : (index, tensor<?xf64>) -> (tensor<?xf64>, tensor<?xf64>)
      %z = tensor.extract %y#0[%i0] : tensor<?xf64>
      %r = arith.addf %z, %e0 : f64
      return %r : f64""",
    "a branch without results": """
      scf.if %c {
        %b = math.sin %a : f64
      }
      return %e0 : f64""",
    "a result of a branch": """
      %b:2 = scf.if %c -> (f64, f64) {
        %s = math.sin %a : f64
        scf.yield %a, %s : f64, f64
      } else {
        scf.yield %e0, %a : f64, f64
      }
      %r = arith.addf %b#0, %e0 : f64
      return %r : f64""",
    "what a while loop hands on": """
      %s:2 = scf.while (%t = %a, %u = %a) : (f64, f64) -> (f64, f64) {
        %g = arith.cmpf olt, %t, %e0 : f64
        scf.condition(%g) %t, %u : f64, f64
      } do {
      ^bb0(%t: f64, %u: f64):
        %v = math.sin %t : f64
        %w = math.cos %u : f64
        scf.yield %v, %w : f64, f64
      }
      return %s#0 : f64""",
}

LIVE = {
    "operations": "%b = arith.mulf %a, %e0 : f64\n return %b : f64",
    "a loop": """
      %s = scf.for %i = %c0 to %n step %c1 iter_args(%t = %e0) -> f64 {
        %v = math.sin %t : f64
        scf.yield %v : f64
      }
      %p = arith.select %c, %s, %a : f64
      return %p : f64""",
    "a map that does without its counter": """
      %y = "soac.map"(%n, %x) ({
      ^bb0(%i: index, %u: f64):
        %s = math.sin %u : f64
        "soac.yield"(%s) : (f64) -> ()
      }) {operandSegmentSizes = array<i32: 1, 1, 0>} : (index, tensor<?xf64>) -> tensor<?xf64>
      %z = tensor.extract %y[%i0] : tensor<?xf64>
      %r = arith.addf %z, %e0 : f64
      return %r : f64""",
    "a check in a branch in a loop": """
      scf.for %i = %c0 to %n step %c1 {
        scf.if %c {
          "soac.assert"(%c) {kind = "ArgumentError", message = "no"} : (i1) -> ()
        }
      }
      return %e0 : f64""",
}


def parsed(body: str) -> ir.Module:
    return ir.Module.parse(f"{HEAD}{USED}{body}\n}}", shared_context())


@pytest.mark.parametrize("body", DEAD.values(), ids=DEAD)
def test_dead_code_goes(body):
    module = parsed(body)
    with shared_context(), ir.Location.unknown():
        assert prune(module.operation.opview)
        assert not prune(module.operation.opview)
    assert module.operation.verify()
    assert "math.cos" not in str(module) or "math.sin" not in str(module)


@pytest.mark.parametrize("body", LIVE.values(), ids=LIVE)
def test_code_without_dead_parts_is_seen_at_once(monkeypatch, body):
    module = parsed(body)
    before = str(module)
    monkeypatch.setattr(Liveness, "of", lambda root: pytest.fail("all of the module was gone through"))
    assert not prune(module.operation.opview)
    assert str(module) == before
