"""Convolutions with all that their attributes say: values against the reference interpreter, and derivatives."""

from __future__ import annotations

import numpy as np
import pytest

import tapeless as tl
from unit.imports.stablehlo_reference import evaluate


def convolution(image, kernel, result, numbers="[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]", window="", groups=(1, 1)):
    """A module with one convolution, and arguments."""
    types = [f"tensor<{'x'.join(map(str, shape))}xf64>" for shape in (image, kernel, result)]
    text = f"""func.func @main(%x: {types[0]}, %w: {types[1]}) -> {types[2]} {{
  %0 = stablehlo.convolution(%x, %w) dim_numbers = {numbers}, window = {{{window}}}
    {{feature_group_count = {groups[0]} : i64, batch_group_count = {groups[1]} : i64}}
    : ({types[0]}, {types[1]}) -> {types[2]}
  return %0 : {types[2]}
}}"""
    rng = np.random.default_rng(5)
    return text, (rng.standard_normal(image), rng.standard_normal(kernel))


CASES = {
    "plain": convolution((2, 6, 5, 3), (3, 2, 3, 4), (2, 4, 4, 4)),
    "padded": convolution((2, 4, 5, 3), (3, 3, 3, 2), (2, 4, 5, 2), window="pad = [[1, 1], [1, 1]]"),
    "strided": convolution((1, 7, 8, 2), (3, 2, 2, 3), (1, 3, 3, 3), window="stride = [2, 3]"),
    "cut": convolution((1, 7, 8, 2), (2, 2, 2, 3), (1, 4, 8, 3), window="pad = [[-1, -1], [1, 0]]"),
    "transposed": convolution(
        (1, 3, 4, 2), (3, 3, 2, 2), (1, 7, 9, 2), window="pad = [[2, 2], [2, 2]], lhs_dilate = [2, 2]"
    ),
    "spread": convolution((1, 7, 8, 2), (2, 3, 2, 3), (1, 5, 2, 3), window="rhs_dilate = [2, 3]"),
    "reversed": convolution((1, 5, 5, 2), (3, 2, 2, 3), (1, 3, 4, 3), window="reverse = [true, false]"),
    "groups": convolution((1, 5, 4, 4), (2, 2, 2, 6), (1, 4, 3, 6), groups=(2, 1)),
    "depthwise": convolution((2, 5, 4, 3), (2, 2, 1, 6), (2, 4, 3, 6), window="stride = [1, 1]", groups=(3, 1)),
    "batch groups": convolution((4, 5, 4, 2), (2, 2, 2, 6), (2, 4, 3, 6), groups=(1, 2)),
    "layouts": convolution((2, 3, 6, 5), (4, 3, 3, 2), (2, 4, 4, 4), "[b, f, 0, 1]x[o, i, 0, 1]->[b, f, 0, 1]"),
    "one axis": convolution((2, 9, 3), (4, 3, 2), (2, 3, 2), "[b, 0, f]x[0, i, o]->[b, 0, f]", "stride = [2]"),
    "large": convolution((2, 9, 8, 2), (7, 6, 2, 3), (2, 3, 3, 3)),
    "one place": convolution((2, 4, 4, 3), (1, 1, 3, 2), (2, 4, 4, 2)),
}


@pytest.mark.one_in(4)
@pytest.mark.parametrize("name", CASES)
def test_values_are_those_of_the_reference(name):
    text, arguments = CASES[name]
    np.testing.assert_allclose(tl.from_mlir(text)(*arguments), evaluate(text, arguments)[0], rtol=1e-12, atol=1e-12)


def test_axes_may_be_in_any_order():
    text, (x, w) = CASES["plain"]
    wanted = evaluate(text, (x, w))[0].transpose(2, 3, 1, 0)
    turned, _ = convolution((6, 5, 3, 2), (3, 4, 3, 2), (4, 4, 4, 2), "[0, 1, f, b]x[i, o, 0, 1]->[1, f, 0, b]")
    found = tl.from_mlir(turned)(x.transpose(1, 2, 3, 0), w.transpose(2, 3, 0, 1))
    np.testing.assert_allclose(found, wanted, rtol=1e-12, atol=1e-12)


@pytest.mark.one_in(8)
@pytest.mark.parametrize("name", CASES)
def test_derivatives_are_those_of_differences(name):
    text, arguments = CASES[name]
    tl.check_grads(tl.from_mlir(text), arguments, order=1)
