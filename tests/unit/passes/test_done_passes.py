"""A pass that was repeated until it changed nothing does not run again before something has changed."""

from __future__ import annotations

from collections import Counter

import pytest

from tapeless._mlir import ir
from tapeless.passes.driver.base import Upstream
from tapeless.passes.driver.pipeline import PassPipeline
from tapeless.passes.driver.steps import Step, steps_of
from tapeless.passes.soac.simplify.simplify import Simplify

WITHOUT_LOOPS = """
func.func @f(%x: tensor<?xf64>, %i: index) -> f64 {
  %a = tensor.extract %x[%i] : tensor<?xf64>
  %b = arith.mulf %a, %a : f64
  return %b : f64
}
"""
WITH_A_LOOP = """
func.func @f(%x: tensor<?xf64>) -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f64
  %n = tensor.dim %x, %c0 : tensor<?xf64>
  %s = scf.for %i = %c0 to %n step %c1 iter_args(%t = %zero) -> f64 {
    %a = tensor.extract %x[%i] : tensor<?xf64>
    %b = arith.mulf %a, %a fastmath<contract> : f64
    %u = arith.addf %t, %b fastmath<contract> : f64
    scf.yield %u : f64
  }
  return %s : f64
}
"""
REPEATED = "builtin.module(soac-simplify,soac-parallelise,ad-ties,canonicalize,cse,soac-simplify)"


def runs(text: str, pipeline: str, monkeypatch: pytest.MonkeyPatch) -> int:
    """How often `soac-simplify` ran, with what came before it in the pipeline."""
    counted: Counter[str] = Counter()
    original = Simplify.run

    def run(self: Simplify, module: ir.Module) -> None:
        counted[self.name] += 1
        original(self, module)

    monkeypatch.setattr(Simplify, "run", run)
    PassPipeline.parse(pipeline).run(ir.Module.parse(text))
    return counted["soac-simplify"]


@pytest.mark.parametrize(
    ("text", "pipeline", "expected"),
    [
        (WITHOUT_LOOPS, REPEATED, 1),
        (WITH_A_LOOP, REPEATED, 2),
        (WITHOUT_LOOPS, "builtin.module(soac-simplify,canonicalize,cse,soac-simplify)", 1),
        (WITHOUT_LOOPS, "builtin.module(soac-simplify,canonicalize{top-down=false},soac-simplify)", 2),
        (WITHOUT_LOOPS, "builtin.module(soac-simplify,soac-inline,soac-simplify)", 2),
        (WITHOUT_LOOPS, "builtin.module(soac-simplify,soac-simplify{max-rounds=3})", 2),
    ],
)
def test_simplification_runs_again_after_changes_only(context, monkeypatch, text, pipeline, expected):
    assert runs(text, pipeline, monkeypatch) == expected


def test_results_are_those_of_all_passes(context):
    steps = list(steps_of(PassPipeline.parse(REPEATED).elements))
    for text in (WITHOUT_LOOPS, WITH_A_LOOP):
        together, apart = ir.Module.parse(text), ir.Module.parse(text)
        PassPipeline.parse(REPEATED).run(together)
        for step in steps:
            PassPipeline((step.run,)).run(apart)
        assert str(together) == str(apart)
        assert ("soac.reduce" in str(together)) == (text is WITH_A_LOOP)


def test_what_is_done_are_passes_that_simplification_ends_with():
    assert {Step(Upstream(name)).name for name in ("canonicalize", "cse")} < set(Simplify.leaves_done)
