"""Checks of indices that `soac-simplify` moves before a loop: the same loops pass, and the same index is reported."""

from __future__ import annotations

import numpy as np
import pytest

import core_interpreter
from shared_context import shared_context
from tapeless._mlir import ir
from tapeless.errors import IndexOutOfRange
from tapeless.passes.driver.pipeline import PassPipeline

XS = np.array([1.0, 2.0, 4.0, 8.0])
BOUNDS = [(low, high) for low in range(-2, 4) for high in range(-3, 7)]
KIND = """kind = "IndexOutOfRange", message = "index {}" """
PROGRAM = """
func.func @sum(%xs: tensor<?xf64>, %low: index, %high: index, %n: index) -> f64 {{
  %one = arith.constant 1 : index
  %shift = arith.constant {shift} : index
  %zero = arith.constant 0.0 : f64
  %sum = scf.for %i = %low to %high step %one iter_args(%so_far = %zero) -> (f64) {{
    %k = arith.addi %i, %shift : index
    %inside = arith.cmpi ult, %k, %n : index
    "soac.assert"(%inside, {reported}) {{{kind}}} : (i1, index) -> ()
    %x = tensor.extract %xs[%k] : tensor<?xf64>
    %next = arith.addf %so_far, %x : f64
    scf.yield %next : f64
  }}
  return %sum : f64
}}
"""


def outcome(module: ir.Module, low: int, high: int) -> float | str:
    """The sum, or what the failing check says."""
    try:
        return float(core_interpreter.run(module, "sum", XS, low, high, len(XS))[0])
    except IndexOutOfRange as error:
        return str(error)


def checks_in_loops(module: ir.Module) -> int:
    (loop,) = [op for op in module.body.operations[0].regions[0].blocks[0].operations if op.name == "scf.for"]
    return sum(op.name == "soac.assert" for op in loop.regions[0].blocks[0].operations)


@pytest.mark.parametrize("reported", ["%k", "%i"])
@pytest.mark.parametrize("shift", [-1, 0, 2])
def test_hoisted_check(shift: int, reported: str) -> None:
    """A check that reports its index moves out; one that reports something else of the iteration stays."""
    text = PROGRAM.format(shift=shift, reported=reported, kind=KIND)
    with shared_context():
        before, after = ir.Module.parse(text), ir.Module.parse(text)
        PassPipeline.parse("builtin.module(soac-simplify)").run(after)
        assert checks_in_loops(after) == (reported == "%i" and shift != 0)
        for low, high in BOUNDS:
            assert outcome(after, low, high) == outcome(before, low, high)
