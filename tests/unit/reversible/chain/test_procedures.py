"""`rev.chain` in procedures: there, back, and its gradients, for both strategies and both methods."""

from __future__ import annotations

import numpy as np
import pytest

from .compiled import compiled

CELLS = 100
# One-dimensional diffusion with closed ends: every cell exchanges a share with its neighbours.
DIFFUSION = """
"rev.func"() ({{
^bb0(%u: memref<?xf64>, %v: memref<?xf64>, %n: index):
  "rev.chain"(%n, %u, %v) ({{
  ^bb0(%i: index, %s: tensor<?xf64>):
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %share = arith.constant 0.2 : f64
    %width = tensor.dim %s, %c0 : tensor<?xf64>
    %last = arith.subi %width, %c1 : index
    %next = "soac.map"(%width, %s) ({{
    ^bb1(%k: index, %here: f64):
      %down = arith.subi %k, %c1 : index
      %left = arith.maxsi %down, %c0 : index
      %up = arith.addi %k, %c1 : index
      %right = arith.minsi %up, %last : index
      %a = tensor.extract %s[%left] : tensor<?xf64>
      %b = tensor.extract %s[%right] : tensor<?xf64>
      %ab = arith.addf %a, %b : f64
      %twice = arith.addf %here, %here : f64
      %d = arith.subf %ab, %twice : f64
      %flow = arith.mulf %d, %share : f64
      %new = arith.addf %here, %flow : f64
      "soac.yield"(%new) : (f64) -> ()
    }}) {{operandSegmentSizes = array<i32: 1, 1, 0>}} : (index, tensor<?xf64>) -> tensor<?xf64>
    "rev.yield"(%next) : (tensor<?xf64>) -> ()
  }}) {{kind = "add", strategy = "{strategy}", budget = {budget} : i64, operandSegmentSizes = array<i32: 1, 1, 1>}}
    : (index, memref<?xf64>, memref<?xf64>) -> ()
}}) {{sym_name = "diffuse", modes = ["in", "inout", "param"]}} : () -> ()
func.func private @diffuse.run(tensor<?xf64>, tensor<?xf64>, index) -> tensor<?xf64>
func.func private @diffuse.inv.run(tensor<?xf64>, tensor<?xf64>, index) -> tensor<?xf64>
"""
THERE_AND_BACK = """
func.func @f(%u: tensor<?xf64>, %v: tensor<?xf64>, %steps: i64) -> (tensor<?xf64>, tensor<?xf64>) {
  %n = arith.index_cast %steps : i64 to index
  %there = func.call @diffuse.run(%u, %v, %n) : (tensor<?xf64>, tensor<?xf64>, index) -> tensor<?xf64>
  %back = func.call @diffuse.inv.run(%u, %there, %n) : (tensor<?xf64>, tensor<?xf64>, index) -> tensor<?xf64>
  return %there, %back : tensor<?xf64>, tensor<?xf64>
}
"""
GRADIENT = """
func.func @f(%u: tensor<?xf64>, %v: tensor<?xf64>, %steps: i64, %seed: tensor<?xf64>)
    -> (tensor<?xf64>, tensor<?xf64>) {{
  %n = arith.index_cast %steps : i64 to index
  %r, %u_bar, %v_bar = "ad.vjp"(%u, %v, %n, %seed) {{
    callee = @diffuse.run, wrt = [0, 1], method = "{method}", operandSegmentSizes = array<i32: 3, 1>
  }} : (tensor<?xf64>, tensor<?xf64>, index, tensor<?xf64>) -> (tensor<?xf64>, tensor<?xf64>, tensor<?xf64>)
  return %u_bar, %v_bar : tensor<?xf64>, tensor<?xf64>
}}
"""
STRATEGIES = [("bennett", 4), ("bennett", 2), ("treeverse", 16)]


def step_matrix() -> np.ndarray:
    inner = np.eye(CELLS, k=1) + np.eye(CELLS, k=-1) - 2 * np.eye(CELLS)
    inner[0, 0] = inner[-1, -1] = -1.0
    return np.eye(CELLS) + 0.2 * inner


def started() -> np.ndarray:
    u = np.zeros(CELLS)
    u[30] = 1.0
    return u


@pytest.mark.one_in(2)
@pytest.mark.parametrize(("strategy", "budget"), STRATEGIES)
def test_there_and_back(strategy: str, budget: int) -> None:
    program = compiled(DIFFUSION.format(strategy=strategy, budget=budget) + THERE_AND_BACK, "f", 3)
    u = started()
    for n in (0, 1, 5, 100):
        there, back = program(u, np.zeros(CELLS), n)
        np.testing.assert_allclose(there, np.linalg.matrix_power(step_matrix(), n) @ u, rtol=1e-12, atol=1e-16)
        assert there.sum() == pytest.approx(1.0, rel=1e-13)
        assert not back.any()


@pytest.mark.one_in(5)
@pytest.mark.parametrize("method", ["reversible", "redundant"])
@pytest.mark.parametrize(("strategy", "budget"), STRATEGIES)
def test_gradients(strategy: str, budget: int, method: str) -> None:
    text = DIFFUSION.format(strategy=strategy, budget=budget) + GRADIENT.format(method=method)
    program = compiled(text, "f", 4)
    seed = np.linspace(-1.0, 2.0, CELLS)
    u_bar, v_bar = program(started(), np.zeros(CELLS), 100, seed)
    wanted = np.linalg.matrix_power(step_matrix(), 100).T @ seed
    np.testing.assert_allclose(u_bar, wanted, rtol=1e-11, atol=1e-14)
    np.testing.assert_allclose(v_bar, seed)
