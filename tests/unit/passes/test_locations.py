"""The user's Python lines go through every pass, and come out with the errors."""

from __future__ import annotations

import pytest

from tapeless._mlir import func, ir
from tapeless.passes.diagnostics import PassFailed, Place, place_of, places_of
from tapeless.passes.driver.pipeline import PassPipeline
from tapeless.passes.driver.steps import Step


def function(module: ir.Module, name: str) -> func.FuncOp:
    return next(op for op in module.body.operations if op.name.value == name)


PYTHON_LOCATION = """
func.func @f(%x: f64) -> f64 {
  %y = math.sin %x : f64 loc("model.py":12:5)
  %z = math.sin %x : f64 loc("model.py":13:9)
  %s = arith.addf %y, %z : f64 loc("model.py":14:3)
  return %s : f64
}
func.func @outer(%x: f64) -> f64 {
  %y = func.call @f(%x) : (f64) -> f64 loc("caller.py":2:1)
  return %y : f64
}
"""


def test_python_locations_survive_upstream_passes(context):
    module = ir.Module.parse(PYTHON_LOCATION)
    PassPipeline.parse("builtin.module(inline,canonicalize,cse)").run(module)
    ops = {op.operation.name: op for op in function(module, "outer").entry_block.operations}
    assert list(places_of(ops["arith.addf"].location)) == [Place("model.py", 14, 3), Place("caller.py", 2, 1)]
    assert next(places_of(ops["math.sin"].location)) == Place("model.py", 12, 5)


def test_refusal_names_the_python_line_after_upstream_passes(context, tmp_path):
    model = tmp_path / "model.py"
    model.write_text("\n" * 11 + "    y = sin(x)\n")
    module = ir.Module.parse(PYTHON_LOCATION.replace("model.py", str(model)))
    with pytest.raises(PassFailed) as caught:
        PassPipeline.parse("builtin.module(canonicalize,cse,example-refuse)").run(module)
    expected = f"{model}:12:5: error: 'math.sin' op has no rule; write one\n    y = sin(x)\n    ^"
    assert str(caught.value) == f"pass 'example-refuse' failed\n{expected}"


def test_error_of_an_upstream_pass_names_the_python_line(context):
    context.allow_unregistered_dialects = True
    op = '%0 = "a.b"() : () -> tensor<4xf32> loc("m.py":3:4)'
    text = f"func.func @f() -> tensor<4xf32> {{ {op} return %0 : tensor<4xf32> }}"
    with pytest.raises(PassFailed) as caught:
        PassPipeline.parse("any(one-shot-bufferize{bufferize-function-boundaries})").run(ir.Module.parse(text))
    assert caught.value.diagnostics[0].place == Place("m.py", 3, 4)
    assert caught.value.diagnostics[0].message == "op was not bufferized"


SUM_OF_EXP = """
func.func @f(%x: tensor<?xf64>) -> f64 {
  %zero = arith.constant 0 : index loc("model.py":1:1)
  %none = arith.constant 0.0 : f64 loc("model.py":1:1)
  %n = tensor.dim %x, %zero : tensor<?xf64> loc("model.py":1:1)
  %y = "soac.map"(%n, %x) ({
  ^bb0(%i: index, %e: f64):
    %s = math.exp %e : f64 loc("model.py":2:9)
    "soac.yield"(%s) : (f64) -> () loc("model.py":2:5)
  }) {operandSegmentSizes = array<i32: 1, 1, 0>} : (index, tensor<?xf64>) -> tensor<?xf64> loc("model.py":2:5)
  %r = "soac.reduce"(%n, %y, %none) ({
  ^bb0(%a: f64, %b: f64):
    %s = arith.addf %a, %b : f64 loc("model.py":3:7)
    "soac.yield"(%s) : (f64) -> () loc("model.py":3:5)
  }) {operandSegmentSizes = array<i32: 1, 1, 1>} : (index, tensor<?xf64>, f64) -> f64 loc("model.py":3:5)
  return %r : f64 loc("model.py":4:1)
} loc("model.py":1:1)
"""
WORK = {
    Place("model.py", 2, 9): ("math.exp", "func.call", "llvm."),
    Place("model.py", 3, 7): ("arith.addf", "llvm.fadd"),
}


class FindsWork:
    """An instrument that keeps, per pass, the places of the operations that do the user's work."""

    def __init__(self) -> None:
        self.found: dict[str, set[Place]] = {}

    def before(self, step: Step, module: ir.Module) -> None:
        """Nothing to look at."""

    failed = before

    def after(self, step: Step, module: ir.Module) -> None:
        """Looks at every operation."""
        self.found[step.name] = set()
        module.operation.walk(lambda op: self._visit(op, self.found[step.name]))

    def _visit(self, op: ir.Operation, found: set[Place]) -> ir.WalkResult:
        place = place_of(op.location)
        if place in WORK and op.name.startswith(WORK[place]):
            found.add(place)
        return ir.WalkResult.ADVANCE


@pytest.mark.parametrize("pipeline", ["cpu", "cpu-sequential"])
def test_python_locations_survive_every_pass_down_to_llvm(context, pipeline):
    finds = FindsWork()
    PassPipeline.named(pipeline).run(ir.Module.parse(SUM_OF_EXP), instruments=[finds])
    assert len(finds.found) >= 5
    assert {name: places for name, places in finds.found.items() if places != set(WORK)} == {}
