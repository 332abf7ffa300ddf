"""Loops that store all states of an array, carried in the rows of what they store: whatever is read is the same."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import core_interpreter
from shared_context import shared_context
from tapeless._mlir import ir
from tapeless.errors import ArgumentError
from tapeless.passes.driver.pipeline import PassPipeline

X = np.array([0.3, -0.7])
PROGRAM = """
func.func @states(%x: tensor<?xf64>, %n: index, %k: index) -> {results} {{
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %low = arith.constant {low} : index
  %m = tensor.dim %x, %zero : tensor<?xf64>
  %columns = arith.addi %m, {more} : index
  %high = arith.addi %n, %low : index
  %rows = tensor.empty(%high, %columns) : tensor<?x?xf64>
  %r:2 = scf.for %i = %low to %high step %one iter_args(%a = %x, %h = %rows) -> (tensor<?xf64>, tensor<?x?xf64>) {{
    %from_zero = arith.subi %i, %low : index
    {check}
    %kept = tensor.insert_slice %a into %h[{place}, 0] [1, %m] [1, 1] : tensor<?xf64> into tensor<?x?xf64>
    %b = "soac.map"(%m, %a) ({{
    ^bb0(%j: index, %u: f64):
      %v = math.sin %u : f64
      "soac.yield"(%v) : (f64) -> ()
    }}) {{operandSegmentSizes = array<i32: 1, 1, 0>}} : (index, tensor<?xf64>) -> tensor<?xf64>
    scf.yield %b, %kept : tensor<?xf64>, tensor<?x?xf64>
  }}
  %e = tensor.extract %r#1[%k, %one] : tensor<?x?xf64>
  return {returned}
}}
"""
CHECK = """%ok = arith.cmpi ne, %i, %k : index
    "soac.assert"(%ok) {kind = "ArgumentError", message = "stop"} : (i1) -> ()"""
END = {"results": "(f64, tensor<?xf64>)", "returned": "%e, %r#0 : f64, tensor<?xf64>"}
NO_END = {"results": "f64", "returned": "%e : f64"}
PLAIN = {"low": 0, "more": "%zero", "place": "%i", "check": "", **NO_END}
CARRIED = {
    "from zero": PLAIN,
    "with the last state": {**PLAIN, **END},
    "from another index": {**PLAIN, **END, "low": 3, "place": "%from_zero"},
    "with a check": {**PLAIN, "check": CHECK},
}
STORED = {
    "at rows that start later": {**PLAIN, "low": 2},
    "in parts of rows": {**PLAIN, "more": "%one"},
}


def program(parts: dict[str, Any]) -> tuple[ir.Module, ir.Module]:
    """A program before and after fusion."""
    text = PROGRAM.format(**parts)
    before, after = ir.Module.parse(text), ir.Module.parse(text)
    PassPipeline.parse("builtin.module(fuse)").run(after)
    return before, after


def carried_arrays(module: ir.Module) -> int:
    (loop,) = [op for op in module.body.operations[0].regions[0].blocks[0].operations if op.name == "scf.for"]
    return len(loop.results)


def outcome(module: ir.Module, trips: int, row: int) -> list[Any] | str:
    """The results, or what the failing check says."""
    try:
        return core_interpreter.run(module, "states", X, trips, row)
    except ArgumentError as error:
        return str(error)


@pytest.mark.parametrize("name", [*CARRIED, *STORED])
def test_same_states(name: str) -> None:
    with shared_context():
        parts = {**CARRIED, **STORED}[name]
        before, after = program(parts)
        assert carried_arrays(after) == (1 if name in CARRIED else 2)
        first = parts["low"] if parts["place"] == "%i" else 0
        for trips in (1, 2, 4):
            for row in range(first, first + trips):
                wanted, found = outcome(before, trips, row), outcome(after, trips, row)
                assert (wanted == "stop") == bool(parts["check"])
                for expected, value in zip(wanted, found, strict=True):
                    np.testing.assert_array_equal(value, expected)
