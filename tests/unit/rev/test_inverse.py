"""The inverse of an inverse is the procedure, to the letter."""

from __future__ import annotations

import pytest

from shared_context import shared_context
from tapeless._mlir import ir
from tapeless.passes.rev.blocks import procedures
from tapeless.passes.rev.forms.normalise import Normalise
from tapeless.passes.rev.inversion.inverse import INVERSES, invert

from . import test_control as control
from .programs import accum, ancilla, for_, procedure

LOAD = "%v = memref.load %y[] : memref<f64>"
NEG = '\n"rev.neg"(%x) : (memref<f64>) -> ()\n'
SWAP = '\n"rev.swap"(%x, %y) : (memref<f64>, memref<f64>) -> ()\n'
ROT = """
  "rev.rot"(%x, %y) ({
    "rev.yield"(%two) : (f64) -> ()
  }) {inv = false} : (memref<f64>, memref<f64>) -> ()
"""
STRETCH = """
  "rev.stretch"(%y) ({
    "rev.yield"(%two) : (f64) -> ()
  }) {divide = false} : (memref<f64>) -> ()
"""
INDEXED = (
    """
  %k = memref.load %at[] : memref<index>
"""
    + accum("%xs[%k] : ?xf64", LOAD)
    + accum("%at : index", "", result="%c1 : index")
)
PARALLEL = f"""
  "rev.parallel"(%n) ({{
  ^bb0(%i: index):{accum("%xs[%i] : ?xf64", LOAD)}{accum("%xs[%i] : ?xf64", LOAD, "sub")}
  }}) {{shadows = "privatize"}} : (index) -> ()
"""
CONDITIONS = control.compare("%x", "olt", "0.0"), control.compare("%x", "oge", "0.0")
SAFE = '\n"rev.safe"() ({\n^bb0:\n}) : () -> ()\n'
BODIES = {
    "rev.accum": NEG + accum("%x : f64", LOAD) + accum("%x : f64", LOAD, "sub") + INDEXED,
    "rev.scale": NEG + '"rev.scale"(%x) {factor = 2.000000e+00 : f64, divide = false} : (memref<f64>) -> ()\n',
    "rev.stretch": NEG + STRETCH,
    "rev.swap": SWAP + NEG,
    "rev.neg": NEG + SWAP,
    "rev.recip": NEG + '"rev.recip"(%y) : (memref<f64>) -> ()\n',
    "rev.hadamard": NEG + '"rev.hadamard"(%x, %y) : (memref<f64>, memref<f64>) -> ()\n',
    "rev.rot": NEG + ROT,
    "rev.call": NEG + '"rev.call"(%x, %y) {callee = @inner, inv = false} : (memref<f64>, memref<f64>) -> ()\n',
    "rev.for": for_(NEG + SWAP) + NEG,
    "rev.parallel": NEG + PARALLEL,
    "rev.if": NEG + control.branch(*CONDITIONS, NEG + SWAP, ROT),
    "rev.while": NEG + control.loop_while(*CONDITIONS, NEG + SWAP),
    "rev.ancilla": NEG + ancilla(accum("%z : f64", LOAD) + SWAP),
    "rev.compute": NEG + f'"rev.compute"() ({{{NEG}{SWAP}}}, {{\n%t = arith.negf %one : f64{SAFE}}}) : () -> ()\n',
    "rev.push": NEG + control.stack(control.push("%x") + control.push("%y") + control.pop("%x") + control.pop("%y"), 2),
    "rev.pop": NEG + control.stack(control.push("%x") + control.pop("%x"), 2),
    "rev.safe": NEG + SAFE + SWAP,
    "rev.func": NEG + SWAP,
}  # fmt: skip
WITHOUT = {"rev.chain"}
INNER = procedure({"u": "f64", "w": "f64"}, '"rev.neg"(%u) : (memref<f64>) -> ()\n', "inner")


@pytest.mark.parametrize("name", sorted(set(INVERSES) - WITHOUT))
def test_the_inverse_of_the_inverse_is_the_procedure(name):
    parameters = {"x": "f64", "y": "f64", "xs": "?xf64", "at": "index", "n": "param index"}
    with shared_context(), ir.Location.unknown():
        module = ir.Module.parse(INNER + procedure(parameters, BODIES[name]))
        Normalise().run(module)
        before = str(module)
        invert(procedures(module)[1])
        module.operation.verify()
        inverse = str(module)
        invert(procedures(module)[1])
    assert before == str(module)
    assert before != inverse
