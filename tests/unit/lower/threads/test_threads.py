"""Threads change nothing but the time: results are the same bits for any number of them."""

from __future__ import annotations

import numpy as np
import pytest

from tapeless.passes.driver.pipeline import PassPipeline

from .. import running
from ..running import function, run
from ..test_bulk import FUSED, HIST, SUM_COLUMNS, SUM_ROWS, scan

VECTOR = "tensor<?xf64>"
MODES = {f"threads {count}": PassPipeline.named("loops", threads=count) for count in (1, 2, 3, 7)}

NESTED = function(
    f"(%x: {VECTOR}) -> ({VECTOR}, f64)",
    f"""
  %n = tensor.dim %x, %c0 : {VECTOR}
  %y, %t = scf.for %s = %c0 to %c2 step %c1 iter_args(%u = %x, %v = %zero) -> ({VECTOR}, f64) {{
    %w = "soac.map"(%n, %u) ({{
    ^bb0(%i: index, %e: f64):
      %row = tensor.splat %e : tensor<6xf64>
      %a = tensor.insert %v into %row[%c1] : tensor<6xf64>
      %p = tensor.extract %a[%c0] : tensor<6xf64>
      %q = tensor.extract %a[%c1] : tensor<6xf64>
      %r = arith.addf %p, %q : f64
      "soac.yield"(%r) : (f64) -> ()
    }}) {{operandSegmentSizes = array<i32: 1, 1, 0>}} : (index, {VECTOR}) -> {VECTOR}
    %z = "soac.reduce"(%n, %w, %zero) {running.ADD} {{operandSegmentSizes = array<i32: 1, 1, 1>}}
      : (index, {VECTOR}, f64) -> f64
    scf.yield %w, %z : {VECTOR}, f64
  }}
  return %y, %t : {VECTOR}, f64
""",
)


def arguments(size: int) -> dict[str, tuple[str, tuple[np.ndarray, ...]]]:
    rng = np.random.default_rng(size)
    x, y = rng.normal(size=size), rng.uniform(0.9, 1.0, size)
    keys, bins = rng.integers(-2, 40, size), rng.normal(size=37)
    return {
        "fused": (FUSED, (x,)),
        "nested": (NESTED, (x,)),
        "rows": (SUM_ROWS, (x.reshape(-1, 10),)),
        "columns": (SUM_COLUMNS, (x.reshape(-1, 10),)),
        "scan": (scan("false", "false"), (y, x)),
        "hist": (HIST, (keys, x, bins)),
    }


@pytest.mark.one_in(28)
@pytest.mark.parametrize("size", [10, 70000, 1000000])
@pytest.mark.parametrize("name", arguments(10))
def test_same_bits(name: str, size: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(running, "MODES", MODES)
    text, inputs = arguments(size)[name]
    first, *others = [run(text, *inputs, mode=mode) for mode in MODES]
    for other in others:
        for left, right in zip(first, other, strict=True):
            assert np.asarray(left).tobytes() == np.asarray(right).tobytes()
