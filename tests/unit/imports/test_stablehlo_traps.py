"""What other translations of StableHLO get wrong without a word, each with numbers."""

from __future__ import annotations

import numpy as np
import pytest

import tapeless as tl
from tapeless.methods import IMPLEMENTED
from unit.imports.stablehlo_reference import evaluate

MOST, LEAST = 2**31 - 1, -(2**31)


def run(text, *arguments):
    return tl.from_mlir(text)(*arguments)


@pytest.mark.parametrize("dtype", ["i32", "i64"])
def test_integers_are_divided_as_xla_does_it(dtype):
    t, kind = f"tensor<7x{dtype}>", {"i32": np.int32, "i64": np.int64}[dtype]
    least = np.iinfo(kind).min
    found = run(
        f"""func.func @main(%x: {t}, %y: {t}) -> ({t}, {t}, {t}) {{
  %0 = stablehlo.divide %x, %y : {t}
  %1 = stablehlo.remainder %x, %y : {t}
  %2 = stablehlo.power %x, %y : {t}
  return %0, %1, %2 : {t}, {t}, {t}
}}""",
        np.array([7, -7, 7, -7, least, -1, 2], kind),
        np.array([2, 2, 0, 0, -1, -3, -1], kind),
    )
    np.testing.assert_array_equal(found[0], [3, -3, -1, -1, least, 0, -2])
    np.testing.assert_array_equal(found[1], [1, -1, 7, -7, 0, -1, 0])
    np.testing.assert_array_equal(found[2], [49, 49, 1, 1, 0, -1, 0])


def test_floats_beyond_the_integers_become_the_nearest():
    found = run(
        """func.func @main(%x: tensor<6xf64>) -> (tensor<6xi32>, tensor<6xi64>) {
  %0 = stablehlo.convert %x : (tensor<6xf64>) -> tensor<6xi32>
  %1 = stablehlo.convert %x : (tensor<6xf64>) -> tensor<6xi64>
  return %0, %1 : tensor<6xi32>, tensor<6xi64>
}""",
        np.array([1e30, -1e30, np.nan, np.inf, -2.9, 2147483647.0]),
    )
    np.testing.assert_array_equal(found[0], [MOST, LEAST, 0, MOST, -2, MOST])
    np.testing.assert_array_equal(found[1], [2**63 - 1, -(2**63), 0, 2**63 - 1, -2, MOST])


def test_one_condition_selects_whole_arrays():
    text = """func.func @main(%c: tensor<i1>, %x: tensor<3xf64>, %y: tensor<3xf64>) -> tensor<3xf64> {
  %0 = stablehlo.select %c, %x, %y : tensor<i1>, tensor<3xf64>
  return %0 : tensor<3xf64>
}"""
    x, y = np.arange(3.0), np.ones(3)
    np.testing.assert_array_equal(run(text, True, x, y), x)
    np.testing.assert_array_equal(run(text, False, x, y), y)


@pytest.mark.parametrize(("which", "wanted"), [(0, 1.0), (1, 2.0), (2, 3.0), (3, 3.0), (-1, 3.0), (LEAST, 3.0)])
def test_numbers_that_no_branch_has_take_the_last(which, wanted):
    text = """func.func @main(%which: tensor<i32>) -> tensor<f64> {
  %0 = "stablehlo.case"(%which) ({
    %1 = stablehlo.constant dense<1.0> : tensor<f64>
    stablehlo.return %1 : tensor<f64>
  }, {
    %1 = stablehlo.constant dense<2.0> : tensor<f64>
    stablehlo.return %1 : tensor<f64>
  }, {
    %1 = stablehlo.constant dense<3.0> : tensor<f64>
    stablehlo.return %1 : tensor<f64>
  }) : (tensor<i32>) -> tensor<f64>
  return %0 : tensor<f64>
}"""
    assert run(text, np.int32(which)) == wanted


