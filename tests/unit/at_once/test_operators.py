"""Operators called outside of functions compute at once: every public one against numpy or the standard library."""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from pathlib import Path
from statistics import NormalDist
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

import tapeless as tl
from function_from_text import function_from_text
from tapeless import lang
from tapeless.frontend.composed.table import DEFINITIONS
from tapeless.manual import ENTRIES

X, Y = np.array([0.3, -0.75, 0.9, 0.1]), np.array([0.2, 0.4, -0.6, 0.8])
POSITIVE = np.array([1.5, 2.0, 3.25])
M = np.sin(np.arange(12.0)).reshape(3, 4)
SQUARE = np.cos(np.arange(9.0)).reshape(3, 3)
WHOLE, BOOLS = np.array([3, -1, 4, 1]), np.array([True, False, True])

Case = tuple[tuple[Any, ...], dict[str, Any], Callable[..., Any]]


def case(reference: Callable[..., Any], *arguments: Any, **named: Any) -> Case:
    return arguments, named, reference


def same(name: str, *arguments: Any, **named: Any) -> Case:
    """A case whose reference is numpy's function of the same name."""
    return arguments, named, getattr(np, name)


def unary(reference: Callable[..., Any], at: np.ndarray = X) -> list[Case]:
    return [case(reference, at), case(reference, float(at[0]))]


def histogram(op: Any, neutral: Any, dest: Any, keys: Any, values: Any) -> Any:
    result = dest.copy()
    np.add.at(result, keys, values)
    return result


UNARY = {
    "exp": np.exp,
    "exp2": np.exp2,
    "expm1": np.expm1,
    "sin": np.sin,
    "cos": np.cos,
    "tan": np.tan,
    "asin": np.arcsin,
    "acos": np.arccos,
    "atan": np.arctan,
    "sinh": np.sinh,
    "cosh": np.cosh,
    "tanh": np.tanh,
    "asinh": np.arcsinh,
    "atanh": np.arctanh,
    "cbrt": np.cbrt,
    "erf": np.vectorize(math.erf),
    "erfc": np.vectorize(math.erfc),
    "erfinv": np.vectorize(lambda x: NormalDist().inv_cdf((x + 1) / 2) / math.sqrt(2)),
    "sigmoid": lambda x: 1 / (1 + np.exp(-x)),
    "softplus": lambda x: np.logaddexp(0, x),
    "floor": np.floor,
    "ceil": np.ceil,
    "trunc": np.trunc,
    "round": np.round,
    "abs": np.abs,
    "sign": np.sign,
    "isnan": np.isnan,
    "isfinite": np.isfinite,
    "isinf": np.isinf,
    "stop_gradient": np.copy,
    "square": np.square,
    "reciprocal": np.reciprocal,
    "negative": np.negative,
    "fabs": np.fabs,
    "relu": lambda x: np.maximum(x, 0),
    "degrees": np.degrees,
    "radians": np.radians,
    "logical_not": np.logical_not,
    "zeros_like": np.zeros_like,
    "ones_like": np.ones_like,
    "copy": np.copy,
}
ON_POSITIVE = {
    "log": np.log,
    "log2": np.log2,
    "log10": np.log10,
    "log1p": np.log1p,
    "sqrt": np.sqrt,
    "rsqrt": lambda x: 1 / np.sqrt(x),
    "acosh": np.arccosh,
    "lgamma": np.vectorize(math.lgamma),
}
BINARY = {
    "atan2": np.arctan2,
    "hypot": np.hypot,
    "minimum": np.minimum,
    "maximum": np.maximum,
    "add": np.add,
    "subtract": np.subtract,
    "multiply": np.multiply,
    "divide": np.divide,
    "mod": np.mod,
    "floor_divide": np.floor_divide,
    "divmod": np.divmod,
    "fmin": np.fmin,
    "fmax": np.fmax,
    "heaviside": np.heaviside,
    "logaddexp": np.logaddexp,
    "logical_and": np.logical_and,
    "logical_or": np.logical_or,
    "logical_xor": np.logical_xor,
}
REDUCTIONS = ("sum", "prod", "mean", "min", "max", "argmin", "argmax", "any", "all", "var", "std", "median")

