"""Running pipelines: order, nesting, verification, failures and the locations they carry."""

from __future__ import annotations

import pytest
from example_passes import Break, Tag

from tapeless._mlir import func, ir
from tapeless.errors import InternalError, NoRuleError
from tapeless.passes.diagnostics import PassFailed
from tapeless.passes.driver.base import Nested, Upstream
from tapeless.passes.driver.faults.faults import is_interruption, message_of
from tapeless.passes.driver.pipeline import PassPipeline
from tapeless.passes.driver.steps import Step, groups_of, steps_of, upstream_text

TWO_FUNCTIONS = """
func.func @f(%x: f64) -> f64 {
  %a = arith.addf %x, %x : f64
  %b = arith.addf %x, %x : f64
  %c = arith.mulf %a, %b : f64
  return %c : f64
}
func.func private @g(%x: f64) -> f64 {
  %y = func.call @f(%x) : (f64) -> f64
  return %y : f64
}
func.func private @declared(f64) -> f64
"""


def function(module: ir.Module, name: str) -> func.FuncOp:
    return next(op for op in module.body.operations if op.name.value == name)


def count(module: ir.Module, name: str) -> int:
    return str(module).count(name)


def test_upstream_neighbours_run_in_one_group_and_python_passes_alone():
    elements = (Upstream("cse"), Nested("func.func", (Upstream("canonicalize"), Tag())), Tag(), Upstream("cse"))
    groups = list(groups_of(steps_of(elements)))
    assert [len(group) for group in groups] == [2, 1, 1, 1]
    assert upstream_text(groups[0]) == "builtin.module(cse,func.func(canonicalize))"


def test_nesting_is_kept_in_the_text_for_mlir():
    steps = [Step(Upstream(name), anchors) for name, anchors in [("a", ()), ("b", ("x", "y")), ("c", ("x", "y"))]]
    assert upstream_text(steps) == "builtin.module(a,x(y(b,c)))"


def test_passes_run_in_order(context):
    module = ir.Module.parse(TWO_FUNCTIONS)
    PassPipeline.parse("builtin.module(cse,example-tag,canonicalize)").run(module)
    assert count(module, "arith.addf") == 1
    assert all("test.seen" in function(module, name).attributes for name in "fg")


def test_python_pass_on_functions_sees_one_at_a_time(context, monkeypatch):
    seen = []
    monkeypatch.setattr(Tag, "run", lambda self, module: seen.append([op.name.value for op in defined(module)]))
    PassPipeline.parse("builtin.module(func.func(example-tag))").run(ir.Module.parse(TWO_FUNCTIONS))
    assert seen == [["f"], ["g"]]


def defined(module: ir.Module) -> list[func.FuncOp]:
    return [op for op in module.body.operations if not op.is_external]


def test_functions_keep_order_and_visibility_when_visited_one_at_a_time(context):
    module = ir.Module.parse(TWO_FUNCTIONS)
    PassPipeline.parse("builtin.module(func.func(example-tag{label=x},example-tag{label=y}))").run(module)
    assert [op.name.value for op in module.body.operations] == ["f", "g", "declared"]
    assert "sym_visibility" not in function(module, "f").attributes
    assert {"test.x", "test.y"} <= set(dict(function(module, "g").attributes.items()))
    assert module.operation.verify()


def test_functions_come_back_when_a_pass_fails_on_one(context):
    module = ir.Module.parse(TWO_FUNCTIONS.replace("arith.mulf %a, %b", "math.sin %a"))
    with pytest.raises(PassFailed):
        PassPipeline.parse("builtin.module(func.func(example-refuse))").run(module)
    assert [op.name.value for op in module.body.operations] == ["f", "g", "declared"]
    assert module.operation.verify()


