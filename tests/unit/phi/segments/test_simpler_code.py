"""The code of derivatives that were simplified and factored computes the same as that of derivatives as they are."""

from __future__ import annotations

import random

import numpy as np
import pytest
from tests.core_interpreter import run
from tests.unit.phi.drawn import drawn
from tests.unit.phi.loops.test_code_of_loops import ARRAYS, LOOPS, module
from tests.unit.phi.segments.segments_of_text import module_of

from tapeless._mlir import ir
from tapeless.dialects.context import make_context
from tapeless.passes.phi.differentiate.differentiate import Differentiate
from tapeless.passes.phi.factor.factor import Factor
from tapeless.passes.phi.graph.graph import Graph
from tapeless.passes.phi.lower.lower import Lower
from tapeless.passes.phi.raise_ import Raise
from tapeless.passes.phi.simplify.simplify import Simplify

SIMPLER = (Simplify(), Differentiate(), Simplify(), Factor(), Lower())
AS_THEY_ARE = (Differentiate(), Lower())


def compiled(made, passes):
    for each in passes:
        each.run(made)
        assert made.operation.verify()
    return made


def test_gradients_of_drawn_expressions():
    rng = random.Random(31)
    for trial in range(25):
        g = Graph({"contract"})
        symbols = [g.symbol(("argument", k), "f64") for k in range(3)]
        y = drawn(g, rng, symbols, rng.randint(3, 25))
        kernels = []
        for passes in (AS_THEY_ARE, SIMPLER):
            made = module_of(symbols, y, ("contract",))
            with made.context:
                kernels.append(compiled(made, passes))
        point = [np.float64(rng.uniform(-1.5, 1.5)) for _ in symbols]
        wanted, found = (run(made, "s0_vjp", *point, np.float64(1.25)) for made in kernels)
        assert found == pytest.approx(wanted, rel=1e-9, abs=1e-9), trial
        wanted, found = (run(made, "f", *point) for made in kernels)
        assert found == wanted, trial


@pytest.mark.one_in(4)
@pytest.mark.parametrize("name", LOOPS)
def test_gradients_of_loops(name):
    rng = np.random.default_rng(4)
    kernels = []
    for passes in ((Raise(), *AS_THEY_ARE), (Raise(), *SIMPLER)):
        with make_context():
            kernels.append(compiled(ir.Module.parse(module(LOOPS[name], name in ARRAYS)), passes))
    for steps in (0, 1, 2, 5):
        point = [np.int64(steps), rng.uniform(0.1, 0.4), rng.uniform(0.3, 1.2), rng.uniform(0.2, 1.2, size=9)]
        for wanted, found in zip(*(run(made, "s0_vjp", *point, np.float64(1.0)) for made in kernels), strict=True):
            np.testing.assert_allclose(found, wanted, rtol=1e-10, atol=1e-12)
