"""What messages tell users to write instead of functions of Python and numpy, against these functions."""

from __future__ import annotations

import builtins
import math
import random
import re
import time
from types import ModuleType
from typing import Any

import numpy as np
import pytest

import tapeless as tl
from tapeless import lang
from tapeless.frontend.values.capture import is_about_types
from tapeless.frontend.values.instead import BUILTINS, LINALG, MATH, instead_of, instead_of_module
from tapeless.frontend.values.instead_of_numpy import EXPRESSIONS, NUMPY
from tapeless.frontend.values.instead_of_tensors import EXPRESSIONS as TENSORS_EXPRESSIONS
from tapeless.types import type_of_annotation

X, Y = np.array([0.3, -1.2, 2.5, 0.7, 1.1]), np.array([1.5, 0.2, -0.4, 2.0, 0.9])
M = np.array([[1.5, 0.2], [-0.4, 2.0], [0.9, 0.3]])
HOLES, ZEROS = np.array([0.3, np.nan, 2.5, 0.7, -np.inf]), np.array([0.0, 1.0, 0.0, 2.0, 0.0])
N = 7
ARGUMENTS: dict[str, tuple[Any, ...]] = {
    "comb": (5, 2),
    "diagonal": (M,),
    "dist": (X, Y),
    "factorial": (5,),
    "gamma": (2.5,),
    "isqrt": (17,),
    "matrix_norm": (M,),
    "perm": (5, 2),
    "pinv": (M,),
    "trace": (M,),
}
ARGUMENTS |= {
    **{f"numpy.{name}": (HOLES,) for name in ("isneginf", "isposinf", "nanargmax", "nanargmin", "nancumprod")},
    **{f"numpy.{name}": (HOLES,) for name in ("nancumsum", "nanmedian")},
    **{f"numpy.{name}": (X, X[1:3]) for name in ("intersect1d", "setdiff1d", "union1d")},
    **{f"numpy.{name}": (X > 0, Y) for name in ("compress", "extract")},
    **{f"numpy.{name}": (X, Y) for name in ("logaddexp2", "polyadd", "polymul", "polysub")},
    **{f"numpy.{name}": (N,) for name in ("bartlett", "hamming", "hanning")},
    "numpy.array_equiv": (X, X),
    "numpy.bitwise_count": (np.array([5, -3, 0]),),
    "numpy.diagflat": (M,),
    "numpy.float_power": (np.arange(4), 2.5),
    "numpy.ldexp": (X, np.array([1, 2, 0, 3, 1])),
    "numpy.matvec": (M, X[:2]),
    "numpy.nanpercentile": (HOLES[:4], 30.0),
    "numpy.nanquantile": (HOLES[:4], 0.3),
    "numpy.trim_zeros": (ZEROS,),
    "numpy.unwrap": (np.array([0.0, 4.0, 8.0, 1.0]),),
    "numpy.vecmat": (X[:3], M),
    "math.ldexp": (0.75, 3),
    "math.modf": (2.75,),
    "math.remainder": (7.5, 2.0),
}
# Statements, what needs other names than x and y, and what numpy says otherwise.
NO_EXPRESSION = set(
    "apply_over_axes argpartition asmatrix blackman bmat broadcast broadcast_shapes c_ choose copyto delete "
    "diag_indices_from dsplit fill_diagonal fromfunction fromiter frompyfunc gcd histogram2d histogramdd index_exp "
    "insert lcm lexsort "
    "mask_indices mgrid ndenumerate ndindex nditer ogrid partition piecewise place poly poly1d polyfit put "
    "put_along_axis putmask r_ ravel_multi_index resize rollaxis row_stack s_ setxor1d tril_indices_from "
    "triu_indices_from unstack vectorize".split()
)
OUTSIDE = "outside of the function"
CASES = [
    *((np, name, text) for name, text in EXPRESSIONS.items() if name not in NO_EXPRESSION),
    *((np.linalg, name, text) for name, text in LINALG.items() if name in {*ARGUMENTS, "vector_norm"}),
    *((math, name, text) for name, text in MATH.items() if OUTSIDE not in text and name not in NO_EXPRESSION),
    *((builtins, name, BUILTINS[name]) for name in ("reversed", "sorted")),
]


