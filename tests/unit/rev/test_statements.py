"""Every statement computes what it says, and its inverse takes it back."""

from __future__ import annotations

import math

import numpy as np
import pytest

from tapeless.errors import InvertibilityError

from .programs import ELEMENT, accum, ancilla, element, for_, procedure, program, run, there_and_back

LOAD_X = "%v = memref.load %x[] : memref<f64>"


def close(found, *wanted):
    for result, value in zip(found, wanted, strict=True):
        np.testing.assert_allclose(result, value, rtol=1e-14, atol=1e-15)


@pytest.mark.parametrize(("kind", "wanted"), [("add", 5.0), ("sub", -1.0)])
def test_accumulating_a_scalar(kind, wanted):
    close(there_and_back({"y": "f64", "x": "in f64"}, accum("%y : f64", LOAD_X, kind), 2.0, 3.0), wanted)


@pytest.mark.parametrize(("kind", "wanted"), [("add", 17), ("sub", -13), ("xor", 2 ^ 15)])
def test_accumulating_integers(kind, wanted):
    lines = """%a = memref.load %x[] : memref<i64>
    %k = arith.constant 5 : i64
    %v = arith.muli %a, %k : i64"""
    assert there_and_back({"y": "i64", "x": "in i64"}, accum("%y : i64", lines, kind, "%v : i64"), 2, 3) == (wanted,)


def test_accumulating_bools():
    body = accum("%y : i1", "%v = memref.load %x[] : memref<i1>", "xor", "%v : i1")
    assert there_and_back({"y": "i1", "x": "in i1"}, body, True, True) == (False,)


def test_accumulating_arrays():
    lines = '%v = "rev.read"(%x) : (memref<?x?xf64>) -> tensor<?x?xf64>'
    body = accum("%y : ?x?xf64", lines, result="%v : tensor<?x?xf64>")
    y, x = np.arange(6.0).reshape(2, 3), np.ones((2, 3))
    close(there_and_back({"y": "?x?xf64", "x": "in ?x?xf64"}, body, y, x), y + x)


def test_accumulating_rows_and_elements():
    lines = '%v = "rev.read"(%x, %c0) : (memref<?x?xf64>, index) -> tensor<?xf64>'
    body = accum("%y[%c1] : ?x?xf64", lines, result="%v : tensor<?xf64>")
    body += accum("%y[%c0, %c1] : ?x?xf64", "%v = memref.load %x[%c1, %c2] : memref<?x?xf64>", "sub")
    y, x = np.arange(6.0).reshape(2, 3), np.random.default_rng(1).normal(size=(2, 3))
    wanted = y.copy()
    wanted[1] += x[0]
    wanted[0, 1] -= x[1, 2]
    close(there_and_back({"y": "?x?xf64", "x": "in ?x?xf64"}, body, y, x), wanted)


def test_accumulating_a_column_through_a_view():
    view = """
  %rows = memref.dim %y, %c0 : memref<?x?xf64>
  %column = "rev.view"(%y, %c0, %c1, %rows, %c1, %c1, %c1) {drop = [1], operandSegmentSizes = array<i32: 1, 2, 2, 2>}
    : (memref<?x?xf64>, index, index, index, index, index, index) -> memref<?xf64, strided<[?], offset: ?>>
  "rev.accum"(%column) ({
    %v = "rev.read"(%x) : (memref<?xf64>) -> tensor<?xf64>
    "rev.yield"(%v) : (tensor<?xf64>) -> ()
  }) {kind = "add"} : (memref<?xf64, strided<[?], offset: ?>>) -> ()
"""
    y, x = np.arange(6.0).reshape(2, 3), np.array([10.0, 20.0])
    wanted = y.copy()
    wanted[:, 1] += x
    close(there_and_back({"y": "?x?xf64", "x": "in ?xf64"}, view, y, x), wanted)


def test_scaling_negating_and_reciprocals():
    body = """
  "rev.scale"(%x) {factor = 4.000000e+00 : f64, divide = false} : (memref<f64>) -> ()
  "rev.neg"(%x) : (memref<f64>) -> ()
  "rev.recip"(%x) : (memref<f64>) -> ()
  "rev.scale"(%xs) {factor = 4.000000e+00 : f64, divide = true} : (memref<?xf64>) -> ()
  "rev.neg"(%k) : (memref<i64>) -> ()
"""
    xs = np.array([1.0, 3.0])
    close(there_and_back({"x": "f64", "xs": "?xf64", "k": "i64"}, body, 0.5, xs, 7), -0.5, xs / 4, -7)


