"""The adjoint of the inverse is the inverse of the adjoint, and memory does not grow with the number of steps."""

from __future__ import annotations

import derivatives
import numpy as np
import pytest

from held_memory import held_by
from shared_context import shared_context
from tapeless._mlir import ir
from tapeless.passes.driver.pipeline import PassPipeline

from .bodies import ARGUMENTS, BODIES, INNER, PARAMETERS
from .programs import accum, compiled, for_, procedure, program, value

SHADOWED = {name: kind for name, kind in PARAMETERS.items() if kind != "i64"}
BOTH = "rev-normalise,rev-invert{procedures=p},rev-adjoint{procedures=p,p.inv},rev-invert{procedures=p.adj}"


def adjoint_text(body: str, name: str) -> str:
    """A public function that runs an adjoint of the procedure."""
    kinds = [value(kind) for kind in (*PARAMETERS.values(), *SHADOWED.values())]
    types = ", ".join(kinds)
    signature = f"({types}) -> ({types})"
    arguments = ", ".join(f"%a{k}: {kind}" for k, kind in enumerate(kinds))
    given = ", ".join(f"%a{k}" for k in range(len(kinds)))
    returned = ", ".join(f"%r#{k}" for k in range(len(kinds)))
    caller = f"""
func.func private @{name}.run{signature}
func.func @f({arguments}) -> ({types}) {{
  %r:{len(kinds)} = func.call @{name}.run({given}) : {signature}
  return {returned} : {types}
}}
"""
    with shared_context(), ir.Location.unknown():
        module = ir.Module.parse(INNER + procedure(PARAMETERS, body) + caller)
        PassPipeline.parse(f"builtin.module({BOTH})").run(module)
        return str(module)


@pytest.mark.one_in(72)
@pytest.mark.parametrize("name", sorted(BODIES))
def test_the_adjoint_of_the_inverse_is_the_inverse_of_the_adjoint(name):
    # The inverse must be run on what the procedure leaves.
    left = compiled(program(PARAMETERS, BODIES[name], others=INNER))(*ARGUMENTS)
    shadows = [np.full(np.shape(each), 0.7) for each in ARGUMENTS[:4]]
    one = compiled(adjoint_text(BODIES[name], "p.inv.adj"))(*left, *shadows)
    other = compiled(adjoint_text(BODIES[name], "p.adj.inv"))(*left, *shadows)
    for a, b in zip(one, other, strict=True):
        np.testing.assert_allclose(a, b, rtol=1e-12, atol=1e-12)
    # And the adjoint takes the shadows back to where they came from.
    back = compiled(adjoint_text(BODIES[name], "p.adj"))(*one)
    for a, b in zip(back, (*left, *shadows), strict=True):
        np.testing.assert_allclose(a, b, rtol=1e-10, atol=1e-10)


STEPS = """
  %steps = memref.load %k[] : memref<i64>
  %m = arith.index_cast %steps : i64 to index
"""
LEAPFROG = """%w = "rev.read"(%other) : (memref<?xf64>) -> tensor<?xf64>
    %size = memref.dim %other, %c0 : memref<?xf64>
    %v = "soac.map"(%size, %w) ({
    ^bb0(%q: index, %e: f64):
      %s = math.sin %e : f64
      %h = arith.constant 1.0e-3 : f64
      %r = arith.mulf %s, %h : f64
      "soac.yield"(%r) : (f64) -> ()
    }) {operandSegmentSizes = array<i32: 1, 1, 0>} : (index, tensor<?xf64>) -> tensor<?xf64>"""


def leapfrog() -> derivatives.Program:
    """Two arrays that push each other, for a number of steps."""
    steps = [
        accum(f"%{target} : ?xf64", LEAPFROG.replace("%other", f"%{other}"), kind, "%v : tensor<?xf64>")
        for target, other, kind in (("xs", "ys", "add"), ("ys", "xs", "sub"))
    ]
    parameters = {"xs": "?xf64", "ys": "?xf64", "k": "in i64"}
    return derivatives.from_text(program(parameters, STEPS + for_("".join(steps), upper="%m")))


@pytest.mark.one_in(3)
@pytest.mark.parametrize("order", [1, 2])
def test_memory_does_not_grow_with_the_number_of_steps(order):
    made, count = leapfrog(), 100
    for _ in range(order):
        made = derivatives.vjp(made)
    run = compiled(made.text)
    rng = np.random.default_rng(3)
    peaks = []
    for steps in (10, 1000):
        # Integer arguments stand behind the first two.
        arguments = [steps if kind == "i64" else rng.normal(size=count) for kind in made.arguments]
        peaks.append(held_by(run, *arguments))
    assert peaks[0] == peaks[1] < 40 * 8 * count
