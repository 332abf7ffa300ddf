"""Plain loops that become maps and reductions give what Python gives, and those with dependences stay loops."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from tests.programs.axes import METHODS

import tapeless as tl
from function_from_text import function_from_text

# How an iteration combines its term `v` with what the loop carries: start, statement, and what it gives to the result.
CARRIED = {
    "sum": ("s = 0.5", "s += v", "s"),
    "difference": ("s = 0.5", "s = s - v", "s"),
    "product": ("s = 0.5", "s = s * (1.0 + 0.1 * v)", "s"),
    "maximum": ("s = -5.0", "s = max(s, v)", "s"),
    "minimum": ("s = 5.0", "s = min(s, v)", "s"),
    "some": ("s = 0.5", "if v > 0.1:\n            s += v * v", "s"),
    "two ways": ("s = 0.5", "if v > 0.1:\n            s += v\n        else:\n            s -= v * v", "s"),
    "several": ("s = 0.5", "for q in range(3):\n            s += v * q\n        s += 1.0", "s"),
    "count": ("s = 0", "s += i + 2", "0.1 * s"),
    "elements": ("y = 1.5 * x", "y[i] = y[i] * v + 1.0", "np.sum(y * y)"),
    "some elements": ("y = 1.5 * x", "if v > 0.1:\n            y[i] = v", "np.sum(y * y)"),
    "neighbours": ("y = 1.5 * x", "y[i] -= v\n        y[i + 1] += v * v\n        y[i - 1] += 2.0 * v", "np.sum(y * y)"),
    "places of a column": (
        "y = 1.5 * m",
        "y[i + 1, n - 1] += v\n        y[i, 0] -= v * v\n        y[i, n - 1] += v",
        "np.sum(y * y)",
    ),
    "rows": ("y = 1.5 * m", "y[i] = v * m[i]", "np.sum(y * y)"),
    "columns": ("y = 1.5 * m", "for q in range(n):\n            y[q, i] += v * m[q, i]", "np.sum(y * y)"),
    "rows, one after the other": (
        "y = 1.5 * m",
        "for q in range(1, n):\n            y[i, q] = 0.5 * y[i, q - 1] + v",
        "np.sum(y * y)",
    ),
    "every element": ("y = 1.5 * x", "for q in range(len(x)):\n            y[q] += v * m[i, q]", "np.sum(y * y)"),
    "every element, by a function": (
        "s, y = 0.5, 1.5 * x",
        "w = np.exp(v)\n        s += w\n        for q in range(len(x)):\n            y[q] -= w * m[i, q]",
        "np.sum(y * y) / (9.0 + s * s)",
    ),
    "elements of two arrays": (
        "y, z = 1.5 * x, 0.5 * x",
        "for q in range(len(x)):\n            y[q] += v * m[i, q]\n        "
        "for q in range(len(x)):\n            z[q] += v * v",
        "np.sum(y * z)",
    ),
    "a table": (
        "y = 1.5 * m",
        "for p in range(m.shape[0]):\n            for q in range(m.shape[1]):\n                y[p, q] += v * m[p, q]",
        "np.sum(y * y)",
    ),
    "functions, by places that are data": ("y = 1.5 * x", "y[k[i]] += np.exp(0.5 * v) / (4.0 + v)", "np.sum(y * y)"),
    "one column": ("y = 1.5 * m", "y[i, n - 1] = v", "np.sum(y * y)"),
}
# Which elements an iteration reads; the loop leaves the first and the last index out.
READ = {
    "own": "x[i]",
    "shifted": "x[i - 1] * x[i + 1]",
    "all": "x[i] + x[0]",
    "own row": "m[i, 0] * m[i, 1] + m[i, n - 1]",
    "own column": "m[0, i] - m[n - 1, i]",
    "look-up": "x[k[i]]",
    "backwards": "x[n - 1 - i]",
    "counter": "x[0] * (i + 1)",
}
PROGRAM = """
def one(x, m, k, n):
    {start}
    for i in range({low}, n - {high}):
        v = {read}
        {step}
    return {result}
