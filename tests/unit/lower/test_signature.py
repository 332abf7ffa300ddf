"""The calling contract of lowered functions, and its evaluation without the compiler."""

from __future__ import annotations

import pytest

from shared_context import shared_context
from tapeless._mlir import ir
from tapeless.abi import Abi, Parameter, Result, evaluate
from tapeless.passes.driver.pipeline import PassPipeline

from .running import function

SIZES = function(
    "(%x: tensor<?x3xf32>, %k: i64, %flag: i1) -> (tensor<?xf64>, tensor<?x3xf32>, tensor<?xf64>, i1)",
    """
  %n = tensor.dim %x, %c0 : tensor<?x3xf32>
  %i = arith.index_cast %k : i64 to index
  %double = arith.muli %n, %c2 : index
  %sum = arith.addi %double, %i : index
  %least = arith.minsi %sum, %n : index
  %half = arith.floordivsi %least, %c2 : index
  %a = tensor.splat %zero[%half] : tensor<?xf64>
  %odd = arith.remsi %n, %c2 : index
  %b = tensor.splat %zero[%odd] : tensor<?xf64>
  return %a, %x, %b, %flag : tensor<?xf64>, tensor<?x3xf32>, tensor<?xf64>, i1
""",
)


@pytest.fixture(scope="module")
def abi() -> Abi:
    with shared_context(), ir.Location.unknown():
        module = ir.Module.parse(SIZES)
        PassPipeline.named("loops").run(module)
        [lowered] = list(module.body)
        return Abi.from_json(ir.StringAttr(lowered.attributes["tapeless.abi"]).value)


def test_parameters_and_places(abi: Abi) -> None:
    assert abi.parameters == (
        Parameter("array", "f32", (None, 3)),
        Parameter("scalar", "i64"),
        Parameter("scalar", "i1"),
    )
    assert [result.place for result in abi.results] == ["out", "out", "allocated", "value"]
    assert abi.returned == (Result("array", "f64", "allocated", (None,)), Result("scalar", "i1", "value"))
    assert Abi.from_json(abi.to_json()) == abi


@pytest.mark.parametrize("rows", [0, 5, 8])
@pytest.mark.parametrize("number", [-20, -3, 4])
def test_sizes_of_outs(abi: Abi, rows: int, number: int) -> None:
    sizes = [evaluate(size, [(rows, 3), (), ()], [0, number, 0]) for out in abi.outs for size in out.dims]
    assert sizes == [min(2 * rows + number, rows) // 2, rows, 3]
