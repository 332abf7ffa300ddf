"""Bodies of procedures with one kind of statement each, and with statements combined, and arguments for them."""

from __future__ import annotations

import numpy as np

from . import test_control as control
from .programs import ELEMENT, accum, ancilla, element, for_, procedure

EXP = """%u = memref.load %z[] : memref<f64>
    %v = math.exp %u : f64"""
LOAD = "%w = memref.load %x[] : memref<f64>"
SINE = f"{LOAD}\n    %v = math.sin %w : f64"
NEG = '\n"rev.neg"(%x) : (memref<f64>) -> ()\n'
SWAP = '\n"rev.swap"(%x, %y) : (memref<f64>, memref<f64>) -> ()\n'
BEND = accum("%y : f64", SINE)
ROT = """
  "rev.rot"(%x, %y) ({
    %t = "rev.read"(%xs, %c1) : (memref<?xf64>, index) -> f64
    %v = arith.mulf %t, %t : f64
    "rev.yield"(%v) : (f64) -> ()
  }) {inv = false} : (memref<f64>, memref<f64>) -> ()
"""
STRETCH = """
  "rev.stretch"(%y) ({
    %t = "rev.read"(%x) : (memref<f64>) -> f64
    %v = math.exp %t : f64
    "rev.yield"(%v) : (f64) -> ()
  }) {divide = DIVIDE} : (memref<f64>) -> ()
"""
SIZE = "\n  %n = memref.dim %xs, %c0 : memref<?xf64>\n"
PRODUCT = """%a = "rev.read"(%xs, %i) : (memref<?xf64>, index) -> f64
    %b = "rev.read"(%x) : (memref<f64>) -> f64
    %v = arith.mulf %a, %b : f64"""
NEXT = """%j = arith.addi %i, %c1 : index
    %a = "rev.read"(%xs, %j) : (memref<?xf64>, index) -> f64
    %v = math.sin %a : f64"""
LEAPFROG = accum("%x : f64", "%a = memref.load %y[] : memref<f64>\n    %v = math.cos %a : f64", "sub") + BEND
CALL = '\n"rev.call"(%y, %x) {callee = @inner, inv = INV} : (memref<f64>, memref<f64>) -> ()\n'
INNER = procedure({"y": "f64", "x": "in f64"}, BEND + BEND, "inner")
SQUARES = """%all = "rev.read"(%xs) : (memref<?xf64>) -> tensor<?xf64>
    %n_ = memref.dim %xs, %c0 : memref<?xf64>
    %v = "soac.map"(%n_, %all) ({
    ^bb0(%q: index, %e: f64):
      %s = arith.mulf %e, %e : f64
      %again = "rev.read"(%xs, %q) : (memref<?xf64>, index) -> f64
      %r = arith.mulf %s, %again : f64
      "soac.yield"(%r) : (f64) -> ()
    }) {operandSegmentSizes = array<i32: 1, 1, 0>} : (index, tensor<?xf64>) -> tensor<?xf64>"""
ROUTINE = f"""
    "rev.compute"() ({{
      {accum("%z : f64", SINE)}
      "rev.scale"(%z) {{factor = 3.000000e+00 : f64, divide = false}} : (memref<f64>) -> ()
    }}, {{
      {accum("%y : f64", EXP)}
    }}) : () -> ()
"""
TWO_ROUTINES = ancilla(ROUTINE + ROUTINE)
IN_LOOP = ancilla(for_(ROUTINE))
WHILE = control.loop_while(
    control.compare("%k", "olt", "3.0"),
    control.compare("%k", "ogt", "0.5"),
    LEAPFROG + accum("%k : f64", "", result="%one : f64"),
).replace("%k", "%count")
LOW = control.compare("%x", "olt", "0.5")
ADD_ONE = accum("%x : f64", "", result="%one : f64")
PUSHES = control.push("%x") + control.push("%y")
TEMPORARY = f"\n  {LOAD}\n  %e = math.exp %w : f64\n" + accum("%y : f64", "", result="%e : f64")


def parallel(body: str, shadows: str = "privatize") -> str:
    """A parallel loop."""
    return f"""
  "rev.parallel"(%n) ({{
  ^bb0(%i: index):{body}
  }}) {{shadows = "{shadows}"}} : (index) -> ()
"""


SHARED = """%u = "rev.read"(%x) : (memref<f64>) -> f64
    %w = "rev.read"(%xs, %i) : (memref<?xf64>, index) -> f64
    %t = "rev.read"(%xs, %c1) : (memref<?xf64>, index) -> f64
    %s = arith.mulf %u, %w : f64
    %v = arith.mulf %s, %t : f64"""
