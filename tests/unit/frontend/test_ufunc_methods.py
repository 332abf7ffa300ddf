"""Methods of functions of two numbers, `np.add.reduce` and its kin, against numpy; refusals say what to write."""

from __future__ import annotations

import pickle
from collections.abc import Callable
from operator import attrgetter
from typing import Any

import numpy as np
import pytest

import tapeless as tl
from frontend.running import check
from tapeless.frontend.composed.ufunc_methods import METHODS, REDUCTIONS
from tapeless.frontend.values import instead

X = np.array([0.3, -1.2, 2.5, 0.7, 1.1])
SPECIAL = np.array([-np.inf, -2.0, -0.0, 0.0, 0.5, np.inf, np.nan])
M, CUBE = np.arange(12.0).reshape(3, 4) ** 1.3 - 7.0, np.sin(np.arange(24.0)).reshape(2, 3, 4)
WHOLE, EMPTY, NO_ROWS = np.array([3, -1, 4, 1, -5, 9]), np.zeros(0), np.zeros((0, 3))
ARRAYS = [X, SPECIAL, M, CUBE, WHOLE, X > 0.5, X.astype(np.float32), EMPTY, NO_ROWS]
NEED_ELEMENTS = {"fmax", "fmin", "maximum", "minimum"}
HALVES = {"hypot", "logaddexp"}  # numpy computes them of bools in half precision
OF_INTEGERS = {"bitwise_and", "bitwise_or", "bitwise_xor", "left_shift", "right_shift"}


def reduce(function: Any) -> Callable[..., Any]:
    return lambda x: (function(x), function(x, axis=-1, keepdims=True), function(x, axis=None))


def accumulate(function: Any) -> Callable[..., Any]:
    return lambda x: (function(x), function(x, axis=-1))


def outer(function: Any) -> Callable[..., Any]:
    return lambda x: (function(x, x), function(x, 2.0), function(1.5, x), function(x, [1.0, 0.5]))


USES = {"reduce": reduce, "accumulate": accumulate, "outer": outer}


@pytest.mark.one_in(9)
@pytest.mark.parametrize("name", METHODS)
@pytest.mark.filterwarnings("ignore::RuntimeWarning")
def test_as_numpy(name: str) -> None:
    operator, method = name.split(".")
    if operator in OF_INTEGERS:
        function = attrgetter(name)(np)
        check(lambda k: (function(k, k[:2]), function(3, k)), np.array([3, 0, 4]))
        return
    for array in ARRAYS if method != "outer" else [X, M, WHOLE[:3], X.astype(np.float32), EMPTY]:
        if method == "outer" and array.dtype == int and operator not in REDUCTIONS:
            continue
        if array.dtype == bool and operator in HALVES:
            continue
        if method == "reduce" and operator in NEED_ELEMENTS and not array.size:
            continue
        check(USES[method](attrgetter(name)(np)), array, rtol=1e-6 if array.dtype == np.float32 else 1e-12)


def test_arrays_of_several_axes() -> None:
    check(
        lambda c, m: (
            np.add.reduce(c, axis=(0, 2)),
            np.hypot.reduce(c, axis=(1, -1), keepdims=True),
            np.logaddexp.accumulate(c, axis=1),
            np.maximum.reduce([m, m * m]),
            np.maximum.accumulate(-m, axis=1),
            np.subtract.outer(c, m[0]),
        ),
        CUBE,
        M,
    )


def test_other_spellings() -> None:
    """Methods of the operators themselves, captured ones, and calls outside of functions."""
    running, both = np.maximum.accumulate, np.add
    function = tl.function(
        lambda x: (running(x), both.reduce(x), tl.multiply.reduce(x), tl.map(np.add.reduce, x[None]))
    )
    expected = (np.maximum.accumulate(X), np.sum(X), np.prod(X), np.array([np.sum(X)]))
    for found, wanted in zip(function(X), expected, strict=True):
        np.testing.assert_allclose(found, wanted, rtol=1e-12)
    np.testing.assert_allclose(tl.subtract.outer(X, M), np.subtract.outer(X, M))
    assert tl.add.reduce(M, axis=None) == pytest.approx(np.sum(M))
    assert pickle.loads(pickle.dumps(tl.add.reduce)) is tl.add.reduce
    assert not hasattr(tl.exp, "reduce") and not hasattr(tl.subtract, "reduce")


def test_run_by_python() -> None:
    def function(x):
        return np.add.reduce(x), np.maximum.accumulate(x), np.subtract.outer(x, x), tl.logaddexp.reduce(x)

    with tl.disable_jit():
        found = tl.function(function)(X)
    for each, wanted in zip(found, tl.function(function)(X), strict=True):
        np.testing.assert_allclose(each, wanted, rtol=1e-12)


REFUSED: list[tuple[Callable[..., Any], str]] = [
    (lambda x: np.subtract.reduce(x), r"write x\[0\] - tl\.sum\(x\[1:\]\)"),
    (lambda x: np.power.accumulate(x), "write a loop over the elements that keeps each result"),
    (lambda x: np.add.reduceat(x, [0, 2]), r"write tl\.add\.reduce of each slice"),
    (lambda x: np.exp.reduce(x), "which has no methods: functions of two numbers have"),
    (lambda x: np.add.types, "whose methods are reduce, accumulate, outer"),
    (lambda x: np.add.at(x, [0], 1.0), r"write np\.add\.at\(x, indices, values\) as a statement"),
    (lambda x: np.fmax.reduce(x, where=x > 0.0), r"write tl\.where\(condition, x, other\) in place of x"),
    (lambda x: np.fmax.reduce(x, initial=1.0), r"combine it with the result, as in tl\.sum\(x\) \+ initial"),
    (lambda x: np.add.reduce(x, axis=1), "axis 1 is out of range for an array of rank 1"),
    (lambda x: np.add.accumulate(x, axis=None), "the axis is None"),
    (lambda x: np.maximum.reduce(x[:0]), "an array without elements has no smallest or largest one"),
]


@pytest.mark.parametrize(("function", "message"), REFUSED, ids=[each[1] for each in REFUSED])
def test_refused(function: Callable[..., Any], message: str) -> None:
    with pytest.raises(tl.TapelessError, match=message) as error:
        tl.function(function)(X)
    assert "test_ufunc_methods.py:" in str(error.value)


INSTEAD: dict[str, tuple[Callable[..., Any], Callable[..., Any]]] = {
    "divide.accumulate": (lambda x: x[0] * x[0] / tl.cumprod(x), np.divide.accumulate),
    "divide.reduce": (lambda x: x[0] / tl.prod(x[1:]), np.divide.reduce),
    "subtract.accumulate": (lambda x: 2 * x[0] - tl.cumsum(x), np.subtract.accumulate),
    "subtract.reduce": (lambda x: x[0] - tl.sum(x[1:]), np.subtract.reduce),
}


def test_what_to_write_means_the_same() -> None:
    statements = {name for name, text in instead.METHODS.items() if "as a statement" in text}
    assert instead.METHODS.keys() - INSTEAD.keys() == statements
    for written, wanted in INSTEAD.values():
        np.testing.assert_allclose(tl.function(written)(X), wanted(X), rtol=1e-12)
