"""Functions of Python and numpy that are operators: by their own names, by other names, with other parameters."""

from __future__ import annotations

import builtins
import math
from collections.abc import Callable
from types import BuiltinFunctionType, FunctionType
from typing import Any, TypeVar

import numpy as np

from tapeless.lang.matrices import LINALG
from tapeless.lang.operator import Operator
from tapeless.lang.tables import NUMPY, OPERATORS, PYTHON

F = TypeVar("F", bound=Callable[..., Any])

_BUILTINS = ("abs", "min", "max", "sum", "int", "float", "bool", "round", "len", "pow", "range", "any", "all", "divmod")
_NUMPY_NAMES = {
    "absolute": "abs",
    "arcsin": "asin",
    "arccos": "acos",
    "arctan": "atan",
    "arctan2": "atan2",
    "arcsinh": "asinh",
    "arccosh": "acosh",
    "arctanh": "atanh",
    "power": "pow",
    "concatenate": "concat",
    "remainder": "mod",
    "true_divide": "divide",
    "rad2deg": "degrees",
    "deg2rad": "radians",
    "asarray": "array",
    "empty": "zeros",
    "empty_like": "zeros_like",
    "amin": "min",
    "amax": "max",
    "around": "round",
    "rint": "round",
    "fix": "trunc",
    "positive": "copy",
    "real": "copy",
    "conj": "copy",
    "asanyarray": "array",
    "ascontiguousarray": "array",
    "cumulative_sum": "cumsum",
    "cumulative_prod": "cumprod",
}
# Functions of `np.linalg` that mean what those of `np` mean.
_LINALG_NAMES = ("cross", "matmul", "matrix_transpose", "outer", "tensordot", "vecdot")
_NOT_NUMPY = {"map", "reduce", "range", "int", "float", "bool", "len", "copy"}


def _aliases() -> dict[int, tuple[Any, Operator]]:
    found = [(getattr(builtins, name), name) for name in _BUILTINS]
    found += [(getattr(math, name), name) for name in OPERATORS if hasattr(math, name)]
    found += [(getattr(np, name), name) for name in OPERATORS.keys() - _NOT_NUMPY if hasattr(np, name)]
    found += [(getattr(np, name), meant) for name, meant in _NUMPY_NAMES.items()]
    found += [(np.copy, "copy")]
    operators = [(value, OPERATORS[name]) for value, name in found]
    named = ((getattr(np, name), meant) for name, meant in {**{each: each for each in NUMPY}, **_NUMPY_NAMES}.items())
    operators += [(value, NUMPY[meant]) for value, meant in named if meant in NUMPY]
    operators += [(getattr(builtins, name), operator) for name, operator in PYTHON.items()]
    operators += [(getattr(np.linalg, name), operator) for name, operator in LINALG.items()]
    operators += [(getattr(np.linalg, name), OPERATORS[name]) for name in _LINALG_NAMES]
    operators += [(np.lib.stride_tricks.sliding_window_view, OPERATORS["sliding_window_view"])]
    return {id(value): (value, operator) for value, operator in operators}


_ALIASES = _aliases()


def in_language(function: F) -> F:
    """A Python function that is an operator of the same name and signature inside functions of the language."""
    operator = Operator(function.__name__, function, function.__doc__ or "")
    _ALIASES[id(function)] = (function, operator)
    return function


def meaning(value: Any) -> Operator | None:
    """The operator a Python object stands for inside a function, or None."""
    if isinstance(value, Operator):
        return value
    known = _ALIASES.get(id(value))
    return known[1] if known else _method(value) or _of_scipy(value)


def _method(value: Any) -> Operator | None:
    """The meaning of a method of one of numpy's functions, such as `np.add.reduce`."""
    owner = value.__self__ if isinstance(value, BuiltinFunctionType) else None
    operator = meaning(owner) if isinstance(owner, np.ufunc) else None
    return operator.methods.get(value.__name__) if operator else None


def _of_scipy(value: Any) -> Operator | None:
    """The meaning of a function of `scipy.special`, which is found by its name: scipy need not be there."""
    is_function = isinstance(value, FunctionType) and (value.__module__ or "").startswith("scipy.special.")
    if is_function or isinstance(value, np.ufunc):
        return _SCIPY.get(value.__name__)
    return None


_SCIPY: dict[str, Operator] = {
    **{
        name: OPERATORS[name]
        for name in ("erf", "erfc", "erfinv", "logsumexp", "cbrt", "exp2", "expm1", "log1p", "sinc")
    },
    "expit": OPERATORS["sigmoid"],
    "gammaln": OPERATORS["lgamma"],
    "psi": OPERATORS["digamma"],
    "digamma": OPERATORS["digamma"],
    "softmax": Operator("softmax", lambda x, axis=None: None, OPERATORS["softmax"].summary),
}
