"""Rows that iterations add to arrays are added element by element, also by maps that add rows themselves."""

from __future__ import annotations

import pytest

from shared_context import shared_context
from tapeless._mlir import ir
from tapeless.passes.ir.search import ops_named
from tapeless.passes.soac.spread.sums.inward import add_elements

TABLE = "tensor<?x?xf64>"
ROWS = f"!soac.acc<{TABLE}>"
EQUAL = "%row = tensor.splat %x[%n] : tensor<?xf64>"
MADE = """%row = "soac.map"(%n, %xs) ({
          ^bb0(%l: index, %e: f64):
            %p = arith.mulf %e, %x : f64
            "soac.yield"(%p) : (f64) -> ()
          }) {operandSegmentSizes = array<i32: 1, 1, 0>} : (index, tensor<?xf64>) -> tensor<?xf64>"""
# A map that adds a row to one array, and whose own row is added to another.
PROGRAM = f"""func.func @f(%n: index, %xs: tensor<?xf64>, %a: {TABLE}, %b: {TABLE}) -> {TABLE} {{
  %c0 = arith.constant 0 : index
  %r:2 = "soac.with_acc"(%a, %b) ({{
  ^bb0(%all: {ROWS}, %other: {ROWS}):
    %made:2 = "soac.map"(%n, %xs, %all) ({{
    ^bb0(%i: index, %x: f64, %own: {ROWS}):
      ROW
      %u = "soac.update"(%own, %i, %row) : ({ROWS}, index, tensor<?xf64>) -> {ROWS}
      %y = math.sin %x : f64
      "soac.yield"(%y, %u) : (f64, {ROWS}) -> ()
    }}) {{operandSegmentSizes = array<i32: 1, 1, 1>}} : (index, tensor<?xf64>, {ROWS}) -> (tensor<?xf64>, {ROWS})
    %v = "soac.update"(%other, %c0, %made#0) : ({ROWS}, index, tensor<?xf64>) -> {ROWS}
    "soac.yield"(%made#1, %v) : ({ROWS}, {ROWS}) -> ()
  }}) : ({TABLE}, {TABLE}) -> ({TABLE}, {TABLE})
  return %r#1 : {TABLE}
}}"""


@pytest.mark.parametrize("row", [EQUAL, MADE], ids=["equal elements", "made by a map"])
def test_maps_that_add_rows_themselves(row: str) -> None:
    with shared_context(), ir.Location.unknown():
        module = ir.Module.parse(PROGRAM.replace("ROW", row))
        (accumulation,) = ops_named(module.operation.opview, "soac.with_acc")
        assert add_elements(accumulation)
        assert module.operation.verify()
        updates = ops_named(module.operation.opview, "soac.update")
        assert [len(op.indices) for op in updates] == [2, 2]