def test_windows_that_are_partly_outside_are_dropped():
    """XLA drops them as a whole; the reference interpreter only what is outside."""
    text = """func.func @main(%x: tensor<6xf64>, %at: tensor<4x1xi32>, %u: tensor<4x3xf64>) -> tensor<6xf64> {
  %0 = "stablehlo.scatter"(%x, %at, %u) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1],
    scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
  ^bb0(%l: tensor<f64>, %r: tensor<f64>):
    %1 = stablehlo.add %l, %r : tensor<f64>
    stablehlo.return %1 : tensor<f64>
  }) : (tensor<6xf64>, tensor<4x1xi32>, tensor<4x3xf64>) -> tensor<6xf64>
  return %0 : tensor<6xf64>
}"""
    x, u = np.arange(6.0), np.arange(12.0).reshape(4, 3) + 1
    wanted = x.copy()
    wanted[1:4] += u[0]
    wanted[3:6] += u[2]
    np.testing.assert_array_equal(run(text, x, np.array([[1], [4], [3], [-1]], np.int32), u), wanted)


@pytest.mark.parametrize("at", [0, 3, 4, -1, LEAST, MOST])
def test_one_update_outside_is_dropped_and_not_moved(at):
    text = """func.func @main(%x: tensor<4x2xf64>, %at: tensor<1xi32>, %u: tensor<2xf64>) -> tensor<4x2xf64> {
  %0 = "stablehlo.scatter"(%x, %at, %u) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [0],
    inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 0>}> ({
  ^bb0(%l: tensor<f64>, %r: tensor<f64>):
    stablehlo.return %r : tensor<f64>
  }) : (tensor<4x2xf64>, tensor<1xi32>, tensor<2xf64>) -> tensor<4x2xf64>
  return %0 : tensor<4x2xf64>
}"""
    x, u = np.arange(8.0).reshape(4, 2), np.array([50.0, 60.0])
    wanted = x.copy()
    if 0 <= at < 4:
        wanted[at] = u
    np.testing.assert_array_equal(run(text, x, np.array([at], np.int32), u), wanted)


def test_of_updates_of_one_element_the_last_stays():
    text = """func.func @main(%x: tensor<4xf64>, %at: tensor<6x1xi32>, %u: tensor<6xf64>) -> tensor<4xf64> {
  %0 = "stablehlo.scatter"(%x, %at, %u) <{scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0],
    scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, unique_indices = false}> ({
  ^bb0(%l: tensor<f64>, %r: tensor<f64>):
    stablehlo.return %r : tensor<f64>
  }) : (tensor<4xf64>, tensor<6x1xi32>, tensor<6xf64>) -> tensor<4xf64>
  return %0 : tensor<4xf64>
}"""
    x, u = np.zeros(4), np.arange(6.0) + 1
    at = np.array([2, 0, 2, 9, 0, -1], np.int32)[:, None]
    np.testing.assert_array_equal(run(text, x, at, u), [5.0, 0.0, 3.0, 0.0])


def test_a_start_that_is_not_neutral_counts_once():
    text = """func.func @main(%x: tensor<2x2xf64>, %s: tensor<1x1xf64>, %start: tensor<f64>) -> tensor<2x2xf64> {
  %0 = "stablehlo.select_and_scatter"(%x, %s, %start) ({
  ^bb0(%l: tensor<f64>, %r: tensor<f64>):
    %1 = stablehlo.compare GE, %l, %r : (tensor<f64>, tensor<f64>) -> tensor<i1>
    stablehlo.return %1 : tensor<i1>
  }, {
  ^bb0(%l: tensor<f64>, %r: tensor<f64>):
    %1 = stablehlo.add %l, %r : tensor<f64>
    stablehlo.return %1 : tensor<f64>
  }) {window_dimensions = array<i64: 2, 2>} : (tensor<2x2xf64>, tensor<1x1xf64>, tensor<f64>) -> tensor<2x2xf64>
  return %0 : tensor<2x2xf64>
}"""
    found = run(text, np.array([[1.0, 3.0], [3.0, 2.0]]), np.array([[10.0]]), 0.5)
    np.testing.assert_array_equal(found, [[0.5, 10.5], [0.5, 0.5]])