def test_swapping_cells_and_elements():
    body = '"rev.swap"(%x, %y) : (memref<f64>, memref<f64>) -> ()'
    body += element("%xs", "%c0", "%a") + element("%xs", "%c2", "%b")
    body += f'"rev.swap"(%a, %b) : ({ELEMENT}, {ELEMENT}) -> ()\n'
    found = there_and_back({"x": "f64", "y": "f64", "xs": "?xf64"}, body, 1.0, 2.0, np.array([1.0, 2.0, 3.0]))
    close(found, 2.0, 1.0, [3.0, 2.0, 1.0])


def test_rotations_and_hadamard():
    body = """
  "rev.rot"(%x, %y) ({
    %v = memref.load %t[] : memref<f64>
    "rev.yield"(%v) : (f64) -> ()
  }) {inv = false} : (memref<f64>, memref<f64>) -> ()
  "rev.hadamard"(%x, %y) : (memref<f64>, memref<f64>) -> ()
"""
    c, s = math.cos(0.3), math.sin(0.3)
    a, b = 2 * c - 3 * s, 2 * s + 3 * c
    found = there_and_back({"x": "f64", "y": "f64", "t": "in f64"}, body, 2.0, 3.0, 0.3)
    close(found, (a + b) / math.sqrt(2), (a - b) / math.sqrt(2))


def test_temporaries_are_recomputed_where_they_are_used():
    body = """
  %t = memref.load %x[] : memref<f64>
  %u = arith.mulf %t, %two : f64
"""
    body += accum("%y : f64", "", result="%u : f64") + '"rev.neg"(%y) : (memref<f64>) -> ()\n'
    body += accum("%y : f64", "", result="%u : f64") + '"rev.neg"(%x) : (memref<f64>) -> ()\n'
    body += accum("%y : f64", LOAD_X)
    close(there_and_back({"y": "f64", "x": "f64"}, body, 1.0, 3.0), -7 + 6 - 3, -3.0)


def test_a_target_index_is_read_where_it_is_used():
    at = """
  %k = memref.load %cell[] : memref<i64>
  %i = arith.index_cast %k : i64 to index
"""
    body = at + accum("%xs[%i] : ?xf64", "", result="%two : f64")
    body += accum("%cell : i64", "%v = arith.constant 1 : i64", result="%v : i64")
    body += at.replace("%k", "%k2").replace("%i ", "%i2 ") + accum("%xs[%i2] : ?xf64", "", result="%one : f64")
    close(there_and_back({"cell": "i64", "xs": "?xf64"}, body, 0, np.zeros(3)), 1, [2.0, 1.0, 0.0])


INNER = procedure({"u": "f64", "w": "f64"}, accum("%u : f64", "%v = memref.load %w[] : memref<f64>"), "inner")


@pytest.mark.parametrize(("inverse", "wanted"), [("false", 5.0), ("true", -1.0)])
def test_calls(inverse, wanted):
    body = f'"rev.call"(%x, %y) {{callee = @inner, inv = {inverse}}} : (memref<f64>, memref<f64>) -> ()\n'
    close(there_and_back({"x": "f64", "y": "f64"}, body, 2.0, 3.0, others=INNER), wanted, 3.0)


def test_compute_blocks_are_taken_back():
    body = ancilla(f"""
    "rev.compute"() ({{
      {accum("%z : f64", LOAD_X)}
      "rev.neg"(%z) : (memref<f64>) -> ()
    }}, {{
      {accum("%y : f64", "%v = memref.load %z[] : memref<f64>")}
    }}) : () -> ()
""")
    close(there_and_back({"y": "f64", "x": "in f64"}, body, 2.0, 3.0), -1.0)


def test_parallel_loops():
    body = f"""
  %n = memref.dim %ys, %c0 : memref<?xf64>
  "rev.parallel"(%n) ({{
  ^bb0(%i: index):
    {accum("%ys[%i] : ?xf64", "%v = memref.load %xs[%i] : memref<?xf64>")}
  }}) {{shadows = "privatize"}} : (index) -> ()
"""
    ys, xs = np.arange(5.0), np.ones(5)
    close(there_and_back({"ys": "?xf64", "xs": "in ?xf64"}, body, ys, xs), ys + xs)


def test_f32_stays_f32():
    body = accum("%y : f32", "%v = memref.load %x[] : memref<f32>", result="%v : f32")
    (found,) = run(program({"y": "f32", "x": "in f32"}, body), np.float32(0.1), np.float32(0.2))
    assert found == np.float32(0.1) + np.float32(0.2)


