"""Sizes of array axes found by following producers."""

from __future__ import annotations

import pytest

from shared_context import shared_context
from tapeless._mlir import ir
from tapeless.passes.ir.sizes.shapes import dim_of, size_of

HEADER = """
func.func @f(%n: index, %m: index, %xs: tensor<?xf64>, %a: tensor<?x?xf64>, %c: f64, %flag: i1) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
"""

# Each case: operations, one of which defines %v; then, per axis of %v, what dim_of gives at the end of the function.
CASES = {
    "argument": ("%v = tensor.cast %a : tensor<?x?xf64> to tensor<?x4xf64>", ["dim a 0", 4]),
    "splat": ("%v = tensor.splat %c[%m, %n] : tensor<?x3x?xf64>", ["m", 3, "n"]),
    "empty": ("%v = tensor.empty(%m) : tensor<?x3xf64>", ["m", 3]),
    "slice": ("%v = tensor.extract_slice %a[0, %m] [%n, 5] [1, 2] : tensor<?x?xf64> to tensor<?x5xf64>", ["n", 5]),
    "row": ("%v = tensor.extract_slice %a[%m, 0] [1, %n] [1, 1] : tensor<?x?xf64> to tensor<?xf64>", ["n"]),
    "column": ("%v = tensor.extract_slice %a[0, %m] [%n, 1] [1, 1] : tensor<?x?xf64> to tensor<?xf64>", ["n"]),
    "insert": ("%v = tensor.insert %c into %a[%m, %n] : tensor<?x?xf64>", ["dim a 0", "dim a 1"]),
    "insert_slice": (
        "%v = tensor.insert_slice %xs into %a[%m, 0] [1, %n] [1, 1] : tensor<?xf64> into tensor<?x?xf64>",
        ["dim a 0", "dim a 1"],
    ),
    "transpose": (
        '%v = "soac.transpose"(%a) {permutation = [1, 0]} : (tensor<?x?xf64>) -> tensor<?x?xf64>',
        ["dim a 1", "dim a 0"],
    ),
    "reverse": ('%v = "soac.reverse"(%xs) {axis = 0 : i64} : (tensor<?xf64>) -> tensor<?xf64>', ["dim xs 0"]),
    "argsort": ('%v = "soac.argsort"(%xs) : (tensor<?xf64>) -> tensor<?xi64>', ["dim xs 0"]),
    "concat": (
        "%v = tensor.concat dim(0) %a, %a : (tensor<?x?xf64>, tensor<?x?xf64>) -> tensor<?x?xf64>",
        ["muli dim a 0 2", "dim a 1"],
    ),
    "reshape": (
        "%s = tensor.from_elements %m, %n : tensor<2xindex>\n"
        "%v = tensor.reshape %a(%s) : (tensor<?x?xf64>, tensor<2xindex>) -> tensor<?x?xf64>",
        ["m", "n"],
    ),
    "map of rows": (
        """%v = "soac.map"(%n, %a) ({
        ^bb0(%i: index, %row: tensor<?xf64>):
          "soac.yield"(%row) : (tensor<?xf64>) -> ()
        }) {operandSegmentSizes = array<i32: 1, 1, 0>} : (index, tensor<?x?xf64>) -> tensor<?x?xf64>""",
        ["n", "dim a 1"],
    ),
    "map of maps, width computed inside": (
        """%v = "soac.map"(%n) ({
        ^bb0(%i: index):
          %w = arith.muli %m, %c2 : index
          %row = tensor.splat %c[%w] : tensor<?xf64>
          "soac.yield"(%row) : (tensor<?xf64>) -> ()
        }) {operandSegmentSizes = array<i32: 1, 0, 0>} : (index) -> tensor<?x?xf64>""",
        ["n", "muli m 2"],
    ),
    "map whose rows follow the index": (
        """%v = "soac.map"(%n) ({
        ^bb0(%i: index):
          %row = tensor.splat %c[%i] : tensor<?xf64>
          "soac.yield"(%row) : (tensor<?xf64>) -> ()
        }) {operandSegmentSizes = array<i32: 1, 0, 0>} : (index) -> tensor<?x?xf64>""",
        ["n", None],
    ),
    "reduce of rows": (
        """%z = tensor.splat %c[%m] : tensor<?xf64>
        %v = "soac.reduce"(%n, %a, %z) ({
        ^bb0(%p: tensor<?xf64>, %q: tensor<?xf64>):
          "soac.yield"(%q) : (tensor<?xf64>) -> ()
        }) {operandSegmentSizes = array<i32: 1, 1, 1>} : (index, tensor<?x?xf64>, tensor<?xf64>) -> tensor<?xf64>""",
        ["m"],
    ),
    "loop that keeps the size": (
        """%v = scf.for %i = %c0 to %n step %c1 iter_args(%s = %xs) -> (tensor<?xf64>) {
          %d = tensor.dim %s, %c0 : tensor<?xf64>
          %t = "soac.map"(%d, %s) ({
          ^bb0(%j: index, %e: f64):
            "soac.yield"(%e) : (f64) -> ()
          }) {operandSegmentSizes = array<i32: 1, 1, 0>} : (index, tensor<?xf64>) -> tensor<?xf64>
          scf.yield %t : tensor<?xf64>
        }""",
        ["dim xs 0"],
    ),
    "loop that swaps": (
        """%v, %w = scf.for %i = %c0 to %n step %c1 iter_args(%s = %xs, %t = %xs) -> (tensor<?xf64>, tensor<?xf64>) {
          scf.yield %t, %s : tensor<?xf64>, tensor<?xf64>
        }""",
        ["dim xs 0"],
    ),
    "loop that grows": (
        """%v = scf.for %i = %c0 to %n step %c1 iter_args(%s = %xs) -> (tensor<?xf64>) {
          %t = tensor.concat dim(0) %s, %xs : (tensor<?xf64>, tensor<?xf64>) -> tensor<?xf64>
          scf.yield %t : tensor<?xf64>
        }""",
        ["dim v 0"],
    ),
    "branches that agree": (
        """%v = scf.if %flag -> (tensor<?xf64>) {
          %t = tensor.insert %c into %xs[%n] : tensor<?xf64>
          scf.yield %t : tensor<?xf64>
        } else {
          scf.yield %xs : tensor<?xf64>
        }""",
        ["dim xs 0"],
    ),
    "while": (
        """%v = scf.while (%s = %xs) : (tensor<?xf64>) -> tensor<?xf64> {
          scf.condition(%flag) %s : tensor<?xf64>
        } do {
        ^bb0(%s: tensor<?xf64>):
          %t = tensor.insert %c into %s[%n] : tensor<?xf64>
          scf.yield %t : tensor<?xf64>
        }""",
        ["dim xs 0"],
    ),
}