CASES: dict[str, list[Case]] = {
    **{name: unary(reference) for name, reference in UNARY.items()},
    **{name: unary(reference, POSITIVE) for name, reference in ON_POSITIVE.items()},
    **{name: [case(f, X, Y), case(f, M, X), case(f, X, 0.5), case(f, 2.0, 0.5)] for name, f in BINARY.items()},
    **{name: [same(name, X), same(name, M, axis=1), same(name, M, axis=0, keepdims=True)] for name in REDUCTIONS},
    "digamma": [case(lambda x: -0.5772156649015329, 1.0)],
    "pow": [case(np.power, POSITIVE, 2.5), case(np.power, X, 3), case(np.power, WHOLE, 2), case(np.power, 2, 3)],
    "clamp": [case(np.clip, X, -0.2, 0.5), case(np.clip, 3, 0, 2)],
    "clip": [case(np.clip, X, -0.2, 0.5), case(lambda x, a_max: np.minimum(x, a_max), X, a_max=0.2)],
    "where": [case(np.where, X > 0, X, Y), case(np.where, BOOLS, 1.0, 2), case(np.where, X > 0, X, 0)],
    "fma": [case(lambda x, y, z: x * y + z, X, Y, 1.0)],
    "int": [case(int, 2.75), case(int, -2.75)],
    "float": [case(float, 3), case(float, True)],
    "bool": [case(bool, 2.5), case(bool, 0)],
    "len": [case(len, M)],
    "zeros": [same("zeros", 3), same("zeros", (2, 3)), case(lambda n, dtype: np.zeros(n, int), 2, dtype=tl.i64)],
    "ones": [same("ones", 3), case(lambda n, dtype: np.ones(n, np.float32), (2, 2), dtype="float32")],
    "full": [same("full", 3, 1.5), same("full", (2, 3), 7)],
    "full_like": [same("full_like", M, 2.5), case(np.full_like, WHOLE, 7)],
    "iota": [case(np.arange, 5)],
    "linspace": [same("linspace", 0.0, 1.0, 5)],
    "concat": [case(np.concatenate, (X, Y)), case(np.concatenate, [M, SQUARE], axis=1)],
    "stack": [same("stack", (X, Y)), same("stack", [X, Y], axis=1)],
    "reshape": [same("reshape", M, (2, 6)), same("reshape", M, (4, -1)), same("reshape", M, 12)],
    "transpose": [same("transpose", M), same("transpose", M.reshape(2, 2, 3), (1, 0, 2))],
    "reverse": [case(lambda x, axis=0: np.flip(x, axis), X), case(np.flip, M, axis=1)],
    "astype": [case(lambda x, d: x.astype(int), X * 9, tl.i64), case(lambda x, d: x.astype(float), WHOLE, np.float64)],
    "dot": [same("dot", X, Y), same("dot", M, X)],
    "matmul": [same("matmul", M, X), same("matmul", SQUARE, M)],
    "outer": [same("outer", X, POSITIVE)],
    "cumsum": [same("cumsum", X), same("cumsum", M, axis=1)],
    "cumprod": [same("cumprod", X), same("cumprod", M, axis=1)],
    "logsumexp": [case(lambda x: np.log(np.sum(np.exp(x))), M)],
    "softmax": [case(lambda x: np.exp(x) / np.sum(np.exp(x)), X)],
    "norm": [case(np.linalg.norm, X), case(np.linalg.norm, M, axis=1)],
    "sort": [same("sort", X), same("sort", M, axis=0)],
    "argsort": [same("argsort", X), same("argsort", M, axis=0)],
    "average": [same("average", X), same("average", M, axis=0, weights=POSITIVE)],
    "arange": [same("arange", 5), same("arange", 2, 9, 3), same("arange", 0.5, 2.0, 0.25)],
    "array": [same("array", [[1, 2], [3, 4]]), same("array", [0.5, 1]), same("array", X), same("array", [X, Y])],
    "eye": [same("eye", 3), same("eye", 3, 4, k=1)],
    "identity": [same("identity", 3)],
    "diag": [same("diag", X), same("diag", SQUARE, k=1)],
    "diagonal": [same("diagonal", SQUARE), same("diagonal", SQUARE, offset=-1)],
    "trace": [same("trace", SQUARE), same("trace", SQUARE, 1)],
    "tril": [same("tril", SQUARE), same("tril", M, 1)],
    "triu": [same("triu", SQUARE), same("triu", M, -1)],
    "cross": [same("cross", POSITIVE, SQUARE[0])],
    "meshgrid": [case(lambda *x: tuple(np.meshgrid(*x)), X, POSITIVE)],
    "inner": [same("inner", X, Y), same("inner", M, X)],
    "vdot": [same("vdot", M, M)],
    "einsum": [same("einsum", "ij,jk->ik", SQUARE, M), same("einsum", "ij->j", M)],
    "hstack": [same("hstack", (X, Y))],
    "vstack": [same("vstack", [X, M])],
    "append": [same("append", X, M), same("append", M, M, axis=1)],
    "tile": [same("tile", X, 2), same("tile", M, (2, 1))],
    "repeat": [same("repeat", X, 3), same("repeat", M, 2, axis=0)],
    "pad": [same("pad", X, 1), same("pad", M, ((1, 0), (2, 1)), constant_values=0.5)],
    "flip": [same("flip", M), same("flip", M, axis=1)],
    "flipud": [same("flipud", M)],
    "fliplr": [same("fliplr", M)],
    "roll": [same("roll", X, 2), same("roll", M, -1, axis=1)],
    "diff": [same("diff", X), same("diff", M, n=2, axis=0)],
    "ravel": [same("ravel", M)],
    "flatten": [case(np.ravel, M)],
    "expand_dims": [same("expand_dims", X, 0), same("expand_dims", M, axis=-1)],
    "squeeze": [same("squeeze", M[:1]), same("squeeze", M[:, :1], axis=1)],
    "swapaxes": [same("swapaxes", M, 0, 1)],
    "moveaxis": [same("moveaxis", M.reshape(2, 2, 3), 0, -1)],
    "take": [same("take", X, np.array([2, 0, -1])), same("take", M, 1, axis=1)],
    "flatnonzero": [same("flatnonzero", X > 0.0), same("flatnonzero", np.round(M))],
    "nonzero": [same("nonzero", X > 0.0), same("nonzero", np.round(M))],
    "quantile": [same("quantile", X, 0.3), same("quantile", M, 0.5, axis=0)],
    "percentile": [same("percentile", X, 30.0)],
    "ptp": [same("ptp", M, axis=1)],
    "count_nonzero": [same("count_nonzero", np.round(M))],
    "cov": [same("cov", M), same("cov", M, rowvar=False, ddof=0)],
    "tensordot": [same("tensordot", M, M.T, axes=1)],
    "kron": [same("kron", X, Y)],
    "split": [same("split", X, 2), same("split", M, (1,), axis=1)],
    "array_split": [same("array_split", X, 3)],
    "trapezoid": [same("trapezoid", X), same("trapezoid", M, dx=0.5, axis=0)],
    "gradient": [same("gradient", X), same("gradient", M, 0.5, axis=1)],
    "polyval": [same("polyval", X, Y)],
    "convolve": [same("convolve", X, Y), same("convolve", X, Y, mode="valid")],
    "nan_to_num": [same("nan_to_num", np.array([np.nan, np.inf, 1.0]), posinf=3.0)],
    "select": [same("select", [X > 0.5, X > 0.0], [X, Y], 2.0)],
    "sinc": [same("sinc", X), same("sinc", 0.0)],
    "isclose": [same("isclose", X, X + 1e-6)],
    "allclose": [same("allclose", X, Y)],
    "searchsorted": [same("searchsorted", np.sort(X), Y), same("searchsorted", np.sort(X), 0.3, side="right")],
    "interp": [same("interp", X, np.sort(Y), Y), same("interp", 0.3, np.sort(Y), Y, left=7.0)],
    "bincount": [same("bincount", np.array([1, 0, 1])), same("bincount", np.array([2, 0]), minlength=5)],
    "map": [
        case(lambda f, x: f(x), lambda v: v * v + 1.0, X),
        case(
            lambda f, m, x: np.array([np.sum(row) * k for row, k in zip(m, x, strict=True)]),
            lambda r, k: tl.sum(r) * k,
            M,
            POSITIVE,
        ),
        case(lambda f, x: np.exp(x), tl.exp, X),
        case(lambda f, x: np.tanh(x), np.tanh, X),
    ],
    "reduce": [
        case(lambda op, n, x: np.max(x), tl.maximum, -tl.inf, X),
        case(lambda op, n, x: np.prod(x), lambda a, b: a * b, 1.0, X),
    ],
    "scan": [
        case(lambda op, n, x: np.cumsum(x), lambda a, b: a + b, 0.0, X),
        case(lambda op, n, x, exclusive: np.cumsum(x) - x, tl.add, 0, WHOLE, exclusive=True),
    ],
    "hist": [case(histogram, lambda a, b: a + b, 0.0, X, np.array([1, 0, 1]), POSITIVE)],
    "scatter": [case(lambda d, k, v: np.array([d[0], v[1], v[0], d[3]]), X, np.array([2, 1]), POSITIVE[:2])],
    "range": [case(lambda *bounds, **_: range(*bounds), 2, 9, 3), case(lambda n, **_: range(n), 4, stripmine=2)],
}
# What is a part of a statement, with what the refusal tells to write.
STATEMENTS = {
    "bounded": (True, 3),
    "ancilla": (0.0,),
    "routine": (),
    "cond": (True, True),
    "recip": (1.0,),
    "rot": (1.0, 2.0, 0.5),
    "hadamard": (1.0, 2.0),
    "new_stack": (tl.f64, 4),
    "push": (None, 1.0),
    "pop": (None, 0.0),
}