COMPARATOR = """
    %zero = stablehlo.constant dense<0.0> : tensor<f64>
    %nan = stablehlo.constant dense<0x7FF8000000000000> : tensor<f64>
    %1 = stablehlo.compare EQ, %l, %zero, FLOAT : (tensor<f64>, tensor<f64>) -> tensor<i1>
    %2 = stablehlo.select %1, %zero, %l : tensor<i1>, tensor<f64>
    %3 = stablehlo.compare NE, %l, %l, FLOAT : (tensor<f64>, tensor<f64>) -> tensor<i1>
    %4 = stablehlo.select %3, %nan, %2 : tensor<i1>, tensor<f64>
    %5 = stablehlo.compare EQ, %r, %zero, FLOAT : (tensor<f64>, tensor<f64>) -> tensor<i1>
    %6 = stablehlo.select %5, %zero, %r : tensor<i1>, tensor<f64>
    %7 = stablehlo.compare NE, %r, %r, FLOAT : (tensor<f64>, tensor<f64>) -> tensor<i1>
    %8 = stablehlo.select %7, %nan, %6 : tensor<i1>, tensor<f64>
    %9 = stablehlo.compare DIRECTION, %4, %8, TOTALORDER : (tensor<f64>, tensor<f64>) -> tensor<i1>
"""
RAW = "\n    %9 = stablehlo.compare DIRECTION, %l, %r, TOTALORDER : (tensor<f64>, tensor<f64>) -> tensor<i1>\n"
TWO_KEYS = """
    %1 = stablehlo.compare LT, %l, %r, FLOAT : (tensor<f64>, tensor<f64>) -> tensor<i1>
    %2 = stablehlo.compare EQ, %l, %r, FLOAT : (tensor<f64>, tensor<f64>) -> tensor<i1>
    %3 = stablehlo.compare LT, %lk, %rk, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %4 = stablehlo.and %2, %3 : tensor<i1>
    %9 = stablehlo.or %1, %4 : tensor<i1>
"""


def sorting(comparator):
    return f"""func.func @main(%x: tensor<9xf64>, %k: tensor<9xi32>) -> (tensor<9xf64>, tensor<9xi32>) {{
  %0:2 = "stablehlo.sort"(%x, %k) <{{dimension = 0 : i64, is_stable = true}}> ({{
  ^bb0(%l: tensor<f64>, %r: tensor<f64>, %lk: tensor<i32>, %rk: tensor<i32>):{comparator}
    stablehlo.return %9 : tensor<i1>
  }}) : (tensor<9xf64>, tensor<9xi32>) -> (tensor<9xf64>, tensor<9xi32>)
  return %0#0, %0#1 : tensor<9xf64>, tensor<9xi32>
}}"""


@pytest.mark.parametrize(
    ("comparator", "order"),
    [
        (COMPARATOR.replace("DIRECTION", "LT"), [7, 4, 1, 5, 8, 3, 0, 2, 6]),
        (COMPARATOR.replace("DIRECTION", "GT"), [2, 6, 0, 3, 1, 5, 8, 4, 7]),
        (RAW.replace("DIRECTION", "LT"), [6, 7, 4, 1, 8, 5, 3, 0, 2]),
        (RAW.replace("DIRECTION", "GT"), [2, 0, 3, 5, 1, 8, 4, 7, 6]),
    ],
)
def test_orders_of_floats_are_those_of_comparators(comparator, order):
    x = np.array([3.0, -0.0, np.nan, 1.0, -1.0, 0.0, -np.nan, -np.inf, -0.0])
    numbers = np.arange(9, dtype=np.int32)
    found, places = run(sorting(comparator), x, numbers)
    np.testing.assert_array_equal(places, order)
    np.testing.assert_array_equal(found, x[order])


def test_later_operands_decide_between_equal_ones():
    x = np.array([2.0, 1.0, 2.0, 1.0, 2.0, 1.0, 3.0, 3.0, 0.0])
    keys = np.array([5, 4, 3, 9, 1, 2, 7, -7, 0], np.int32)
    found, places = run(sorting(TWO_KEYS), x, keys)
    order = np.lexsort((keys, x))
    np.testing.assert_array_equal(found, x[order])
    np.testing.assert_array_equal(places, keys[order])


COUNTED = """func.func @main(%from: tensor<i32>, %to: tensor<i32>) -> (tensor<i32>, tensor<i32>, tensor<i32>) {
  %none = stablehlo.constant dense<0> : tensor<i32>
  %0:3 = stablehlo.while(%i = %from, %sum = %none, %trips = %none) : tensor<i32>, tensor<i32>, tensor<i32>
  cond {
    %1 = stablehlo.compare DIRECTION : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %1 : tensor<i1>
  } do {
    %1 = stablehlo.add %sum, %i : tensor<i32>
    %one = stablehlo.constant dense<1> : tensor<i32>
    %step = stablehlo.constant dense<STEP> : tensor<i32>
    %2 = stablehlo.add %trips, %one : tensor<i32>
    %3 = stablehlo.add %i, %step : tensor<i32>
    stablehlo.return %3, %1, %2 : tensor<i32>, tensor<i32>, tensor<i32>
  }
  return %0#0, %0#1, %0#2 : tensor<i32>, tensor<i32>, tensor<i32>
}"""