def describe(size: ir.Value | int | None, names: dict[ir.Value, str]) -> object:
    """A size as text: argument names, `dim array axis`, `addi a b`."""
    if size is None or isinstance(size, int):
        return size
    if size in names:
        return names[size]
    op = size.owner
    if op.name == "arith.constant":
        return op.attributes["value"].value
    short = op.name.split(".")[1]
    return " ".join([short, *(str(describe(operand, names)) for operand in op.operands)])


@pytest.mark.parametrize("name", CASES)
def test_dimensions(name: str) -> None:
    body, expected = CASES[name]
    with shared_context(), ir.Location.unknown():
        module = ir.Module.parse(HEADER + body + "\nreturn }")
        block = module.body.operations[0].regions[0].blocks[0]
        names = dict(zip(block.arguments, ["n", "m", "xs", "a", "c", "flag"], strict=True))
        value = [op for op in block.operations if op.name != "func.return"][-1].results[0]
        names[value] = "v"
        end = ir.InsertionPoint.at_block_terminator(block)
        found = [describe(dim_of(value, axis, end), names) for axis in range(len(expected))]
        module.operation.verify()
    assert found == expected


def test_sizes_inside_a_region_are_not_used_outside() -> None:
    with shared_context(), ir.Location.unknown():
        module = ir.Module.parse(HEADER + CASES["map of maps, width computed inside"][0] + "\nreturn }")
        block = module.body.operations[0].regions[0].blocks[0]
        mapped = block.operations[3]
        size = dim_of(mapped.results[0], 1, ir.InsertionPoint(mapped))
        assert size.owner.operation.block == block


def test_equal_sizes_are_recognised_across_producers() -> None:
    with shared_context(), ir.Location.unknown():
        module = ir.Module.parse(
            HEADER + CASES["map of rows"][0] + CASES["insert"][0].replace("%v", "%w") + "\nreturn }"
        )
        block = module.body.operations[0].regions[0].blocks[0]
        rows, inserted, a = block.operations[3].results[0], block.operations[4].results[0], block.arguments[3]
        assert size_of(rows, 1) == size_of(inserted, 1)
        assert size_of(inserted, 0) == size_of(a, 0)
        assert size_of(rows, 0) != size_of(a, 0)
