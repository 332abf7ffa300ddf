"""What messages tell users to write instead of functions of Python and numpy, against these functions."""

from __future__ import annotations

import builtins
import math
from types import ModuleType
from typing import Any

import numpy as np
import pytest

import tapeless as tl
from tapeless import lang
from tapeless.frontend.values.instead import BUILTINS, LINALG, MATH, NUMPY

X, Y = np.array([0.3, -1.2, 2.5, 0.7, 1.1]), np.array([1.5, 0.2, -0.4, 2.0, 0.9])
M, N = np.array([[1.5, 0.2], [-0.4, 2.0], [0.9, 0.3]]), np.array([[0.5, 1.0, 2.0], [0.7, -0.4, 0.1]])
ARGUMENTS: dict[str, tuple[Any, ...]] = {
    "dist": (X, Y),
    "gamma": (2.5,),
    "cross": (X[:3], Y[:3]),
    "diagonal": (M,),
    "matmul": (M, N),
    "matrix_norm": (M,),
    "matrix_transpose": (M,),
    "outer": (X, Y),
    "pinv": (M,),
    "trace": (M,),
    "vecdot": (X, Y),
}
HOLES = np.array([0.3, np.nan, 2.5, 0.7, -np.inf])
PAIRS = {"logaddexp2"}
ARGUMENTS |= {
    **{f"numpy.{name}": (X, np.abs(Y) + 0.1) for name in PAIRS},
    "numpy.isneginf": (HOLES,),
    "numpy.isposinf": (HOLES,),
    "numpy.float_power": (np.arange(4), 2.5),
    "math.remainder": (7.5, 2.0),
}
# What no expression of x and y alone is.
NO_EXPRESSION = {
    *("delete", "insert", "piecewise"),
}
CASES = [
    *((np, name, text) for name, text in NUMPY.items() if name not in NO_EXPRESSION),
    *((np.linalg, name, text) for name, text in LINALG.items() if name in {*ARGUMENTS, "vector_norm"}),
    *((math, name, text) for name, text in MATH.items()),
    *((builtins, name, BUILTINS[name]) for name in ("reversed", "sorted")),
]


@pytest.mark.one_in(4)
@pytest.mark.parametrize(("module", "name", "text"), CASES, ids=[f"{each[0].__name__}.{each[1]}" for each in CASES])
def test_what_to_write_means_the_same(module: ModuleType, name: str, text: str, tmp_path) -> None:
    arguments = ARGUMENTS.get(f"{module.__name__}.{name}", ARGUMENTS.get(name, (X,)))
    expected = getattr(module, name)(*arguments)
    expected = list(expected) if module is builtins else expected
    function = written(text.split(" for ")[0], tmp_path)
    expected = np.asarray(expected)
    second = arguments[1] if len(arguments) > 1 else Y
    np.testing.assert_allclose(function(arguments[0], second), expected, rtol=1e-13)


def written(text: str, folder: Any) -> Any:
    source = folder / "written.py"
    source.write_text(f"import numpy as np\nimport tapeless as tl\ndef f(x, y):\n    return {text}\n")
    names: dict[str, Any] = {"np": np, "tl": tl}
    exec(compile(source.read_text(), str(source), "exec"), names)
    return tl.jit(names["f"])


def test_operators_need_nothing_instead() -> None:
    tables = ((np, NUMPY), (np.linalg, LINALG), (math, MATH))
    named = [f"{module.__name__}.{name}" for module, table in tables for name in table if known(module, name)]
    assert named == []


def known(module: ModuleType, name: str) -> bool:
    return lang.meaning(getattr(module, name)) is not None


@pytest.mark.parametrize(
    ("function", "advice"),
    [
        (lambda x: np.tensordot(x, x), "write tl.einsum with the indices written out"),
        (lambda x: math.gamma(x[0]), r"write tl\.exp\(tl\.lgamma\(x\)\)"),
    ],
)
def test_messages(function: Any, advice: str) -> None:
    with pytest.raises(tl.FrontendError, match=advice):
        tl.jit(function)(X)