@pytest.mark.parametrize("step", [1, 3])
@pytest.mark.parametrize("compared", ["LT, %i, %to", "LE, %i, %to", "GT, %to, %i", "GE, %to, %i"])
def test_loops_count_from_and_to_any_number(step, compared):
    f = tl.from_mlir(COUNTED.replace("DIRECTION", compared).replace("STEP", str(step)))
    for start, stop in [(0, 5), (-4, 3), (2, 2), (3, -3), (0, 7), (-7, -1)]:
        numbers = list(range(start, stop + (compared[1] == "E"), step))
        last = numbers[-1] + step if numbers else start
        assert f(np.int32(start), np.int32(stop)) == (last, sum(numbers), len(numbers))


def test_derivatives_of_stopped_values_are_zero():
    f = tl.from_mlir("""func.func @main(%x: tensor<3xf64>) -> tensor<f64> {
  %0 = stablehlo.composite "tapeless.stop_gradient" %x {decomposition = @same} : (tensor<3xf64>) -> tensor<3xf64>
  %1 = stablehlo.multiply %0, %x : tensor<3xf64>
  %zero = stablehlo.constant dense<0.0> : tensor<f64>
  %2 = stablehlo.reduce(%1 init: %zero) applies stablehlo.add across dimensions = [0]
    : (tensor<3xf64>, tensor<f64>) -> tensor<f64>
  return %2 : tensor<f64>
}
func.func private @same(%x: tensor<3xf64>) -> tensor<3xf64> {
  return %x : tensor<3xf64>
}""")
    x = np.array([1.0, 2.0, 3.0])
    np.testing.assert_array_equal(tl.grad(f)(x), x)


def test_places_of_extremes_are_those_of_the_first_nan():
    """The comparison that JAX writes for `argmax`."""
    n, p = "tensor<f64>", "tensor<i32>"
    found, places = run(
        f"""func.func @main(%x: tensor<4x6xf64>) -> (tensor<4xf64>, tensor<4xi32>) {{
  %low = stablehlo.constant dense<0xFFF0000000000000> : {n}
  %none = stablehlo.constant dense<0> : {p}
  %numbers = stablehlo.iota dim = 1 : tensor<4x6xi32>
  %0:2 = stablehlo.reduce(%x init: %low), (%numbers init: %none) across dimensions = [1]
    : (tensor<4x6xf64>, tensor<4x6xi32>, {n}, {p}) -> (tensor<4xf64>, tensor<4xi32>)
    reducer(%l: {n}, %r: {n}) (%i: {p}, %k: {p}) {{
    %1 = stablehlo.compare GT, %l, %r, FLOAT : ({n}, {n}) -> tensor<i1>
    %2 = stablehlo.compare NE, %l, %l, FLOAT : ({n}, {n}) -> tensor<i1>
    %3 = stablehlo.or %1, %2 : tensor<i1>
    %4 = stablehlo.compare EQ, %l, %r, FLOAT : ({n}, {n}) -> tensor<i1>
    %5 = stablehlo.compare LT, %i, %k, SIGNED : ({p}, {p}) -> tensor<i1>
    %6 = stablehlo.and %4, %5 : tensor<i1>
    %7 = stablehlo.or %3, %6 : tensor<i1>
    %8 = stablehlo.select %3, %l, %r : tensor<i1>, {n}
    %9 = stablehlo.select %7, %i, %k : tensor<i1>, {p}
    stablehlo.return %8, %9 : {n}, {p}
  }}
  return %0#0, %0#1 : tensor<4xf64>, tensor<4xi32>
}}""",
        np.array([[1, np.nan, 3, np.nan, 2, 0], [1, 5, 5, 2, 3, 1], [-np.inf] * 6, [np.nan] * 6]),
    )
    np.testing.assert_array_equal(found, [np.nan, 5, -np.inf, np.nan])
    np.testing.assert_array_equal(places, [1, 1, 0, 0])


