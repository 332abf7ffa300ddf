"""Functions, maps and operators over many values whose types change from one to the next."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import tapeless as tl
from function_from_text import function_from_text

pytestmark = pytest.mark.one_in(2)

PAIRS, LAYERS = 40, 20


def defined(parameters: list[str], *lines: str) -> Any:
    """The function `f` with these parameters and statements."""
    body = "".join(f"    {line}\n" for line in lines)
    return function_from_text(f"@tl.function\ndef f({', '.join(parameters)}):\n{body}", "f")


def alternating(pairs: int) -> tuple[list[str], list[Any]]:
    """Parameters that are floats and integers by turns, and arguments for them."""
    rng = np.random.default_rng(0)
    parameters = [each for n in range(pairs) for each in (f"x{n}: tl.f64[:]", f"k{n}: tl.i64[:]")]
    return parameters, [each for n in range(pairs) for each in (rng.normal(size=5), np.arange(5) + n)]


def layers(count: int) -> tuple[Any, list[Any]]:
    """A network with separate weights and biases for each layer, and arguments for it."""
    rng = np.random.default_rng(1)
    parameters = [each for n in range(count) for each in (f"w{n}: tl.f64[:, :]", f"b{n}: tl.f64[:]")]
    lines = [f"x = tl.tanh(w{n} @ x + b{n})" for n in range(count)]
    arguments = [each for _ in range(count) for each in (rng.normal(size=(3, 3)), rng.normal(size=3))]
    return defined(["x: tl.f64[:]", *parameters], *lines, "return tl.sum(x)"), [rng.normal(size=3), *arguments]


def test_expression_over_many_arrays() -> None:
    parameters, arguments = alternating(PAIRS)
    f = defined(parameters, f"return {' + '.join(f'x{n} * k{n}' for n in range(PAIRS))}")
    np.testing.assert_allclose(f(*arguments), sum(x * k for x, k in zip(arguments[::2], arguments[1::2], strict=True)))


def test_gradient_of_an_expression_over_many_arrays() -> None:
    parameters, arguments = alternating(PAIRS)
    f = defined(parameters, f"return tl.sum({' + '.join(f'x{n} * k{n}' for n in range(PAIRS))})")
    bars = tl.grad(f, argnums=tuple(range(0, 2 * PAIRS, 2)))(*arguments)
    np.testing.assert_array_equal(bars, arguments[1::2])


@pytest.mark.thorough
def test_gradient_of_a_deep_network() -> None:
    f, arguments = layers(LAYERS)
    bars = tl.grad(f, argnums=tuple(range(len(arguments))))(*arguments)
    directions = [np.random.default_rng(2).normal(size=bar.shape) for bar in bars]

    def value(step: float) -> complex:
        x, *rest = (each + 1j * step * v for each, v in zip(arguments, directions, strict=True))
        for w, b in zip(rest[::2], rest[1::2], strict=True):
            x = np.tanh(w @ x + b)
        return complex(np.sum(x))

    wanted = value(1e-100).imag / 1e-100
    found = sum(np.sum(bar * v) for bar, v in zip(bars, directions, strict=True))
    np.testing.assert_allclose(found, wanted, rtol=1e-10)
    np.testing.assert_allclose(tl.jvp(f, tuple(arguments), tuple(directions))[1], wanted, rtol=1e-10)


def test_derivatives_of_the_most_mixed_map() -> None:
    parameters = [each for n in range(16) for each in (f"x{n}: tl.f64[:]", f"m{n}: tl.f64[:, :]")]
    names = [part.split(":")[0] for part in parameters]
    terms = " + ".join(f"e{x} * tl.sum(e{m})" for x, m in zip(names[::2], names[1::2], strict=True))
    elements, arrays = ", ".join(f"e{name}" for name in names), ", ".join(names)
    f = defined(parameters, f"y = tl.map(lambda {elements}: {terms}, {arrays})", "return tl.sum(y * y)")
    rng = np.random.default_rng(3)
    arguments = [rng.normal(size=(4, 3) if n % 2 else 4) for n in range(32)]
    y = sum(x * m.sum(axis=1) for x, m in zip(arguments[::2], arguments[1::2], strict=True))
    bars = tl.grad(f, argnums=tuple(range(32)))(*arguments)
    np.testing.assert_allclose(bars[::2], [2.0 * y * m.sum(axis=1) for m in arguments[1::2]])
    directions = [rng.normal(size=each.shape) for each in arguments]
    slope = sum(np.sum(bar * v) for bar, v in zip(bars, directions, strict=True))
    np.testing.assert_allclose(tl.jvp(f, tuple(arguments), tuple(directions))[1], slope)


@pytest.mark.parametrize(
    ("pairs", "line"),
    [
        (17, "return tl.map(lambda {elements}: ex0, {arrays})"),
        (17, "return tl.map(lambda x, k: ({both}), x0, k0)"),
        (9, "return tl.reduce(lambda {left}, {right}: ({left}), ({neutral}), {arrays})"),
    ],
    ids=["arrays of a map", "results of a map", "parts of an operator"],
)
def test_what_changes_its_type_too_often_is_refused(pairs: int, line: str) -> None:
    parameters, arguments = alternating(pairs)
    each = [name for n in range(pairs) for name in (f"x{n}", f"k{n}")]
    texts = {
        "arrays": ", ".join(each),
        "elements": ", ".join(f"e{name}" for name in each),
        "both": ", ".join(["x", "k"] * pairs),
        "left": ", ".join(f"a{name}" for name in each),
        "right": ", ".join(f"b{name}" for name in each),
        "neutral": ", ".join(["0.0", "0"] * pairs),
    }
    f = defined(parameters, line.format(**texts))
    with pytest.raises(tl.FrontendError, match=r":3:\d+: .* change their type more than \d+ times"):
        f(*arguments)


def test_derivatives_of_too_mixed_arguments_are_refused() -> None:
    parameters, arguments = alternating(65)
    f = defined(parameters, "return tl.sum(x0 * k0)")
    with pytest.raises(tl.FrontendError, match="order them by type"):
        tl.grad(f)(*arguments)
