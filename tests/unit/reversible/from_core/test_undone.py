"""Loops that can be undone: none of them falls back, and gradients are those of the other method."""

from __future__ import annotations

import numpy as np
import pytest
from undone import UNDONE

import tapeless as tl
from programs.axes import first_of
from tapeless._mlir import ir
from tapeless.dialects.context import make_context

pytestmark = pytest.mark.one_in(3)

NAMES = [function.__name__ for function, _ in UNDONE]


def floats(arguments):
    return tuple(k for k, x in enumerate(arguments) if np.asarray(x).dtype.kind == "f")


def gradient(function, arguments, **options):
    derived = tl.grad(function, argnums=floats(arguments), method=options.pop("method", "reversible"))
    return tl.compile(derived, arguments, **options)(*arguments)


@pytest.mark.one_in(12)
@pytest.mark.parametrize(("function", "arguments"), UNDONE, ids=NAMES)
def test_agrees_with_the_redundant_method(function, arguments):
    expected = gradient(function, arguments, method="redundant")
    rtol = 1e-4 if arguments[0] is not None and np.asarray(arguments[0]).dtype == np.float32 else 1e-8
    for got, want in zip(gradient(function, arguments, fallback=False), expected, strict=True):
        np.testing.assert_allclose(got, want, rtol=rtol, atol=rtol * np.max(np.abs(want)))


@pytest.mark.one_in(3)
@pytest.mark.parametrize(("function", "arguments"), UNDONE, ids=NAMES)
def test_the_plan_is_to_run_backwards(function, arguments):
    text = tl.compile(function, arguments).ir("ad")
    with make_context():
        module = ir.Module.parse(text)
        tl.passes.PASSES["ad-while-to-for"]().run(module)
        tl.passes.PASSES["rev-explain-loops"]().run(module)
        assert "runs backwards" in str(module)


@pytest.mark.one_in(4)
@pytest.mark.parametrize("n", [0, 1, 2, 63, 64, 65, 127, 129])
@pytest.mark.parametrize("k", [0, 7], ids=["pendulum", "strings"])
def test_any_number_of_iterations(k, n):
    function, arguments = UNDONE[k]
    arguments = (*arguments[:2], n)
    expected = gradient(function, arguments, method="redundant")
    for got, want in zip(gradient(function, arguments, fallback=False), expected, strict=True):
        np.testing.assert_allclose(got, want, rtol=1e-10, atol=1e-12)


@pytest.mark.one_in(3)
@pytest.mark.parametrize("size", [0, 1, 2, 3])
def test_small_arrays(size):
    function, arguments = UNDONE[NAMES.index("strings")]
    arguments = (arguments[0][:size].copy(), *arguments[1:])
    expected = gradient(function, arguments, method="redundant")
    for got, want in zip(gradient(function, arguments), expected, strict=True):
        np.testing.assert_allclose(got, want, rtol=1e-10, atol=1e-12)


@pytest.mark.parametrize("name", first_of(["pendulum", "strings", "points", "each", "grown"], 1))
def test_second_order(name):
    function, arguments = UNDONE[NAMES.index(name)]
    arguments = (*arguments[:2], 6)
    expected = tl.compile(tl.hessian(function, argnums=(0, 1)), arguments)(*arguments)
    got = tl.compile(tl.hessian(function, argnums=(0, 1), method="reversible"), arguments)(*arguments)
    for row, wanted in zip(got, expected, strict=True):
        for block, want in zip(row, wanted, strict=True):
            np.testing.assert_allclose(block, want, rtol=1e-8, atol=1e-9)


@pytest.mark.one_in(9)
@pytest.mark.parametrize("name", ["pendulum", "strings", "each"])
def test_gradient_of_a_gradient(name):
    function, arguments = UNDONE[NAMES.index(name)]
    arguments = (*arguments[:2], 6)

    def twice(method):
        first = tl.grad(function, argnums=0, method=method)
        if np.ndim(arguments[0]):
            outer = tl.function(lambda x, c, n: tl.sum(tl.sin(first(x, c, n))))
        else:
            outer = tl.function(lambda x, c, n: tl.sin(first(x, c, n)))
        return tl.compile(tl.grad(outer, argnums=(0, 1), method=method), arguments)(*arguments)

    for got, want in zip(twice("reversible"), twice("redundant"), strict=True):
        np.testing.assert_allclose(got, want, rtol=1e-8, atol=1e-9)


@pytest.mark.one_in(3)
@pytest.mark.parametrize("name", ["membrane", "paired_points", "each"])
def test_threads(name):
    function, arguments = UNDONE[NAMES.index(name)]
    expected = gradient(function, arguments, method="redundant")
    for got, want in zip(gradient(function, arguments, threads=4), expected, strict=True):
        np.testing.assert_allclose(got, want, rtol=1e-8, atol=1e-9)


@tl.function
def overwritten(m: tl.f64[:, :], k: tl.i64, n: tl.i64):
    for i in range(n):
        m[:, k] = tl.sin(m[:, 0] * i)
        m[1] = tl.cos(m[k])
    return tl.sum(m * m)


def test_parts_that_are_overwritten_again_and_again():
    arguments = (np.random.default_rng(3).normal(size=(4, 5)), 2, 5)
    (got,), (want,) = (gradient(overwritten, arguments, method=method) for method in ("reversible", "redundant"))
    np.testing.assert_allclose(got, want, rtol=1e-12)