@pytest.mark.one_in(9)
@pytest.mark.parametrize(("module", "name", "text"), CASES, ids=[f"{each[0].__name__}.{each[1]}" for each in CASES])
def test_what_to_write_means_the_same(module: ModuleType, name: str, text: str, tmp_path) -> None:
    arguments = ARGUMENTS.get(f"{module.__name__}.{name}", ARGUMENTS.get(name, (X,)))
    expected = getattr(module, name)(*arguments)
    expected = list(expected) if module is builtins else expected
    function = written(text.split(" for ")[0], tmp_path)
    second = arguments[1] if len(arguments) > 1 else Y
    found = function(arguments[0], second)
    if not isinstance(expected, tuple):
        found, expected = (found,), (expected,)
    for part, wanted in zip(found, expected, strict=True):
        np.testing.assert_allclose(part, np.asarray(wanted), rtol=1e-13, atol=1e-14)


def written(text: str, folder: Any) -> Any:
    source = folder / "written.py"
    source.write_text(f"import numpy as np\nimport tapeless as tl\ndef f(x, y):\n    n = {N}\n    return {text}\n")
    names: dict[str, Any] = {"np": np, "tl": tl}
    exec(compile(source.read_text(), str(source), "exec"), names)
    return tl.jit(names["f"])


def test_operators_need_nothing_instead() -> None:
    tables = ((np, NUMPY), (np.linalg, LINALG), (math, MATH))
    named = [f"{module.__name__}.{name}" for module, table in tables for name in table if known(module, name)]
    assert named == []


def known(module: ModuleType, name: str) -> bool:
    return lang.meaning(getattr(module, name)) is not None


def is_said(value: Any) -> bool:
    """Whether something means something in the language, or there is something to write instead."""
    return (
        lang.meaning(value) is not None
        or type_of_annotation(value) is not None
        or instead_of(value) is not None
        or instead_of_module(value) is not None
        or is_about_types(value)
    )


PLAIN = (ModuleType, float, str, bool, np.bool_, dict, list, tuple, type(None))


def test_every_name_of_numpy_works_or_is_refused_with_what_to_write() -> None:
    names = {name for name in np.__all__ if not name.startswith("_")}
    assert [
        name for name in sorted(names) if not isinstance(getattr(np, name), PLAIN) and not is_said(getattr(np, name))
    ] == []
    for module in (np.fft, np.random):
        assert [
            name for name in module.__all__ if callable(getattr(module, name)) and not is_said(getattr(module, name))
        ] == []


def test_every_function_of_math_works_or_is_refused_with_what_to_write() -> None:
    functions = [name for name, value in vars(math).items() if callable(value) and not name.startswith("_")]
    assert [name for name in functions if not is_said(getattr(math, name))] in ([], ["cbrt"])