"""


def text_of(carried: str, read: str, low: int, high: int) -> str:
    start, step, result = CARRIED[carried]
    return PROGRAM.format(start=start, low=low, high=high, read=READ[read], step=step, result=result)


def data(n: int):
    rng = np.random.default_rng(n)
    k = rng.integers(0, max(n, 1), n)
    return rng.normal(size=n), rng.normal(size=(n, n)), k, n


def slope(function, arguments, direction):
    """The derivative by the first two arguments along a direction, by differences of what Python computes."""
    x, m, *rest = arguments
    (dx, dm), h = direction, 1e-6
    return (function(x + h * dx, m + h * dm, *rest) - function(x - h * dx, m - h * dm, *rest)) / (2.0 * h)


@pytest.mark.one_in(50)
@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("read", READ)
@pytest.mark.parametrize("carried", CARRIED)
def test_value_and_gradient(carried, read, method):
    text = text_of(carried, read, 1, 1)
    plain = function_from_text(text, "one", np=np)
    compiled = tl.jit(tl.value_and_grad(tl.function(plain), argnums=(0, 1), method=method))
    # Loops of none, one and many iterations, whose number is an argument.
    for n in (2, 3, 14):
        arguments = data(n)
        value, slopes = compiled(*arguments)
        np.testing.assert_allclose(value, plain(*arguments), rtol=1e-12)
        direction = [np.random.default_rng(7).normal(size=each.shape) for each in slopes]
        found = sum(np.sum(one * other) for one, other in zip(slopes, direction, strict=True))
        np.testing.assert_allclose(found, slope(plain, arguments, direction), rtol=1e-6, atol=1e-7)


NESTED = """
def nested(x, m, k, n):
    total = 0.0
    for t in range(3):
        {start}
        for i in range({low}, n - {high}):
            v = {read} * (1.0 + 0.1 * t)
            {step}
        total = 0.9 * total + {result}
        x = x + 0.01 * total
    return total