def agrees(result: Any, expected: Any) -> bool:
    expected = tuple(expected) if isinstance(expected, list) else expected
    if isinstance(expected, (tuple, range)):
        return type(result) is type(expected) and all(agrees(*pair) for pair in zip(result, expected, strict=True))
    kinds = np.asarray(result).dtype, np.asarray(expected).dtype
    assert np.shape(result) == np.shape(expected)
    assert kinds[0] == kinds[1]
    np.testing.assert_allclose(result, expected, rtol=1e-12, atol=1e-14)
    return True


def test_every_operator_has_a_case() -> None:
    """A case of its own, or numpy has its name too, so that its example in the manual is one."""
    printing = {"debug_print"}  # it gives nothing, and has tests of its own
    assert lang.OPERATORS.keys() - CASES.keys() - EXAMPLES.keys() - STATEMENTS.keys() - printing == set()


@pytest.mark.one_in(20)
@pytest.mark.parametrize("name", CASES)
def test_against_numpy(name: str) -> None:
    for arguments, named, reference in CASES[name]:
        assert agrees(getattr(tl, name)(*arguments, **named), reference(*arguments, **named))


BY_NUMPY = SimpleNamespace(**vars(np), iota=np.arange, sliding_window_view=np.lib.stride_tricks.sliding_window_view)
EXAMPLES = {name: ENTRIES[name].example for name in DEFINITIONS if hasattr(BY_NUMPY, name) and name not in CASES}


