"""Operations are transformed any number of times; their kernels are compared with formulas and with each other."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
import pytest

import tapeless as tl
from tapeless.api.exports.flat import flattened
from tapeless.api.exports.operations import Operation, SizeIsData, result_shapes

RNG = np.random.default_rng(5)
X, W = RNG.random((3, 2)), RNG.random((2, 4))


def flat(f: tl.TapelessFunction, *values: Any, constant: Sequence[str] = ()) -> Any:
    return flattened(f, values, lambda value, _: value, constant)


def run(operation: Operation, *operands: Any) -> list[np.ndarray]:
    """The flat results of a kernel, which have the sizes that are told before."""
    kernel = operation.kernel([np.shape(each) for each in operands])
    found = kernel.call(*operands)
    results = [found] if kernel.structure == 0 else _leaves(found)
    assert [np.shape(each) for each in results] == result_shapes(kernel, [np.shape(each) for each in operands])
    return [np.asarray(each) for each in results]


def _leaves(value: Any) -> list[Any]:
    if isinstance(value, dict):
        value = tuple(value.values())
    return [leaf for part in value for leaf in _leaves(part)] if isinstance(value, (tuple, list)) else [value]


@tl.function
def layer(x: tl.f64[:, :], w: tl.f64[:, :], n: tl.i64):
    y = tl.tanh(x @ w)
    return {"y": y, "n": n + 1, "sum": tl.sum(y * y)}


@tl.function
def loss(x: tl.f64[:, :], w: tl.f64[:, :]):
    return tl.sum(tl.tanh(x @ w))


@pytest.fixture(scope="module")
def of_layer() -> Operation:
    return Operation(flat(layer, X, W, 3).function)


def test_flat_results_are_described_without_compiling(of_layer: Operation) -> None:
    assert of_layer.float_results == [0, 2]
    assert not of_layer.is_loss
    assert Operation(flat(loss, X, W).function).is_loss
    assert [repr(each) for each in of_layer.result_types] == ["tl.f64[:, :]", "tl.i64", "tl.f64"]


def test_pushed_and_pulled_are_transposes(of_layer: Operation) -> None:
    tangent, seed, number = RNG.random(W.shape), RNG.random((3, 4)), np.array(0.5)
    push = of_layer.pushed((1,))
    moved = run(push, X, W, 3, tangent)
    y = np.tanh(X @ W)
    np.testing.assert_allclose(moved[0], (1 - y * y) * (X @ tangent), rtol=1e-12)
    (adjoint,) = run(push.transposed(), X, W, 3, seed, number)
    np.testing.assert_allclose(np.vdot(adjoint, tangent), np.vdot(seed, moved[0]) + number * moved[2], rtol=1e-12)
    assert push.transposed().transposed() == push


def test_equal_transformations_are_equal_operations(of_layer: Operation) -> None:
    again = Operation(flat(layer, X, W, 3).function)
    assert again == of_layer
    assert hash(again.pushed((0, 1))) == hash(of_layer.pushed((0, 1)))
    assert again.pushed((0,)) != of_layer.pushed((1,))
    assert again.mapped((0, None, None)) == of_layer.mapped((0, None, None))


def test_second_derivatives_of_a_loss() -> None:
    gradient = Operation(flat(loss, X, W).function).value_and_gradient((0,))
    value, first = run(gradient, X, W)
    tangent, step = RNG.random(X.shape), 1e-5
    np.testing.assert_allclose(value, np.sum(np.tanh(X @ W)), rtol=1e-12)
    along = run(gradient.pushed((0,)), X, W, tangent)
    np.testing.assert_allclose(along[0], np.vdot(first, tangent), rtol=1e-12)
    ahead, behind = (run(gradient, X + sign * step * tangent, W)[1] for sign in (1, -1))
    np.testing.assert_allclose(along[1], (ahead - behind) / (2 * step), rtol=1e-7, atol=1e-9)
    (back,) = run(gradient.pushed((0,)).transposed(), X, W, np.array(0.0), tangent)
    np.testing.assert_allclose(back, along[1], rtol=1e-10)


def test_batches_of_derivatives(of_layer: Operation) -> None:
    xs, tangents = RNG.random((3, 5, 2)), RNG.random((5, *W.shape))
    many = run(of_layer.pushed((1,)).mapped((1, None, None, 0)), xs, W, 3, tangents)
    for k in range(5):
        one = run(of_layer.pushed((1,)), np.ascontiguousarray(xs[:, k]), W, 3, tangents[k])
        np.testing.assert_allclose(many[0][k], one[0], rtol=1e-12)


def test_axes_of_size_one_broadcast() -> None:
    add = Operation(flat(tl.function(lambda a, b: a + b), X, X).function)
    (found,) = run(add, X[:, :1].copy(), X[:1])
    np.testing.assert_array_equal(found, X[:, :1] + X[:1])


class Layer(NamedTuple):
    """A structure of arrays."""

    w: Any
    b: Any


def test_structures_keywords_and_what_chooses_code() -> None:
    @tl.function
    def model(params, x, *, scale=2.0, mode="double", last=None):
        y = x @ params["first"].w + params["first"].b
        return (y * scale if mode == "double" else y), [y]

    given = flat(model, {"first": Layer(W, W[0])}, X, 3.0, "double", None)
    assert [each.given.path for each in given.operands] == ["params['first'].w", "params['first'].b", "x", "scale"]
    found = run(Operation(given.function), W, W[0], X, 3.0)
    np.testing.assert_allclose(found[0], (X @ W + W[0]) * 3.0, rtol=1e-12)
    other = flat(model, {"first": Layer(W, W[0])}, X, 3.0, "single", None)
    np.testing.assert_allclose(run(Operation(other.function), W, W[0], X, 3.0)[0], X @ W + W[0], rtol=1e-12)


def test_sizes_that_are_numbers() -> None:
    ones = tl.function(lambda x, n: tl.zeros(n) + x)
    open_ = Operation(flat(ones, 1.0, 3).function)
    with pytest.raises(SizeIsData, match="the size of a result depends on 'n'") as error:
        result_shapes(open_.kernel([(), ()]), [(), ()])
    assert error.value.places == (1,)
    fixed = flat(ones, 1.0, 3, constant=["n"])
    assert len(fixed.operands) == 1
    np.testing.assert_array_equal(run(Operation(fixed.function), 2.0)[0], np.full(3, 2.0))


def test_sizes_that_take_a_computation_are_those_of_code_for_them() -> None:
    every_second = Operation(flat(tl.function(lambda x: x[::2] * 2.0), X[0]).function)
    for size in (4, 7):
        (found,) = run(every_second, np.arange(float(size)))
        np.testing.assert_array_equal(found, np.arange(float(size))[::2] * 2.0)


def test_sizes_that_are_computed_are_refused() -> None:
    positive = Operation(flat(tl.function(lambda x: x[x > 0.5]), X[0]).function)
    with pytest.raises(tl.ArgumentError, match="the size of a result is found while it is computed"):
        positive.kernel([(2,)])


REFUSED = {
    "another dtype": (X.astype(np.float32), W, 3, "argument 'x' is an array of float32 with 2 dimensions"),
    "another rank": (X[0], W, 3, "argument 'x' is an array of float64 with 1 dimension"),
    "a float for an int": (X, W, 0.5, "argument 'n' is a float, but the parameter is the scalar tl.i64"),
    "a structure": ({"x": X}, W, 3, "argument 'x' is a dict with 'x', but the parameter is tl.f64"),
}


@pytest.mark.parametrize("why", REFUSED)
def test_other_arguments_are_refused(why: str) -> None:
    *values, message = REFUSED[why]
    with pytest.raises(tl.TypeMismatch, match=message.replace("[", r"\[")):
        flat(layer, *values)
