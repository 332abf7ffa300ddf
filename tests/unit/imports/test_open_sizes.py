"""One function for all sizes: modules with open sizes give what numpy gives, and check what they suppose of sizes."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest

import tapeless as tl
from tapeless.methods import IMPLEMENTED
from unit.imports.open_modules import ROWS, module

SIZES = ((2, 1), (3, 3), (5, 2))
"""Rows of the first argument, and the second one."""


@cache
def imported(name):
    return tl.from_mlir(module(name))


def argument(rows):
    return np.sin(np.arange(1.0, 3.0 * rows + 1)).reshape(rows, 3)


@pytest.mark.parametrize("name", sorted(ROWS))
def test_values_are_those_of_numpy_at_every_size(name):
    for rows, number in SIZES:
        wanted = ROWS[name].reference(argument(rows), number)
        found = imported(name)(argument(rows), np.int32(number))
        assert found.shape == wanted.shape, (rows, number)
        np.testing.assert_allclose(found, wanted, rtol=1e-13, err_msg=str((rows, number)))


@pytest.mark.parametrize("method", sorted(IMPLEMENTED))
@pytest.mark.parametrize("name", sorted(ROWS))
@pytest.mark.one_in(3)
def test_gradients_are_those_of_differences_at_every_size(name, method):
    inner = imported(name)

    @tl.function
    def loss(x, n):
        y = inner(x, n)
        return np.sum(y * y)

    slope = tl.grad(loss, method=method)

    def reference(x, number):
        return np.sum(np.square(ROWS[name].reference(x, number)))

    for rows, number in SIZES[::2]:
        x = argument(rows)
        wanted = np.zeros_like(x)
        for place in np.ndindex(x.shape):
            step = np.zeros_like(x)
            step[place] = 1e-6
            wanted[place] = (reference(x + step, number) - reference(x - step, number)) / 2e-6
        np.testing.assert_allclose(slope(x, np.int32(number)), wanted, rtol=1e-6, atol=1e-7)


imported_product = imported("dot_general")


def function(body, arguments="%x: tensor<?xf64>, %y: tensor<?xf64>", result="tensor<?xf64>"):
    return tl.from_mlir(f"func.func @main({arguments}) -> {result} {{\n{body}\n  return %0 : {result}\n}}")


CHECKED = {
    "other sizes": (
        "  %0 = stablehlo.add %x, %y : tensor<?xf64>",
        (3, 4),
        "<mlir>:2: an axis has size 3 in one array and 4 in another",
    ),
    "a slice behind the end": (
        "  %0 = stablehlo.slice %x [0:4] : (tensor<?xf64>) -> tensor<4xf64>",
        (3, 3),
        "<mlir>:2: a slice ends at 4 on an axis of size 3",
    ),
    "sizes that are multiplied": (
        "  %0 = stablehlo.dot_general %x, %y, contracting_dims = [0] x [0]"
        " : (tensor<?xf64>, tensor<?xf64>) -> tensor<f64>",
        (3, 4),
        "<mlir>:2: axes of sizes 3 and 4 are multiplied",
    ),
    "another number of elements": (
        """  %s = stablehlo.get_dimension_size %y, dim = 0 : (tensor<?xf64>) -> tensor<i32>
  %v = stablehlo.reshape %s : (tensor<i32>) -> tensor<1xi32>
  %0 = stablehlo.dynamic_reshape %x, %v : (tensor<?xf64>, tensor<1xi32>) -> tensor<?xf64>""",
        (3, 4),
        "<mlir>:4: 3 elements are reshaped to 4",
    ),
    "an axis that cannot be stretched": (
        """  %s = stablehlo.get_dimension_size %y, dim = 0 : (tensor<?xf64>) -> tensor<i32>
  %v = stablehlo.reshape %s : (tensor<i32>) -> tensor<1xi32>
  %0 = stablehlo.dynamic_broadcast_in_dim %x, %v, dims = [0] : (tensor<?xf64>, tensor<1xi32>) -> tensor<?xf64>""",
        (3, 4),
        "<mlir>:4: an axis of size 3 is stretched to 4, and is not 1",
    ),
    "a size that the type knows": (
        """  %s = stablehlo.get_dimension_size %y, dim = 0 : (tensor<?xf64>) -> tensor<i32>
  %c = stablehlo.add %x, %y : (tensor<?xf64>, tensor<?xf64>) -> tensor<4xf64>
  %0 = stablehlo.abs %c : tensor<4xf64>""",
        (3, 3),
        "<mlir>:3: an axis has size 3, and should have 4",
    ),
    "what the producer asserts": (
        """  %four = stablehlo.constant dense<4> : tensor<i32>
  %s = stablehlo.get_dimension_size %x, dim = 0 : (tensor<?xf64>) -> tensor<i32>
  %c = stablehlo.compare GE, %s, %four, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
  stablehlo.custom_call @shape_assertion(%c, %s) {
    error_message = "batches have at least four rows, not {0}", has_side_effect = true
  } : (tensor<i1>, tensor<i32>) -> ()
  %0 = stablehlo.abs %x : tensor<?xf64>""",
        (3, 3),
        "<mlir>:5: batches have at least four rows, not 3",
    ),
}


@pytest.mark.parametrize("name", sorted(CHECKED))
def test_what_is_supposed_of_sizes_is_checked(name):
    body, (first, second), message = CHECKED[name]
    result = next(each for each in ("tensor<4xf64>", "tensor<f64>", "tensor<?xf64>") if body.endswith(each))
    with pytest.raises(tl.ShapeMismatch, match=message):
        function(body, result=result)(np.ones(first), np.ones(second))


LINALG = {
    "elementwise": (
        """func.func @main(%x: tensor<?xf64>, %y: tensor<?xf64>) -> tensor<?xf64> {
  %0 = arith.addf %x, %y : tensor<?xf64>
  return %0 : tensor<?xf64>
}""",
        "the dimension d0 has size {} by one operand and {} by another",
    ),
    "a sum of products": (
        """func.func @main(%x: tensor<?xf64>, %y: tensor<?xf64>) -> f64 {
  %zero = arith.constant dense<0.0> : tensor<f64>
  %0 = linalg.dot ins(%x, %y : tensor<?xf64>, tensor<?xf64>) outs(%zero : tensor<f64>) -> tensor<f64>
  %1 = tensor.extract %0[] : tensor<f64>
  return %1 : f64
}""",
        "the dimension d0 has size {} by one operand and {} by another",
    ),
}


@pytest.mark.parametrize("name", sorted(LINALG))
def test_open_sizes_of_linalg_are_compared(name):
    text, message = LINALG[name]
    f = tl.from_mlir(text)
    np.testing.assert_allclose(f(np.ones(3), np.ones(3)), 2 * np.ones(3) if name == "elementwise" else 3.0)
    for first, second in ((3, 5), (5, 3)):
        with pytest.raises(tl.ShapeMismatch, match=message.format(first, second)):
            f(np.ones(first), np.ones(second))


def test_sizes_that_checks_made_equal_are_compared_once():
    text = """
  %s = stablehlo.add %x, %y : tensor<?xf64>
  %t = stablehlo.multiply %s, %y : tensor<?xf64>
  %0 = stablehlo.subtract %t, %x : tensor<?xf64>"""
    assert tl.compile(function(text)).ir("ad").count("soac.assert") == 1


def test_modules_with_open_sizes_are_compiled_for_gpus():
    @tl.function
    def loss(x: tl.f64[:, 3], n: tl.i32):
        return np.sum(imported_product(x, n) ** 2)

    kernel = tl.compile(tl.value_and_grad(loss), target="cuda:sm_90")
    assert b".entry" in kernel.emit("ptx")
