"""Plans of recursive functions and their callers: the checker finds arrays that calls would overwrite too early."""

from __future__ import annotations

import pytest

from shared_context import shared_context
from tapeless._mlir import ir
from tapeless.passes import PIPELINES
from tapeless.passes.lower.storage.aliases import recursion
from tapeless.passes.lower.storage.plan_check.check import PlanBroken
from tapeless.passes.lower.storage.storage import StorageMap
from tapeless.passes.soac.inline import Inline

PAIR = "tensor<?xf64>, tensor<?xf64>"
# Adds the first of y to the first of x, n times.
ADD = f"""
func.func private @add(%n: i64, %x: tensor<?xf64>, %y: tensor<?xf64>) -> tensor<?xf64> {{
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %z = arith.constant 0 : index
  %ends = arith.cmpi sle, %n, %c0 : i64
  %r = scf.if %ends -> (tensor<?xf64>) {{
    scf.yield %x : tensor<?xf64>
  }} else {{
    %m = arith.subi %n, %c1 : i64
    %a = tensor.extract %x[%z] : tensor<?xf64>
    %b = tensor.extract %y[%z] : tensor<?xf64>
    %c = arith.addf %a, %b : f64
    %s = tensor.insert %c into %x[%z] : tensor<?xf64>
    %t = func.call @add(%m, %s, %y) : (i64, {PAIR}) -> tensor<?xf64>
    scf.yield %t : tensor<?xf64>
  }}
  return %r : tensor<?xf64>
}}
"""
EXCHANGE = """
func.func private @exchange(%n: i64, %x: tensor<4xf64>, %y: tensor<4xf64>) -> (tensor<4xf64>, tensor<4xf64>) {
  %z:2 = func.call @exchange(%n, %y, %x) : (i64, tensor<4xf64>, tensor<4xf64>) -> (tensor<4xf64>, tensor<4xf64>)
  return %z#0, %z#1 : tensor<4xf64>, tensor<4xf64>
}
func.func @f(%n: i64, %x: tensor<4xf64>) -> tensor<4xf64> {
  %z:2 = func.call @exchange(%n, %x, %x) : (i64, tensor<4xf64>, tensor<4xf64>) -> (tensor<4xf64>, tensor<4xf64>)
  return %z#0 : tensor<4xf64>
}
"""


def program(body: str) -> str:
    """A function that makes an array of its own and calls with it."""
    return f"""{ADD}
func.func @f(%n: i64, %y: tensor<?xf64>) -> tensor<?xf64> {{
  %z = arith.constant 0 : index
  %size = tensor.dim %y, %z : tensor<?xf64>
  %x = "soac.map"(%size, %y) ({{
  ^bb0(%i: index, %a: f64):
    %c = arith.mulf %a, %a : f64
    "soac.yield"(%c) : (f64) -> ()
  }}) {{operandSegmentSizes = array<i32: 1, 1, 0>}} : (index, tensor<?xf64>) -> tensor<?xf64>
  {body}
}}
"""


USED_AGAIN = program(f"""
  %a = func.call @add(%n, %x, %y) : (i64, {PAIR}) -> tensor<?xf64>
  %b = func.call @add(%n, %a, %x) : (i64, {PAIR}) -> tensor<?xf64>
  return %b : tensor<?xf64>
""")
GIVEN_TWICE = program(f"""
  %a = func.call @add(%n, %x, %x) : (i64, {PAIR}) -> tensor<?xf64>
  return %a : tensor<?xf64>
""")
ARGUMENT = f"""{ADD}
func.func @f(%n: i64, %x: tensor<?xf64>) -> tensor<?xf64> {{
  %a = func.call @add(%n, %x, %x) : (i64, {PAIR}) -> tensor<?xf64>
  return %a : tensor<?xf64>
}}
"""


def lower(text: str) -> str:
    with shared_context(), ir.Location.unknown():
        module = ir.Module.parse(text)
        Inline().run(module)
        for each in PIPELINES["loops"]:
            each.run(module)
        module.operation.verify()
        return str(module)


@pytest.mark.parametrize("text", [USED_AGAIN, GIVEN_TWICE, ARGUMENT, EXCHANGE])
def test_right_plans_pass(text):
    assert "call @" in lower(text)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (USED_AGAIN, "would read what 'func.call' .* has overwritten"),
        (GIVEN_TWICE, "would read what 'func.call' .* has overwritten"),
        (ARGUMENT, "would write into an argument"),
    ],
    ids=["used again", "given twice", "argument"],
)
def test_memory_that_is_taken_over_too_early(text, message, monkeypatch):
    monkeypatch.setattr(StorageMap, "can_overwrite", lambda *_: True)
    with pytest.raises(PlanBroken, match=message):
        lower(text)


def test_results_that_are_not_where_their_arguments_were(monkeypatch):
    monkeypatch.setattr(recursion, "without_moved", lambda plan, convention: convention)
    with pytest.raises(PlanBroken, match="takes an array to be where another one is"):
        lower(EXCHANGE)