# What arrays of PyTorch and JAX have, with a value of numpy that is the same.
MATRIX = np.array([[1.5, 0.2], [-0.4, 2.0]])
SAME = {
    "add": MATRIX + 2.0,
    "block_until_ready": MATRIX,
    "bmm": MATRIX @ MATRIX,
    "bool": MATRIX.astype(bool),
    "chunk": np.array_split(MATRIX, 2),
    "clone": MATRIX,
    "contiguous": MATRIX,
    "cpu": MATRIX,
    "detach": MATRIX,
    "dim": 2,
    "div": MATRIX / 2.0,
    "double": MATRIX,
    "expand": np.stack([MATRIX] * 3),
    "float": MATRIX.astype(np.float32),
    "index_select": MATRIX[:, [1, 1, 0]],
    "int": MATRIX.astype(np.int32),
    "long": MATRIX.astype(np.int64),
    "masked_fill": np.where(MATRIX > 0, 7.0, MATRIX),
    "matmul": MATRIX @ MATRIX,
    "mm": MATRIX @ MATRIX,
    "mul": MATRIX * 2.0,
    "mv": MATRIX @ MATRIX[0],
    "neg": -MATRIX,
    "numel": 4,
    "numpy": MATRIX,
    "permute": MATRIX.T,
    "pow": MATRIX**2.0,
    "relu": np.maximum(MATRIX, 0.0),
    "rsqrt": 1.0 / np.sqrt(MATRIX[0]),
    "split": np.split(MATRIX, [1]),
    "sub": MATRIX - 2.0,
    "t": MATRIX.T,
    "to": MATRIX.astype(np.float32),
    "topk": np.sort(MATRIX[0])[::-1][:1],
    "type": MATRIX.astype(np.float32),
    "unsqueeze": MATRIX[:, None],
}
STATEMENTS = {"unbind", "zero_"}
MATRICES, VECTORS = {"matmul", "mm", "bmm"}, {"rsqrt", "topk"}
GIVEN = (
    "shape, indices, axis, mask, value, axes = (3, 2, 2), tl.array([1, 1, 0]), 1, x > 0, 7.0, (1, 0)\n"
    "    k, positions, dtype = 1, [1], tl.f32"
)


@pytest.mark.parametrize("name", sorted(set(TENSORS_EXPRESSIONS) - STATEMENTS))
def test_what_to_write_for_tensors_means_the_same(name: str, tmp_path) -> None:
    given = GIVEN if name not in VECTORS else "k = 1"
    n, text = (2, TENSORS_EXPRESSIONS[name])
    source = tmp_path / "written.py"
    source.write_text(f"import tapeless as tl\ndef f(x, y):\n    n = {n}\n    {given}\n    return {text}\n")
    names: dict[str, Any] = {"tl": tl}
    exec(compile(source.read_text(), str(source), "exec"), names)
    y = MATRIX if name in MATRICES else MATRIX[0] if name == "mv" else 2.0
    found = tl.jit(names["f"])(MATRIX[0] if name in VECTORS else MATRIX, y)
    same = SAME[name] if isinstance(SAME[name], list) else [SAME[name]]
    for part, wanted in zip(found if isinstance(found, (list, tuple)) else [found], same, strict=True):
        assert np.asarray(part).dtype == np.asarray(wanted).dtype
        np.testing.assert_allclose(part, wanted, rtol=1e-7)


def test_names_of_other_libraries() -> None:
    class Function:
        """A function of a library that is not installed."""

        def __init__(self, name: str, module: str) -> None:
            self.__name__, self.__module__ = name, module

        def __call__(self, x: Any) -> Any:
            return x

    for name, module, advice in (
        ("sum", "jax.numpy", r"write np\.sum"),
        ("softmax", "torch.nn.functional", r"write tl\.softmax"),
        ("gelu", "jax.nn", "write operators of the language"),
        ("float32", "jax.numpy", r"write np\.float32"),
        ("scan", "jax.lax", r"write for v in x:"),
        ("while_loop", "jax.lax", r"write while condition:"),
    ):
        function = Function(name, module)
        assert re.fullmatch(advice.removeprefix("write ") + ".*", instead_of_module(function) or "")


def test_the_transform_of_fourier() -> None:
    @tl.function
    def parts(x):
        n = len(x)
        a = 2 * tl.pi / n * tl.outer(tl.iota(n), tl.iota(n))
        return (tl.cos(a) @ x, -tl.sin(a) @ x)

    real, imaginary = parts(X)
    assert "(tl.cos(a) @ x, -tl.sin(a) @ x)" in (instead_of_module(np.fft.fft) or "")
    np.testing.assert_allclose(real + 1j * imaginary, np.fft.fft(X), atol=1e-13)


