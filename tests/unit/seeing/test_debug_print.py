"""`tl.debug_print` in functions: in program order, once, in every transformation; refused where nothing could print."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import tapeless as tl

X = np.array([1.0, 2.0])


@tl.function
def inner(v, i):
    tl.debug_print("inner {} {place}", v, place=i)
    return v * v


@tl.function
def printing(x):
    total = 0.0
    for i in range(len(x)):
        total += inner(x[i], i)
    tl.debug_print("x {} total {:.2f}", x, total)
    return total


@tl.function
def silent(x):
    return tl.sum(x * x)


def on_map(x):
    return tl.map(lambda v: inner(v, 7), x)


def second(x):
    return tl.grad(lambda v: printing(v) * 2.0)(x)


LINES = ["inner 1.0 0", "inner 2.0 1", "x [1. 2.] total 5.00"]
IN_BATCH = ["inner 1.0 7", "inner 2.0 7"]
# Calls, what they give, and what they print.
CASES: dict[str, tuple[Callable[[], Any], Any, list[str]]] = {
    "call": (lambda: printing(X), 5.0, LINES),
    "twice": (lambda: (printing(X), printing(X))[1], 5.0, LINES * 2),
    "jit": (lambda: tl.jit(printing, threads=2)(X), 5.0, LINES),
    "grad": (lambda: tl.grad(printing)(X), 2.0 * X, LINES),
    "value_and_grad": (lambda: tl.value_and_grad(printing)(X)[1], 2.0 * X, LINES),
    "jvp": (lambda: tl.jvp(printing, (X,), (X,))[1], 10.0, LINES),
    "hvp": (lambda: tl.hvp(printing, X, X), 2.0 * X, LINES),
    "vjp": (lambda: tl.vjp(printing, X)[1](1.0)[0], 2.0 * X, LINES),
    "hessian": (lambda: tl.hessian(printing)(X), 2.0 * np.eye(2), LINES),
    "vmap": (lambda: tl.vmap(inner, in_axes=(0, None))(X, 7), X * X, IN_BATCH),
    "map in a function": (lambda: tl.function(on_map)(X), X * X, IN_BATCH),
    "map outside": (lambda: tl.map(lambda v: inner(v, 7), X), X * X, IN_BATCH),
    "grad in a function": (lambda: tl.function(second)(X), 4.0 * X, LINES),
    "outside": (lambda: tl.debug_print("{1} {0}", 1, X), None, ["[1. 2.] 1"]),
}


@pytest.mark.one_in(3)
@pytest.mark.parametrize("name", CASES)
def test_what_is_printed(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    call, wanted, lines = CASES[name]
    result = call()
    assert capsys.readouterr().out.splitlines() == lines
    if wanted is None:
        assert result is None
    else:
        np.testing.assert_allclose(result, wanted, rtol=1e-12)


def test_without_compilation(capsys: pytest.CaptureFixture[str]) -> None:
    with tl.disable_jit():
        assert printing(X) == 5.0
    assert capsys.readouterr().out.splitlines() == LINES


def test_functions_that_do_not_print_run_compiled() -> None:
    silent(X)
    assert silent._latest != silent._dispatch


def expression(x):
    y = tl.debug_print("{}", x)
    return y


def structures(p):
    tl.debug_print("{}", p["x"])
    return p["x"]


@tl.function
def without_values(x):
    tl.debug_print("{} {}", x)
    return x


REFUSED: dict[str, Callable[[], Any]] = {
    "kernels do not print; call the function itself": lambda: tl.compile(printing, (X,)),
    "kernels do not print": lambda: tl.grad(printing).lower(X),
    "works on the CPU, and not for target='cuda:sm_90'": lambda: tl.jit(printing, target="cuda:sm_90")(X),
    "with 1 values cannot be printed": lambda: without_values(1.0),
    "give it a text first": lambda: tl.debug_print(X),
    "as a statement of its own": lambda: tl.function(expression)(1.0),
    "tl.vmap of structures": lambda: tl.vmap(structures)({"x": X}),
}


@pytest.mark.one_in(2)
@pytest.mark.parametrize("message", REFUSED)
def test_refusals(message: str) -> None:
    with pytest.raises(tl.TapelessError, match=re.escape(message)):
        REFUSED[message]()


def test_procedures_do_not_print() -> None:
    with pytest.raises(tl.TapelessError):

        @tl.reversible
        def procedure(x: tl.f64):
            tl.debug_print("{}", x)
            x += 1.0

        procedure(1.0)