def test_module_attributes_set_while_on_one_function_are_not_lost_silently(context, monkeypatch):
    def mark(self: Tag, module: ir.Module) -> None:
        module.operation.attributes["test.mark"] = ir.UnitAttr.get()

    monkeypatch.setattr(Tag, "run", mark)
    with pytest.raises(PassFailed, match="sets attributes of the module; run it outside"):
        PassPipeline.parse("any(func.func(example-tag))").run(ir.Module.parse(TWO_FUNCTIONS))


@pytest.mark.parametrize("verify_each", [True, False])
def test_broken_ir_is_found_after_the_pass_that_made_it(context, verify_each):
    module = ir.Module.parse("func.func @f() { return }")
    pipeline = PassPipeline((Break(), Tag()))
    if not verify_each:
        pipeline.run(module, verify_each=False)
        return
    with pytest.raises(InternalError, match="pass 'example-break', which left IR that does not verify") as caught:
        pipeline.run(module)
    assert "empty block" in str(caught.value)
    assert isinstance(caught.value.__cause__, ir.MLIRError)


def test_errors_reported_on_locations_fail_the_pass(context):
    module = ir.Module.parse('func.func @f() { return } loc("m.py":1:1)')
    with pytest.raises(PassFailed, match=r"m\.py:1:1: error: this function is not welcome"):
        PassPipeline.parse("any(example-report)").run(module)


def test_errors_of_tapeless_keep_their_class(context, monkeypatch):
    def give_up(self: Tag, module: ir.Module) -> None:
        raise NoRuleError("'math.sin' has no derivative rule; write one")

    monkeypatch.setattr(Tag, "run", give_up)
    with pytest.raises(NoRuleError, match="has no derivative rule"):
        PassPipeline.parse("any(cse,example-tag)").run(ir.Module.parse(TWO_FUNCTIONS))


def test_bug_in_a_pass_names_the_pass_and_keeps_the_cause(context):
    with pytest.raises(InternalError, match="internal error in pass 'example-crash': KeyError: 'missing'") as caught:
        PassPipeline.parse("any(example-crash)").run(ir.Module.parse(TWO_FUNCTIONS))
    assert isinstance(caught.value.__cause__, KeyError)
    assert caught.value.stage == "pass 'example-crash'"


@pytest.mark.parametrize("error", [KeyboardInterrupt, SystemExit, MemoryError])
def test_what_is_no_bug_of_a_pass_goes_through_it(context, monkeypatch, error):
    def stop(self: Tag, module: ir.Module) -> None:
        raise error

    monkeypatch.setattr(Tag, "run", stop)
    with pytest.raises(error):
        PassPipeline.parse("any(example-tag)").run(ir.Module.parse(TWO_FUNCTIONS))


def test_interruption_inside_a_walk_is_one_outside_too(context, monkeypatch):
    def interrupted(op: ir.Operation) -> ir.WalkResult:
        raise KeyboardInterrupt

    monkeypatch.setattr(Tag, "run", lambda self, module: module.operation.walk(interrupted))
    with pytest.raises(KeyboardInterrupt):
        PassPipeline.parse("any(example-tag)").run(ir.Module.parse(TWO_FUNCTIONS))


def test_bug_inside_a_walk_is_named_as_it_was_raised(context, monkeypatch):
    monkeypatch.setattr(Tag, "run", lambda self, module: module.operation.walk(lambda op: {}["missing"]))
    with pytest.raises(InternalError, match="internal error in pass 'example-tag': KeyError: 'missing'"):
        PassPipeline.parse("any(example-tag)").run(ir.Module.parse(TWO_FUNCTIONS))


@pytest.mark.parametrize("line_break", ["\n", "\n\n"])
def test_tracebacks_of_walks_are_read_in_either_form(line_break):
    """Bindings of some Python versions put empty lines between the entries."""
    lines = ["Traceback (most recent call last):", '  File "a.py", line 1, in f\n    raise X', "KeyboardInterrupt\n"]
    cause = RuntimeError("Exception raised in callback: " + line_break.join(lines))
    assert message_of(cause) == "KeyboardInterrupt"
    assert is_interruption(cause)