@pytest.mark.one_in(10)
@pytest.mark.parametrize("name", EXAMPLES)
def test_examples_against_numpy(name: str) -> None:
    assert agrees(eval(EXAMPLES[name], {"tl": tl}), eval(EXAMPLES[name], {"tl": BY_NUMPY}))


@pytest.mark.parametrize("name", STATEMENTS)
def test_parts_of_statements_are_refused(name: str) -> None:
    with pytest.raises(tl.TapelessError, match=rf"tl\.{name} cannot be called here; (use it as|write) "):
        getattr(tl, name)(*STATEMENTS[name])


def test_numbers_of_python_are_as_weak_as_literals() -> None:
    single = np.ones(3, np.float32)
    assert tl.maximum(single, 0.5).dtype == np.float32
    assert tl.maximum(single, np.float64(0.5)).dtype == np.float64
    assert tl.add(np.array([1, 2], np.int32), 3).dtype == np.int32
    assert isinstance(tl.add(np.float32(1.0), 2), np.float32)
    assert (tl.add(1, 2), type(tl.add(1, 2)), type(tl.add(1, 2.0))) == (3, int, float)


def test_what_a_function_captures_is_read_in_every_call() -> None:
    factor = 2.0

    def scaled(v):
        return v * factor

    assert list(tl.map(scaled, X)) == list(2.0 * X)
    factor = 3.0
    assert list(tl.map(scaled, X)) == list(3.0 * X)