@pytest.mark.parametrize("index", [0, 1])
def test_elements_must_differ(index):
    body = (
        element("%xs", "%c0", "%a")
        + """
  %k = memref.load %cell[] : memref<i64>
  %i = arith.index_cast %k : i64 to index
"""
        + element("%xs", "%i", "%b")
        + f'"rev.swap"(%a, %b) : ({ELEMENT}, {ELEMENT}) -> ()\n'
    )
    text = program({"xs": "?xf64", "cell": "in i64"}, body)
    if index == 0:
        with pytest.raises(InvertibilityError, match="changes the same element twice, at index 0"):
            run(text, np.arange(3.0), index)
    else:
        close(run(text, np.arange(3.0), index), [1.0, 0.0, 2.0])


def test_a_read_must_not_meet_the_target():
    lines = """%j = arith.subi %n1, %i : index
    %v = "rev.read"(%xs, %j) : (memref<?xf64>, index) -> f64"""
    body = """
  %n = memref.dim %xs, %c0 : memref<?xf64>
  %n1 = arith.subi %n, %c1 : index
""" + for_(accum("%xs[%i] : ?xf64", lines))
    text = program({"xs": "?xf64"}, body)
    close(run(text, np.array([1.0, 2.0])), [3.0, 5.0])
    with pytest.raises(InvertibilityError, match="reads what it changes, at index 1"):
        run(text, np.arange(3.0))
    close(run(text, np.array([1.0, 2.0, 4.0]), checks=False), [5.0, 4.0, 9.0])


def slices(first: str, second: str) -> str:
    """Adds one slice of two elements to another, given as offset and stride."""
    kind = "memref<?xf64, strided<[?], offset: ?>>"
    segments = "drop = [], operandSegmentSizes = array<i32: 1, 1, 1, 1>"
    views = ""
    for name, (offset, stride) in (("%a", first.split()), ("%b", second.split())):
        views += f"""
  {name}o = arith.constant {offset} : index
  {name}s = arith.constant {stride} : index
  %n{name[1:]} = arith.addi %c2, %nothing : index
  {name} = "rev.view"(%xs, {name}o, %n{name[1:]}, {name}s) {{{segments}}}
    : (memref<?xf64>, index, index, index) -> {kind}
"""
    zero = "\n  %k = memref.load %cell[] : memref<i64>\n  %nothing = arith.index_cast %k : i64 to index\n"
    return (
        zero
        + views
        + f"""
  "rev.accum"(%a) ({{
    %v = "rev.read"(%b) : ({kind}) -> tensor<?xf64>
    "rev.yield"(%v) : (tensor<?xf64>) -> ()
  }}) {{kind = "add"}} : ({kind}) -> ()
"""
    )


@pytest.mark.parametrize(
    ("first", "second", "is_apart"),
    [("0 1", "2 1", True), ("0 2", "1 2", True), ("0 1", "1 1", False), ("0 2", "2 1", False), ("3 1", "0 2", True)],
)
def test_slices_must_not_meet(first, second, is_apart):
    text = program({"xs": "?xf64", "cell": "in i64"}, slices(first, second))
    xs = np.array([1.0, 2.0, 4.0, 8.0, 16.0])
    if not is_apart:
        with pytest.raises(InvertibilityError, match="reads what it changes"):
            run(text, xs, 0)
        return
    wanted = xs.copy()
    (a, s), (b, t) = (map(int, each.split()) for each in (first, second))
    wanted[a : a + 2 * s : s] += xs[b : b + 2 * t : t]
    close(run(text, xs, 0), wanted)


@pytest.mark.parametrize("index", [0, 1])
def test_a_use_may_change_other_elements_than_are_read(index):
    where = """
  %k = memref.load %cell[] : memref<i64>
  %i = arith.index_cast %k : i64 to index
"""
    read = """%j = arith.subi %c2, %c1 : index
      %v = memref.load %xs[%j] : memref<?xf64>"""
    body = where + ancilla(f"""
    "rev.compute"() ({{{accum("%z : f64", read)}}}, {{
      {accum("%xs[%i] : ?xf64", "%v = memref.load %z[] : memref<f64>")}
    }}) : () -> ()
""")
    parameters = {"xs": "?xf64", "cell": "in i64"}
    if index == 0:
        close(there_and_back(parameters, body, np.array([1.0, 2.0]), index), [3.0, 2.0])
    else:
        with pytest.raises(InvertibilityError, match="a compute block reads what is changed before it is taken back"):
            run(program(parameters, body), np.array([1.0, 2.0]), index)
