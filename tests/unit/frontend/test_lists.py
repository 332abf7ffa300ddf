"""Lists inside functions: slices, `+`, `*`, `append`, `extend` and comprehensions of dicts, as Python has them."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import tapeless as tl

X = np.array([0.5, 1.5, -0.3])
METHODS = ("redundant", "reversible", "coarsened")


def appended(x: Any) -> Any:
    values = [x[0]]
    for i in range(1, 3):
        values.append(0.3 * x[i] + 0.7 * values[-1])
    return np.sum(np.array(values) ** 2)


def appended_in_branches(x: Any) -> Any:
    parts = []
    for i, factor in enumerate((1.0, 2.0, 3.0)):
        if i != 1:
            parts.append(x * factor)
    return np.concatenate(parts).sum() * len(parts)


def extended(x: Any) -> Any:
    parts = [x]
    parts.extend([2.0 * x, 3.0 * x])
    parts += [x * x]
    return np.stack(parts).sum()


def joined(x: Any) -> Any:
    a, b, c, d = [x[0], x[1]] + 2 * [x[2]]
    first, second = (x[0],) + (x[1],)  # noqa: RUF005
    return a * b + c * d + first * second


def spread(x: Any) -> Any:
    def weighted(a: Any, b: Any, scale: Any = 1.0) -> Any:
        return (a * b * scale).sum()

    pair, options = (x, 2.0 * x), {"scale": x[0]}
    first, *rest = (*pair, 3.0 * x)
    *front, last = [x[0], *[x[1], x[2]]]
    return weighted(*pair, **options) + weighted(first, *rest[1:]) + front[1] * last


def replaced(x: Any) -> Any:
    values = [x[0], x[1]]
    values[0] = x[2] * x[2]
    return values[0] * values[1]


def dict_comprehension(x: Any) -> Any:
    params = {"w": x, "b": 2.0 * x}
    params = {name: value - 0.1 * value * value for name, value in params.items()}
    return (params["w"] * params["b"]).sum()


def keys_of_their_own(x: Any) -> Any:
    table = {(i, j): x[i] * x[j] for i in range(2) for j in range(2) if i != j}
    return table[0, 1] + 3.0 * table[1, 0]


PROGRAMS = [
    appended,
    appended_in_branches,
    extended,
    joined,
    spread,
    replaced,
    dict_comprehension,
    keys_of_their_own,
]


@pytest.mark.one_in(3)
@pytest.mark.parametrize("program", PROGRAMS, ids=lambda program: program.__name__)
def test_values_and_gradients(program: Any) -> None:
    function, h = tl.function(program), 1e-6
    np.testing.assert_allclose(function(X), program(X), rtol=1e-14)
    slopes = [(program(X + step) - program(X - step)) / (2 * h) for step in h * np.eye(3)]
    for method in METHODS:
        np.testing.assert_allclose(tl.grad(function, method=method)(X), slopes, atol=1e-8)
    with tl.disable_jit():
        np.testing.assert_allclose(function(X), program(X), rtol=1e-14)


def slices_of_layers(layers: Any, x: Any) -> Any:
    for weights, bias in layers[:-1]:
        x = np.tanh(weights @ x + bias)
    weights, bias = layers[-1]
    return ((weights @ x + bias) ** 2).sum() + sum(len(each) for each in (layers[1:], layers[::-1]))


def test_slices() -> None:
    layers = [(np.eye(3) * scale, np.full(3, scale)) for scale in (0.5, 1.0, 1.5)]
    function = tl.function(slices_of_layers)
    np.testing.assert_allclose(function(layers, X), slices_of_layers(layers, X), rtol=1e-14)
    of_weights, _ = tl.grad(function)(layers, X)[1]
    h = 1e-6
    moved = [[(w + sign * h * (k == 1) * np.eye(3), b) for k, (w, b) in enumerate(layers)] for sign in (1, -1)]
    slope = (slices_of_layers(moved[0], X) - slices_of_layers(moved[1], X)) / (2 * h)
    np.testing.assert_allclose(np.trace(of_weights), slope, rtol=1e-7)


def grown_in_a_loop(x: Any) -> Any:
    values = []
    for v in x:
        if v > 0.0:
            values.append(v)
    return np.array(values)


def grown_array(x: Any) -> Any:
    x.append(1.0)
    return x


def grown_by_an_array(x: Any) -> Any:
    values = [1.0]
    values += x
    return values[0]


REFUSED = {
    "a list grows in a loop that runs as often as is known only when running": grown_in_a_loop,
    "'x' is an array of .*, and only lists have 'append'": grown_array,
    "a list and a tuple are joined": lambda x: [x] + (x,),
    "the step of a slice is 0": lambda x: [x, x][::0],
    "a bound of a slice of a list is not known when compiling": lambda x: [x, x][: int(x[0])],
}


@pytest.mark.parametrize("message", REFUSED)
def test_what_python_would_not_do_or_what_is_not_known(message: str) -> None:
    with pytest.raises(tl.TapelessError, match=message):
        tl.function(REFUSED[message])(X)