VIEWS = element("%xs", "%c0", "%a") + element("%xs", "%c1", "%b")
FROM_VIEW = f"""
  "rev.accum"(%a) ({{
    %u = "rev.read"(%b) : ({ELEMENT}) -> f64
    %v = math.sin %u : f64
    "rev.yield"(%v) : (f64) -> ()
  }}) {{kind = "add"}} : ({ELEMENT}) -> ()
"""
BODIES = {
    "add": BEND,
    "sub": accum("%y : f64", SINE, "sub"),
    "array": accum("%ys : ?xf64", SQUARES, result="%v : tensor<?xf64>"),
    "elements": SIZE + for_(accum("%ys[%i] : ?xf64", PRODUCT)),
    "neighbours": SIZE + "\n  %m = arith.subi %n, %c1 : index\n" + for_(accum("%xs[%i] : ?xf64", NEXT), upper="%m"),
    "scale": BEND + '"rev.scale"(%y) {factor = 3.000000e+00 : f64, divide = false} : (memref<f64>) -> ()\n' + BEND,
    "stretch": STRETCH.replace("DIVIDE", "false") + BEND,
    "shrink": BEND + STRETCH.replace("DIVIDE", "true"),
    "swap": SWAP + BEND,
    "neg": NEG + BEND + NEG,
    "recip": BEND + '"rev.recip"(%x) : (memref<f64>) -> ()\n' + BEND + '"rev.recip"(%xs) : (memref<?xf64>) -> ()\n',
    "hadamard": BEND + '"rev.hadamard"(%x, %y) : (memref<f64>, memref<f64>) -> ()\n' + BEND,
    "rot": BEND + ROT + BEND,
    "rot back": ROT.replace("inv = false", "inv = true") + BEND,
    "rot of arrays": accum("%x : f64", "", result="%one : f64")
    + ROT.replace('"rev.read"(%xs, %c1) : (memref<?xf64>, index)', '"rev.read"(%x) : (memref<f64>)')
    .replace("(%x, %y) ({", "(%xs, %ys) ({").replace("(memref<f64>, memref<f64>)", "(memref<?xf64>, memref<?xf64>)"),
    "loop": SIZE + for_(LEAPFROG),
    "nested loops": SIZE + for_(LEAPFROG + for_(NEG + BEND, index="%j")),
    "branch": control.branch(LOW, "", BEND, accum("%y : f64", LOAD, "sub", "%w : f64")),
    "branch with post": control.branch(LOW, control.compare("%x", "olt", "1.5"), ADD_ONE + BEND),
    "while": ancilla(WHILE + accum("%count : f64", "%v = arith.constant 3.0 : f64", "sub"), name="%count"),
    "ancilla": ancilla(accum("%z : f64", SINE) + accum("%y : f64", EXP) + accum("%z : f64", SINE, "sub")),
    "compute": ancilla(ROUTINE),
    "two computes": TWO_ROUTINES,
    "computes in a loop": SIZE + IN_LOOP,
    "compute on cells": f'"rev.compute"() ({{{ADD_ONE}{NEG}}}, {{{BEND}}}) : () -> ()\n',
    "nested computes": ancilla(ancilla(f"""
    "rev.compute"() ({{{ancilla(ROUTINE.replace("%y", "%q").replace("%z", "%s"), name="%s")}}}, {{
      {accum("%y : f64", EXP.replace("%z", "%q"))}
    }}) : () -> ()
"""), name="%q"),
    "call": CALL.replace("INV", "false") + NEG + CALL.replace("INV", "true"),
    "stack": control.stack(PUSHES + control.pop("%x") + NEG + control.pop("%y") + BEND, 2),
    "temporary": TEMPORARY + SIZE + for_(accum("%y : f64", "%v = arith.mulf %e, %two : f64")),
    "parallel": SIZE + parallel(accum("%ys[%i] : ?xf64", PRODUCT)),
    "parallel with shared reads": SIZE + parallel(accum("%ys[%i] : ?xf64", SHARED), "atomic"),
    "parallel sums": SIZE + parallel(accum("%y : f64", PRODUCT)),
    "view": VIEWS + f'"rev.swap"(%a, %b) : ({ELEMENT}, {ELEMENT}) -> ()\n' + FROM_VIEW,
    "integers": accum("%k : i64", "%v = arith.constant 1 : i64", result="%v : i64") + BEND,
}  # fmt: skip
PARAMETERS = {"y": "f64", "x": "f64", "xs": "?xf64", "ys": "?xf64", "k": "i64"}
ARGUMENTS = (0.3, 0.4, np.array([0.5, 0.7, -0.2]), np.array([0.1, -0.6, 0.8]), 2)
