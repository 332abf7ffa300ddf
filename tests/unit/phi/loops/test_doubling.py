"""The code of powers and of affine recurrences, which doubles its steps, against exact fractions."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from tests.core_interpreter import run

from tapeless._mlir import ir
from tapeless.dialects.context import make_context
from tapeless.passes.phi.lower.lower import Lower

TOLERANCE = Fraction(1e-14)


def lowered(op: str, inputs: str, results: str) -> ir.Module:
    """A function of one loop of `phi`, as code."""
    names = [each.split(":")[0] for each in inputs.split(", ")]
    types = ", ".join(each.split(": ")[1] for each in inputs.split(", "))
    arguments = ", ".join(
        f"{name}0: {each.split(': ')[1]}" for name, each in zip(names, inputs.split(", "), strict=True)
    )
    count = len(results.split(", "))
    flags = ", ".join("false" for _ in names), ", ".join("true" for _ in range(count))
    text = f"""
    func.func @f({arguments}) -> ({results}) {{
      %r:{count} = "phi.segment"({", ".join(f"{name}0" for name in names)}) ({{
      ^bb0({inputs}):
        %y:{count} = {op}
        "phi.yield"({", ".join(f"%y#{k}" for k in range(count))}) : ({results}) -> ()
      }}) {{label = "s0", active_in = [{flags[0]}], active_out = [{flags[1]}], fm = #phi.fm<"reassoc">}}
        : ({types}) -> ({results})
      return {", ".join(f"%r#{k}" for k in range(count))} : {results}
    }}"""
    with make_context():
        module = ir.Module.parse(text)
        Lower().run(module)
        assert module.operation.verify()
        return module


def coefficients(base: float, steps: int, orders: int) -> list[Fraction]:
    """The Taylor coefficients of the power and of the geometric sum, in pairs, step by step."""
    exact = Fraction(base)
    power, total = [Fraction(1)] + [Fraction(0)] * (orders - 1), [Fraction(0)] * orders
    for _ in range(steps):
        total = [s + p for s, p in zip(total, power, strict=True)]
        power = [exact * p + below for p, below in zip(power, [Fraction(0), *power], strict=False)]
    return [each for pair in zip(power, total, strict=True) for each in pair]


@pytest.fixture(scope="module")
def powers():
    results = ", ".join(["f64"] * 6)
    return lowered(f'"phi.affine_pow"(%n, %a) : (index, f64) -> ({results})', "%n: index, %a: f64", results)


@pytest.mark.one_in(3)
@pytest.mark.parametrize("away", [0.0, *(sign * 10.0**-e for e in range(2, 16) for sign in (1, -1))])
def test_powers_and_derivatives_are_exact_near_one(powers, away):
    for steps in (0, 1, 2, 7, 100):
        found = run(powers, "f", np.int64(steps), np.float64(1.0 + away))
        for got, want in zip(found, coefficients(1.0 + away, steps, 3), strict=True):
            assert abs(Fraction(float(got)) - want) <= TOLERANCE * want


@pytest.mark.parametrize("base", [0.0, -0.7, 2.0, 1e-200, -1.0])
def test_powers_of_any_base(powers, base):
    for steps in (0, 1, 2, 3, 33):
        found = run(powers, "f", np.int64(steps), np.float64(base))
        wanted = [float(each) for each in coefficients(base, steps, 3)]
        assert [float(each) for each in found] == pytest.approx(wanted, rel=1e-12, abs=1e-300)


def test_no_steps_are_done_backwards(powers):
    assert [float(each) for each in run(powers, "f", np.int64(-3), np.float64(0.5))] == [1.0, 0.0, 0.0, 0.0, 0.0, 0.0]


def test_systems_and_matrix_powers():
    rng = np.random.default_rng(1)
    entries = [f"%m{k}" for k in range(8)]
    inputs = ", ".join(["%n: index", *(f"{name}: f64" for name in entries)])
    floats = ", ".join(["f64"] * 8)
    system = lowered(
        f'"phi.affine_iter"(%n, {", ".join(entries)}) {{operandSegmentSizes = array<i32: 1, 4, 2, 2>}}'
        f" : (index, {floats}) -> (f64, f64)",
        inputs,
        "f64, f64",
    )
    power = lowered(
        f'"phi.matrix_pow"(%n, {", ".join(entries)}) {{operandSegmentSizes = array<i32: 1, 4, 4>}}'
        f" : (index, {floats}) -> ({floats})",
        inputs,
        floats,
    )
    for steps in (0, 1, 2, 5, 12):
        values = rng.uniform(-0.8, 0.8, size=8)
        matrix, offset, state = values[:4].reshape(2, 2), values[4:6], values[6:]
        for _ in range(steps):
            state = matrix @ state + offset
        np.testing.assert_allclose(run(system, "f", np.int64(steps), *values), state, rtol=1e-12)
        change = values[4:].reshape(2, 2)
        powered = np.linalg.matrix_power(matrix, steps)
        changed = sum(
            (
                np.linalg.matrix_power(matrix, i) @ change @ np.linalg.matrix_power(matrix, steps - 1 - i)
                for i in range(steps)
            ),
            start=np.zeros((2, 2)),
        )
        wanted = np.concatenate([powered.ravel(), changed.ravel()])
        np.testing.assert_allclose(run(power, "f", np.int64(steps), *values), wanted, rtol=1e-11, atol=1e-13)