"""


@pytest.mark.one_in(74)
@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize(("carried", "read"), list(itertools.product(CARRIED, ["own", "shifted", "look-up"])))
def test_in_a_loop_that_stays(carried, read, method):
    start, step, result = CARRIED[carried]
    deeper = step.replace("\n    ", "\n        ")
    text = NESTED.format(start=start, low=1, high=1, read=READ[read], step=deeper, result=result)
    plain = function_from_text(text, "nested", np=np)
    compiled = tl.jit(tl.value_and_grad(tl.function(plain), argnums=(0, 1), method=method))
    for n in (2, 14):
        arguments = data(n)
        value, slopes = compiled(*arguments)
        np.testing.assert_allclose(value, plain(*arguments), rtol=1e-11)
        direction = [np.random.default_rng(7).normal(size=each.shape) for each in slopes]
        found = sum(np.sum(one * other) for one, other in zip(slopes, direction, strict=True))
        np.testing.assert_allclose(found, slope(plain, arguments, direction), rtol=1e-5, atol=1e-6)


SIGNATURE = (tl.f64[:], tl.f64[:, :], tl.i64[:], tl.i64)
# Loops whose iterations wait for one another: start, body of `for i in range(1, n - 1)`, result.
DEPENDENT = {
    "recurrence": ("y = 1.5 * x", "y[i] = y[i - 1] + x[i]", "y[n - 1]"),
    "next element": ("y = 1.5 * x", "y[i] = y[i + 1] + x[i]", "y[0]"),
    "one place": ("y = 1.5 * x", "y[0] = y[0] * x[i]", "y[0]"),
    "look-up": ("y = 1.5 * x", "y[k[i]] = y[k[i]] * x[i]", "y[0]"),
    "neighbouring row": ("y = 1.5 * m", "y[i] = y[i - 1] + m[i]", "y[0, 0]"),
    "neighbour that is read": ("y = 1.5 * x", "y[i] -= x[i]\n        y[i + 1] += y[i]", "y[0]"),
    "diagonal": ("y = 1.5 * m", "y[i, i] = y[i - 1, i - 1] + 1.0", "y[0, 0]"),
    "sums so far": ("s = 0.0\n    y = 1.5 * x", "s += x[i]\n        y[i] = s", "y[n - 2]"),
    "decay": ("s = 0.0", "s = 0.5 * s + x[i]", "s"),
    "two kinds": ("s = 1.0", "s = (s + x[i]) * x[i]", "s"),
    "sum in a condition": ("s = 0.0", "if s < 1.0:\n            s += x[i]", "s"),
    "sum in a product": ("s, t = 0.0, 0.0", "s += x[i]\n        t += s * x[i]", "t"),
    "less the sum": ("s = 0.0", "s = x[i] - s", "s"),
    "elements of the sum": (
        "y = 1.5 * x",
        "for q in range(1, n - 1):\n            y[q] += y[q - 1] * x[i]",
        "y[n - 2]",
    ),
    "element of the sum": ("y = 1.5 * x", "w = y[0]\n        for q in range(n):\n            y[q] += w * x[i]", "y[0]"),
    "sum and decay": (
        "s = 0.0\n    y = 1.5 * x",
        "s = 0.5 * s + x[i]\n        for q in range(n):\n            y[q] += s * x[q]",
        "y[0]",
    ),
    "exchange": ("s, t = 0.0, 1.0", "s, t = t + x[i], s", "s"),
}


@pytest.mark.one_in(3)
@pytest.mark.parametrize("name", DEPENDENT)
def test_dependent_iterations_stay_a_loop(name):
    start, step, result = DEPENDENT[name]
    plain = function_from_text(
        PROGRAM.format(start=start, low=1, high=1, read="x[i]", step=step, result=result), "one", np=np
    )
    kernel = tl.compile(tl.function(plain), SIGNATURE, checks="off")
    loops = {"elements of the sum": 2}
    assert kernel.ir("soac-parallelise").count("scf.for") == loops.get(name, 1)
    for n in (2, 3, 14):
        np.testing.assert_allclose(kernel(*data(n)), plain(*data(n)), rtol=1e-12)


@pytest.mark.one_in(3)
@pytest.mark.parametrize("carried", CARRIED)
def test_independent_iterations_are_maps(carried):
    plain = function_from_text(text_of(carried, "own", 1, 1), "one", np=np)
    text = tl.compile(tl.function(plain), SIGNATURE, checks="off").ir("soac-parallelise")
    # Nothing says that `n` is at most the size of an array: a part of it is made only where every iteration has one.
    loops = {"some elements": 1, "columns": 1, "rows, one after the other": 2, "several": 1}
    assert "soac.map" in text
    assert text.count("scf.for") == loops.get(carried, 0)


@tl.function
def with_known_sizes(m: tl.f64[:, :]):
    y = 1.5 * m
    for i in range(m.shape[0]):
        for q in range(1, m.shape[1]):
            y[i, q] = 0.5 * y[i, q - 1] + m[i, q]
    for q in range(m.shape[1]):
        if q > 2:
            for i in range(m.shape[0]):
                y[i, q] = y[i, q] * m[i, 0]
    return tl.sum(y * y)


def test_sizes_say_that_parts_are_there():
    text = tl.compile(with_known_sizes, (tl.f64[:, :],)).ir("soac-parallelise")
    assert text.count("scf.for") == 1
    assert "soac.assert" not in text


def gated(bias, weights, x, h):
    """Elements that only inner loops touch, of which the second runs whenever the outer one does."""
    gates = bias.copy()
    for k in range(2 * len(h)):
        for i in range(len(x)):
            gates[k] += x[i] * weights[i, k]
        for j in range(len(h)):
            gates[k] += h[j] * np.tanh(weights[j, k])
    return np.sum(gates * gates)


def test_elements_of_inner_loops():
    kernel = tl.compile(
        tl.value_and_grad(gated, argnums=(0, 1, 2, 3)), (tl.f64[:], tl.f64[:, :], tl.f64[:], tl.f64[:]), checks="off"
    )
    random = np.random.default_rng(5)
    for inputs, states, spare in ((3, 4, 0), (0, 4, 2), (4, 0, 1), (1, 1, 0), (0, 0, 0)):
        size = 2 * states + spare
        weights = random.normal(size=(max(inputs, states), size))
        bias, x, h = (random.normal(size=length) for length in (size, inputs, states))
        value, (by_bias, by_weights, by_x, by_h) = kernel(bias, weights, x, h)
        used = weights[:, : 2 * states]
        gates = bias.copy()
        gates[: 2 * states] += x @ used[:inputs] + h @ np.tanh(used[:states])
        seed = 2.0 * gates
        np.testing.assert_allclose(value, np.sum(gates * gates), rtol=1e-12)
        np.testing.assert_allclose(by_bias, seed, rtol=1e-12)
        np.testing.assert_allclose(by_x, used[:inputs] @ seed[: 2 * states], rtol=1e-11, atol=1e-13)
        np.testing.assert_allclose(by_h, np.tanh(used[:states]) @ seed[: 2 * states], rtol=1e-11, atol=1e-13)
        wanted = np.zeros_like(weights)
        wanted[:inputs, : 2 * states] += np.outer(x, seed[: 2 * states])
        wanted[:states, : 2 * states] += h[:, None] / np.cosh(used[:states]) ** 2 * seed[: 2 * states]
        np.testing.assert_allclose(by_weights, wanted, rtol=1e-11, atol=1e-13)