@pytest.mark.parametrize(
    ("function", "advice"),
    [
        (lambda x: x.at[0].set(1.0), r"write x\[i\] = v, x\[i\] \+= v"),
        (lambda x: x.unsqueeze(0), r"write tl\.expand_dims\(x, axis\)"),
        (lambda x: x.resize(3), r"write tl\.reshape\(tl\.tile"),
        (lambda x: x.compress(x > 0), r"write x\[condition\]"),
        (lambda x: x.backward(), r"write tl\.grad\(f\)\(x\)"),
        (lambda x: list(x), r"write x itself"),
        (lambda x: sum(range(3)) * x, r"or write tl\.iota\(n\)"),
        (lambda x: x.astype(complex), "there are no complex numbers here"),
        (lambda x: set(x), r"write tl\.unique\(x\)"),
        (lambda x: (x, print(x)), r"write tl\.debug_print"),
        (lambda x: x + np.finfo(np.int32).eps, "use np.iinfo for integers"),
        (lambda x: x + np.finfo(x.dtype).epsilon, "use max, min, bits, eps"),
        (lambda x: np.fft.fft(x), "there are no complex numbers here"),
        (lambda x: x * np.random.rand(5), "functions are pure"),
        (lambda x: x * random.random(), "functions are pure"),
        (lambda x: x * time.process_time(), "functions are pure"),
        (lambda x: np.linalg.svd(x), r"write np\.linalg\.svd outside of the function"),
        (lambda x: np.r_[x, x], r"write tl\.concat\(\(x, y\)\)"),
        (lambda x: np.int16(x), r"write tl\.f64, tl\.f32, tl\.i64"),
        (lambda x: np.seterr(all="ignore"), "compiled code gives infinities and NaN without warnings"),
        (lambda x: math.gamma(x[0]), r"write tl\.exp\(tl\.lgamma\(x\)\)"),
        (lambda x: isinstance(x, int), "types are known when compiling"),
    ],
)
def test_messages(function: Any, advice: str) -> None:
    with pytest.raises((tl.FrontendError, tl.TypeMismatch), match=advice) as error:
        tl.jit(function)(X)
    assert "test_instead.py:" in str(error.value)


@pytest.mark.parametrize("dtype", [np.float32, np.float64, np.int32, np.int64])
def test_limits_of_types(dtype: type) -> None:
    x, is_float = np.arange(3).astype(dtype), np.issubdtype(dtype, np.floating)

    def limits(x):
        return (
            (np.finfo(x.dtype).eps * x, np.finfo(x).tiny, np.finfo(dtype).bits)
            if is_float
            else (x + np.iinfo(x.dtype).min, np.iinfo(dtype).max, np.iinfo("int32").bits)
        )

    def wanted(x):
        kind = x.dtype
        return (
            (np.finfo(kind).eps * x, np.finfo(kind).tiny, np.finfo(kind).bits)
            if is_float
            else (x + np.iinfo(kind).min, np.iinfo(kind).max, 32)
        )

    for found, expected in zip(tl.function(limits)(x), wanted(x), strict=True):
        assert np.array_equal(found, expected)
        assert np.shape(found) == () or found.dtype == expected.dtype


def test_functions_of_scipy() -> None:
    special = pytest.importorskip("scipy.special")

    def function(x):
        return (
            special.erf(x),
            special.erfc(x),
            special.expit(x),
            special.gammaln(x),
            special.digamma(x),
            special.logsumexp(x, axis=0),
            special.softmax(x),
            special.softmax(x, axis=1),
        )

    for found, wanted in zip(tl.function(function)(M * M), function(M * M), strict=True):
        np.testing.assert_allclose(found, wanted, rtol=1e-12)
    with pytest.raises(tl.FrontendError, match="pass what scipy computes as arguments"):
        tl.function(lambda x: special.jv(0, x))(X)


def test_rows_that_differ() -> None:
    @tl.function
    def rows(x):
        return x[np.unique(x[:, 0] * 1000 + x[:, 1], return_index=True)[1]]

    x = np.array([[3, 1], [1, 2], [3, 1], [1, 1]])
    assert np.array_equal(rows(x), np.unique(x, axis=0))
    with pytest.raises(tl.FrontendError, match=r"write x\[tl\.unique\(keys, return_index=True\)\[1\]\]"):
        tl.function(lambda x: np.unique(x, axis=0))(x)
