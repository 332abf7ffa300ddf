"""Both directions round in the same way: products are not contracted into sums, whatever flags they carry."""

from __future__ import annotations

import numpy as np
import pytest

from .programs import accum, compiled, for_, program

SIZE = "\n  %n = memref.dim %a, %c0 : memref<?xf64>\n"
PRODUCT = """%u = "rev.read"(%a, %i) : (memref<?xf64>, index) -> f64
    %w = "rev.read"(%b, %i) : (memref<?xf64>, index) -> f64
    %v = arith.mulf %u, %w FLAGS : f64"""
PARAMETERS = {"y": "?xf64", "a": "in ?xf64", "b": "in ?xf64"}


@pytest.mark.parametrize("flags", ["", "fastmath<contract>", "fastmath<reassoc,contract>"])
@pytest.mark.parametrize("threads", [1, 2])
def test_products_that_are_taken_back_leave_nothing(flags, threads):
    lines = PRODUCT.replace("FLAGS", flags)
    body = SIZE + for_(accum("%y[%i] : ?xf64", lines)) + for_(accum("%y[%i] : ?xf64", lines, "sub"))
    rng = np.random.default_rng(7)
    a, b = rng.normal(size=(2, 1000))
    (left,) = compiled(program(PARAMETERS, body), threads=threads)(np.zeros(1000), a, b)
    assert not left.any()
    # A fused product and sum would leave the rounding error of the product.
    exact = [float(np.longdouble(x) * np.longdouble(y) - np.longdouble(x * y)) for x, y in zip(a, b, strict=True)]
    assert np.count_nonzero(exact) > 900


@pytest.mark.parametrize("calls", [("p", "p.inv"), ("p.inv", "p")])
def test_an_inverse_takes_products_back(calls):
    body = SIZE + for_(accum("%y[%i] : ?xf64", PRODUCT.replace("FLAGS", "fastmath<contract>")))
    a, b = np.random.default_rng(8).normal(size=(2, 1000))
    (left,) = compiled(program(PARAMETERS, body, calls))(np.zeros(1000), a, b)
    assert not left.any()