ERRORS = {
    "tl.exp: missing a required argument: 'x'; its parameters are": (lambda: tl.exp(), tl.ArgumentError),
    "tl.range: ": (lambda: tl.range(1.5), tl.ArgumentError),
    "axis 1 is out of range for an array of rank 1": (lambda: tl.sum(X, axis=1), tl.ShapeMismatch),
    "this operand is the string 'a'": (lambda: tl.exp("a"), tl.TypeMismatch),
    "dtype complex128 is not supported": (lambda: tl.exp(X * 1j), tl.TypeMismatch),
    "sizes 4 and 3 of axis 0 do not match": (lambda: tl.dot(X, POSITIVE), tl.ShapeMismatch),
    "set comprehensions are not supported": (lambda: tl.map(lambda v: {v for _ in X}, X), tl.FrontendError),
    "does not fit tl.i64": (lambda: tl.exp(2**70), tl.TypeMismatch),
}


LINALG: list[Callable[[Any], Any]] = [
    lambda linalg: linalg.solve(SQUARE + np.eye(3), POSITIVE),
    lambda linalg: linalg.inv(SQUARE + np.eye(3)),
    lambda linalg: linalg.det(SQUARE + np.eye(3)),
    lambda linalg: tuple(linalg.slogdet(SQUARE + np.eye(3))),
    lambda linalg: linalg.cholesky(SQUARE @ SQUARE.T + np.eye(3), upper=True),
    lambda linalg: linalg.norm(M, ord=-np.inf, axis=(1, 0), keepdims=True),
    lambda linalg: linalg.norm(M, 1, 0),
]


@pytest.mark.one_in(4)
@pytest.mark.parametrize("call", LINALG, ids=range(len(LINALG)))
def test_linear_algebra(call: Callable[[Any], Any]) -> None:
    np.testing.assert_allclose(call(tl.linalg), call(np.linalg), rtol=1e-12)


@pytest.mark.parametrize("message", ERRORS)
def test_errors(message: str) -> None:
    call, kind = ERRORS[message]
    with pytest.raises(kind, match=re.escape(message)) as caught:
        call()
    assert Path(caught.traceback[-1].path) == Path(__file__)


@pytest.mark.parametrize("name", ["lgamma", "tl_fail", "tl_alloc"])
def test_functions_may_have_the_names_of_libraries(name: str) -> None:
    text = f"def {name}(x):\n    return tl.lgamma(tl.sort(x))\n"
    result = tl.function(function_from_text(text, name))(np.array([3.5, 2.5]))
    np.testing.assert_allclose(result, [math.lgamma(2.5), math.lgamma(3.5)], rtol=1e-14)
