"""Floats to the power of integers in maps, which run on lanes: of one exponent for all, and of one for each element."""

from __future__ import annotations

from types import SimpleNamespace
from unittest import mock

import numpy as np
import pytest

from tapeless.passes.lower.math.math import Math
from tapeless.passes.lower.vectorise.vectorise import Vectorise
from unit.lower.running import MODES, check

POWERS = """
func.func @f(%a: tensor<?xf64>, %each: tensor<?xi32>, %one: i32) -> (tensor<?xf64>, tensor<?xf64>) {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %a, %c0 : tensor<?xf64>
  %r:2 = "soac.map"(%n, %a, %each) ({
  ^bb0(%i: index, %x: f64, %k: i32):
    %p = math.fpowi %x, %one : f64, i32
    %q = math.fpowi %x, %k : f64, i32
    "soac.yield"(%p, %q) : (f64, f64) -> ()
  }) {operandSegmentSizes = array<i32: 1, 2, 0>}
    : (index, tensor<?xf64>, tensor<?xi32>) -> (tensor<?xf64>, tensor<?xf64>)
  return %r#0, %r#1 : tensor<?xf64>, tensor<?xf64>
}
"""


@pytest.mark.parametrize("passes", [(Math(),), (Vectorise(), Math())], ids=["scalars", "lanes"])
def test_values_are_those_of_numpy(passes):
    x = np.tile([1.5, -2.0, 0.25, -0.75, 3.0, -1.0, 1e3], 3)
    each = np.arange(21, dtype=np.int32) - 10
    with mock.patch.dict(MODES, powers=SimpleNamespace(elements=(*MODES["fast"].elements, *passes))):
        check(POWERS, (x, each, 3), x**3, x ** each.astype(np.float64), mode="powers")
