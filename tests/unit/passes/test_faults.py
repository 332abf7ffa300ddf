"""Faults of passes name the line of the user's source they were working on, whatever state they left the IR in."""

from __future__ import annotations

import pytest
from example_passes import Tag

from tapeless._mlir import ir
from tapeless.errors import InternalError
from tapeless.passes.diagnostics import Place
from tapeless.passes.driver.faults.culprit import find_culprit
from tapeless.passes.driver.faults.reproducer import Reproducer, read_reproducer
from tapeless.passes.driver.pipeline import PassPipeline

LOCATED = """
func.func @f(%x: f64) -> f64 {
  %a = arith.addf %x, %x : f64 loc("m.py":2:3)
  %b = arith.mulf %a, %a : f64 loc("m.py":3:3)
  return %b : f64 loc("m.py":4:3)
} loc("m.py":1:1)
"""


def fail(*_values: object) -> None:
    raise LookupError("lost")


def entry(module: ir.Module) -> list[ir.OpView]:
    return list(module.body.operations[0].entry_block.operations)


def operation(module: ir.Module) -> None:
    op = entry(module)[1]
    fail(op)


def value(module: ir.Module) -> None:
    result = entry(module)[0].result
    fail(result)


def argument(module: ir.Module) -> None:
    x = module.body.operations[0].arguments[0]
    fail(x)


def location(module: ir.Module) -> None:
    where = entry(module)[2].location
    fail(where)


def erased(module: ir.Module) -> None:
    """The handles of an erased function and of what was in it are left alone; what is still there is found."""
    inner = entry(module)
    module.body.operations[0].erase()
    fail(inner)


def erased_in_cpp(module: ir.Module) -> None:
    a, b, kept = entry(module)
    kept.operation.operands[0] = module.body.operations[0].arguments[0]
    PassPipeline.parse("any(canonicalize)").run(module)
    fail(a, b, kept)


def unfinished(module: ir.Module) -> None:
    """The handle of an operation whose constructor raises is left alone."""

    class Operation(ir.OpView):
        def __init__(self) -> None:
            fail()

    kept = entry(module)[1]
    Operation()
    fail(kept)


PLACES = {
    operation: Place("m.py", 3, 3),
    value: Place("m.py", 2, 3),
    argument: Place("m.py", 1, 1),
    location: Place("m.py", 4, 3),
    unfinished: Place("m.py", 3, 3),
    erased: None,
    erased_in_cpp: Place("m.py", 4, 3),
    lambda module: fail(): Place("m.py", 1, 1),
}


@pytest.mark.parametrize("work", PLACES)
def test_the_innermost_operation_gives_the_line(context, monkeypatch, work):
    monkeypatch.setattr(Tag, "run", lambda self, module: work(module))
    with pytest.raises(InternalError, match="LookupError: lost") as caught:
        PassPipeline.parse("any(example-tag)").run(ir.Module.parse(LOCATED))
    assert caught.value.diagnostics[0].place == PLACES[work]


@pytest.mark.parametrize(
    ("pipeline", "culprit"),
    [
        ("any(cse,example-tag,example-crash,cse)", "example-crash"),
        ("any(cse,example-break,example-tag,example-crash)", "example-break"),
        ("any(cse,func.func(example-break),cse,canonicalize)", "example-break"),
    ],
)
def test_the_culprit_is_the_first_pass_that_goes_wrong(context, pipeline, culprit):
    found = find_culprit(ir.Module.parse(LOCATED), PassPipeline.parse(pipeline))
    assert found is not None and f"pass '{culprit}'" in found.error.stage
    nested = f"func.func({culprit})" if "func.func" in pipeline else culprit
    assert read_reproducer(found.reproducer) == Reproducer(f"builtin.module({nested})")


def test_a_pass_of_mlir_can_be_the_culprit(context):
    context.allow_unregistered_dialects = True
    text = '%0 = "a.b"() : () -> tensor<4xf32> loc("m.py":3:4)'
    module = ir.Module.parse(f"func.func @f() -> tensor<4xf32> {{ {text} return %0 : tensor<4xf32> }}")
    pipeline = PassPipeline.parse("any(cse,one-shot-bufferize{bufferize-function-boundaries},canonicalize)")
    found = find_culprit(module, pipeline)
    assert found is not None
    assert found.error.stage == "pass 'one-shot-bufferize'"
    assert found.error.diagnostics[0].place == Place("m.py", 3, 4)
    assert isinstance(found.error.__cause__, ir.MLIRError)


def test_a_pipeline_that_works_has_no_culprit(context):
    assert find_culprit(ir.Module.parse(LOCATED), PassPipeline.parse("any(cse)")) is None
