"""Raised and lowered again, code computes the same bits: all operations, NaN and signs of zero included."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest
from tests.unit.phi.segments.segments_of_text import segment_module

import core_interpreter
from tapeless.passes.phi.exchange.core import BINARY, UNARY
from tapeless.passes.phi.lower.lower import Lower
from tapeless.passes.phi.raise_ import Raise

EDGES = (0.0, -0.0, 1.0, -1.0, 0.3, -2.7, math.inf, -math.inf, math.nan)
PREDICATES = ("oeq", "ogt", "oge", "olt", "ole", "one", "ord", "ueq", "ugt", "uge", "ult", "ule", "une", "uno")
SPECIAL = ("sigmoid", "softplus", "sign")
BODIES = {
    **{op: f"%y = {op} %u0 : f64" for op in ("arith.negf", "math.sqrt", *UNARY)},
    **{op: f"%y = {op} %u0, %u1 : f64" for op in (*(f"arith.{n}" for n in ("addf", "subf", "mulf", "divf")), *BINARY)},
    **{name: f'%y = "soac.fn"(%u0) {{function = "{name}"}} : (f64) -> f64' for name in SPECIAL},
    **{f"cmpf {p}": f"%c = arith.cmpf {p}, %u0, %u1 : f64\n%y = arith.select %c, %u0, %u1 : f64" for p in PREDICATES},
    "negated sum": "%n = arith.negf %u0 : f64\n%y = arith.subf %n, %u1 : f64",
    "difference": "%n = arith.negf %u0 : f64\n%y = arith.addf %n, %u1 : f64",
    "zero added": "%z = arith.constant 0.0 : f64\n%y = arith.addf %u0, %z : f64",
    "minus zero added": "%z = arith.constant -0.0 : f64\n%y = arith.addf %u0, %z : f64",
    "zero times": "%z = arith.constant 0.0 : f64\n%y = arith.mulf %u0, %z : f64",
    "minus itself": "%y = arith.subf %u0, %u0 : f64",
    "over itself": "%y = arith.divf %u0, %u0 : f64",
    "halved": "%z = arith.constant 2.0 : f64\n%y = arith.divf %u0, %z : f64",
    "over a tenth": "%z = arith.constant 0.1 : f64\n%y = arith.divf %u0, %z : f64",
    "nan constant": "%z = arith.constant 0x7FF8000000000000 : f64\n%y = arith.maximumf %u0, %z : f64",
    "branches": """
        %c = arith.cmpf olt, %u0, %u1 : f64
        %y = scf.if %c -> (f64) {
          %s = math.exp %u0 : f64
          scf.yield %s : f64
        } else {
          %d = arith.divf %u1, %u0 : f64
          scf.yield %d : f64
        }""",
}


@pytest.mark.one_in(2)
@pytest.mark.parametrize("case", BODIES)
def test_raising_keeps_every_bit(case):
    body = f'{BODIES[case]}\n"phi.yield"(%y) : (f64) -> ()'
    plain, raised = (segment_module(body, ["f64", "f64"], ["f64"]) for _ in range(2))
    with plain.context:
        Lower().run(plain)
        Raise().run(raised)
        assert " arith." not in str(raised) and " math." not in str(raised)
        assert raised.operation.verify()
        Lower().run(raised)
    assert raised.operation.verify()
    for point in itertools.product(EDGES, EDGES):
        wanted, found = (core_interpreter.run(module, "f", *point)[0] for module in (plain, raised))
        assert (np.isnan(wanted) and np.isnan(found)) or np.float64(wanted).tobytes() == np.float64(found).tobytes(), (
            point
        )


def test_integers_wrap_and_compare_with_their_signs():
    body = """
      %s = arith.addi %u0, %u1 : i64
      %d = arith.subi %s, %u0 : i64
      %p = arith.muli %d, %u0 : i64
      %c = arith.cmpi sgt, %p, %u1 : i64
      "phi.yield"(%p, %c) : (i64, i1) -> ()"""
    plain, raised = (segment_module(body, ["i64", "i64"], ["i64", "i1"]) for _ in range(2))
    with plain.context:
        Lower().run(plain)
        Raise().run(raised)
        Lower().run(raised)
    for point in itertools.product((0, 1, -3, 7), repeat=2):
        arguments = [np.int64(each) for each in point]
        assert core_interpreter.run(plain, "f", *arguments) == core_interpreter.run(raised, "f", *arguments)