THROUGH_BITS = {
    "stablehlo": """func.func @main(%x: tensor<3xf64>) -> tensor<3xf64> {
  %0 = stablehlo.bitcast_convert %x : (tensor<3xf64>) -> tensor<3xi64>
  %1 = stablehlo.bitcast_convert %0 : (tensor<3xi64>) -> tensor<3xf64>
  %2 = stablehlo.multiply %1, %x : tensor<3xf64>
  return %2 : tensor<3xf64>
}""",
    "linalg": """func.func @main(%x: tensor<3xf64>) -> tensor<3xf64> {
  %0 = arith.bitcast %x : tensor<3xf64> to tensor<3xi64>
  %1 = arith.bitcast %0 : tensor<3xi64> to tensor<3xf64>
  %2 = arith.mulf %1, %x : tensor<3xf64>
  return %2 : tensor<3xf64>
}""",
}


@pytest.mark.parametrize("method", sorted(IMPLEMENTED))
@pytest.mark.parametrize("dialect", THROUGH_BITS)
def test_no_derivative_goes_through_bits(dialect, method):
    f, x = tl.from_mlir(THROUGH_BITS[dialect]), np.array([1.0, -2.0, 3.0])
    np.testing.assert_array_equal(f(x), x * x)
    np.testing.assert_array_equal(tl.grad(lambda x: tl.sum(f(x)), method=method)(x), x)
    np.testing.assert_array_equal(tl.jvp(f, (x,), (np.ones(3),), method=method)[1], x)


TURNED = """func.func @main(%x: tensor<2x3x5x4xf64>, %y: tensor<2x4x3x5xf64>, %b: tensor<4xf64>)
    -> (tensor<4x2xf64>, tensor<2x4x2x6xf64>, tensor<2x4x2x2xf64>, tensor<5x3xf64>) {
  %zero = stablehlo.constant dense<0.5> : tensor<f64>
  %t = stablehlo.transpose %x, dims = [0, 3, 1, 2] : (tensor<2x3x5x4xf64>) -> tensor<2x4x3x5xf64>
  %w = stablehlo.broadcast_in_dim %b, dims = [1] : (tensor<4xf64>) -> tensor<2x4x3x5xf64>
  %0 = stablehlo.multiply %t, %w : tensor<2x4x3x5xf64>
  %1 = stablehlo.subtract %0, %y : tensor<2x4x3x5xf64>
  %2 = stablehlo.reduce(%0 init: %zero) applies stablehlo.add across dimensions = [3, 2]
    : (tensor<2x4x3x5xf64>, tensor<f64>) -> tensor<2x4xf64>
  %3 = stablehlo.transpose %2, dims = [1, 0] : (tensor<2x4xf64>) -> tensor<4x2xf64>
  %4 = stablehlo.pad %0, %zero, low = [0, 0, -1, 1], high = [0, 0, 0, 0], interior = [0, 0, 0, 0]
    : (tensor<2x4x3x5xf64>, tensor<f64>) -> tensor<2x4x2x6xf64>
  %5 = stablehlo.slice %1 [0:2, 0:4, 0:3:2, 1:5:3] : (tensor<2x4x3x5xf64>) -> tensor<2x4x2x2xf64>
  %6 = stablehlo.slice %0 [1:2, 2:3, 0:3, 0:5] : (tensor<2x4x3x5xf64>) -> tensor<1x1x3x5xf64>
  %7 = stablehlo.reshape %6 : (tensor<1x1x3x5xf64>) -> tensor<3x5xf64>
  %8 = stablehlo.transpose %7, dims = [1, 0] : (tensor<3x5xf64>) -> tensor<5x3xf64>
  return %3, %4, %5, %8 : tensor<4x2xf64>, tensor<2x4x2x6xf64>, tensor<2x4x2x2xf64>, tensor<5x3xf64>
}"""


def test_transposes_go_through_what_is_computed_of_them():
    rng = np.random.default_rng(3)
    x, y, b = rng.normal(size=(2, 3, 5, 4)), rng.normal(size=(2, 4, 3, 5)), rng.normal(size=4)
    f = tl.from_mlir(TURNED)
    for found, wanted in zip(f(x, y, b), evaluate(TURNED, [x, y, b]), strict=True):
        np.testing.assert_allclose(found, wanted, rtol=1e-13)
    tl.check_grads(f, (x, y, b), order=1)
