"""Replacements of functions that Python and numpy have and the language has not."""

from __future__ import annotations

import builtins
import math
from typing import Any

import numpy as np

from tapeless.frontend.values.instead_of_numpy import MODULES, NUMPY
from tapeless.frontend.values.instead_of_tensors import FUNCTIONS, LIBRARIES, TENSORS
from tapeless.lang import OPERATORS, Operator, meaning
from tapeless.types import type_of_annotation

# What needs eigenvalues or singular values has no derivative rule here.
_OUTSIDE = "np.linalg.{} outside of the function, and pass its results as arguments"
_LEAST_SQUARES = "np.linalg.solve(x.T @ x, x.T @ y) for a matrix x with independent columns that is well-conditioned"
LINALG = {
    "cond": _OUTSIDE.format("cond"),
    "diagonal": "tl.diagonal(x)",
    "eig": _OUTSIDE.format("eig"),
    "eigh": _OUTSIDE.format("eigh"),
    "eigvals": _OUTSIDE.format("eigvals"),
    "eigvalsh": _OUTSIDE.format("eigvalsh"),
    "lstsq": _LEAST_SQUARES,
    "matrix_norm": "np.linalg.norm(x, ord='fro', axis=(-2, -1))",
    "matrix_rank": _OUTSIDE.format("matrix_rank"),
    "pinv": "np.linalg.solve(x.T @ x, x.T) for a matrix x with independent columns that is well-conditioned",
    "qr": "np.linalg.cholesky(x.T @ x).T for the factor R, up to signs, of a well-conditioned matrix",
    "svd": _OUTSIDE.format("svd"),
    "svdvals": _OUTSIDE.format("svdvals"),
    "tensorinv": "np.linalg.inv of the matrix that tl.reshape makes of x",
    "tensorsolve": "np.linalg.solve of the matrix that tl.reshape makes of x",
    "trace": "tl.trace(x)",
    "vector_norm": "np.linalg.norm(x) for a vector x",
}
MATH = {
    "dist": "tl.norm(x - y)",
    "comb": "tl.round(tl.exp(tl.lgamma(x + 1.0) - tl.lgamma(y + 1.0) - tl.lgamma(x - y + 1.0)))",
    "factorial": "tl.round(tl.exp(tl.lgamma(x + 1.0)))",
    "frexp": "math.frexp outside of the function, and pass its results as arguments",
    "fsum": "tl.sum(x)",
    "gamma": "tl.exp(tl.lgamma(x)) for positive x",
    "gcd": "a loop: while y != 0: x, y = y, x % y",
    "isqrt": "int(tl.sqrt(x))",
    "lcm": "x // g * y, where g is their greatest common divisor",
    "ldexp": "x * 2.0**y",
    "modf": "(x - tl.trunc(x), tl.trunc(x))",
    "nextafter": "math.nextafter outside of the function, and pass its result as an argument",
    "perm": "tl.round(tl.exp(tl.lgamma(x + 1.0) - tl.lgamma(x - y + 1.0)))",
    "ulp": "math.ulp outside of the function, and pass its result as an argument",
    "remainder": "x - y * tl.round(x / y)",
}
_SHOWN = "tl.debug_print('{}', x) as a statement of its own, or return what is to be seen"
BUILTINS = {
    "bytes": "numbers: functions compute with nothing else",
    "callable": "what holds for the functions that are passed",
    "complex": "its real and its imaginary part: there are no complex numbers here",
    "eval": "the expression itself",
    "exec": "the statements themselves",
    "filter": "x[condition], or [v for v in x if condition] for a list",
    "format": _SHOWN,
    "getattr": "x.name",
    "hasattr": "what holds for the structures that are passed",
    "id": "a value: arrays are values, and have no identity",
    "input": "what is read as an argument",
    "isinstance": "one function for each kind of argument; types are known when compiling, as in x.ndim == 1",
    "iter": "for v in x:",
    "next": "x[k], or for v in x:",
    "open": "what is read as an argument",
    "setattr": "dataclasses.replace(x, name=value)",
    "slice": "x[a:b], or x[slice(a, b)] in the index itself",
    "enumerate": "for i, v in enumerate(x):, also in [... for i, v in enumerate(x)]",
    "frozenset": "tl.unique(x)",
    "hash": "numbers themselves as keys, or tl.unique(x)",
    "map": "tl.map(f, x)",
    "print": _SHOWN,
    "repr": _SHOWN,
    "set": "tl.unique(x)",
    "str": _SHOWN,
    "type": "x.dtype or x.ndim, which are known when compiling",
    "reversed": "tl.reverse(x)",
    "sorted": "tl.sort(x)",
    "zip": "for v, w in zip(x, y):, also in [... for v, w in zip(x, y)]",
}
# Attributes and methods of arrays.
ATTRIBUTES = {
    **TENSORS,
    "argpartition": "tl.argsort(x)",
    "base": "x: arrays are values, and none is a view of another",
    "byteswap": "x: arrays are in the byte order of the machine",
    "choose": "tl.select(conditions, choices), or tl.stack(choices)[x, tl.iota(n)]",
    "compress": "x[condition]",
    "conj": "x",
    "conjugate": "x",
    "data": "x",
    "fill": "x[:] = value",
    "flat": "x.ravel()",
    "flags": "x: arrays are values, in row-major order",
    "imag": "0.0 * x",
    "item": "x[k], or x itself if it is a number",
    "itemsize": "8, or 4 in single precision",
    "nbytes": "x.size * 8, or x.size * 4 in single precision",
    "partition": "x = tl.sort(x)",
    "put": "x[indices] = values",
    "real": "x",
    "resize": NUMPY["resize"],
    "sort": "x = tl.sort(x)",
    "strides": "x.shape: arrays are values, in row-major order",
    "tobytes": "x",
    "tolist": "x: lists of numbers and arrays mean the same to operators",
    "view": "x.reshape(shape) for another shape, or x.astype(dtype), which converts numbers",
}
# Methods of functions of two numbers that have no meaning of their own here.
METHODS = {
    "add.at": "np.add.at(x, indices, values) as a statement of its own, where x is a name",
    "divide.accumulate": "x[0] * x[0] / tl.cumprod(x)",
    "divide.reduce": "x[0] / tl.prod(x[1:])",
    "maximum.at": "np.maximum.at(x, indices, values) as a statement of its own, where x is a name",
    "minimum.at": "np.minimum.at(x, indices, values) as a statement of its own, where x is a name",
    "multiply.at": "np.multiply.at(x, indices, values) as a statement of its own, where x is a name",
    "subtract.accumulate": "2 * x[0] - tl.cumsum(x)",
    "subtract.at": "np.subtract.at(x, indices, values) as a statement of its own, where x is a name",
    "subtract.reduce": "x[0] - tl.sum(x[1:])",
}
OTHER_METHODS = {
    "accumulate": "a loop over the elements that keeps each result",
    "at": "x[indices] = tl.{name}(x[indices], values) for indices that differ",
    "reduce": "a loop over the elements, as in 'for v in x[1:]: result = tl.{name}(result, v)'",
    "reduceat": "tl.{name}.reduce of each slice, or np.add.at with the number of the slice of each element",
}
_MODULES = ((np, NUMPY), (np.linalg, LINALG), (math, MATH), (builtins, BUILTINS))


def instead_of(value: Any) -> str | None:
    """The replacement of a function of Python or numpy, or None."""
    found = (text for module, table in _MODULES for name, text in table.items() if getattr(module, name, None) is value)
    return next(found, None)


def instead_of_module(value: Any) -> str | None:
    """The replacement of any function of a module, or None."""
    module = _module_of(value)
    if is_of_library(value):
        return _operator_named(getattr(value, "__name__", ""))
    if isinstance(value, np.ufunc):  # Those of numpy are operators, or have lines of their own.
        module = "scipy"
    return next((text for name, text in MODULES.items() if f"{module}.".startswith(f"{name}.")), None)


def is_of_library(value: Any) -> bool:
    """Whether something belongs to a library that has arrays of its own."""
    return _module_of(value).partition(".")[0] in LIBRARIES


def _module_of(value: Any) -> str:
    owner = getattr(value, "__self__", None)
    module = getattr(value, "__module__", None) or (owner if isinstance(owner, type) else type(owner)).__module__
    return str(module)


def _operator_named(name: str) -> str:
    """The operator or type that has the name of another library's function, or its equivalent here."""
    if name in FUNCTIONS:
        return FUNCTIONS[name]
    same = getattr(np, name, None)
    known = "np" if meaning(same) or type_of_annotation(same) else "tl" if name in OPERATORS else None
    return f"{known}.{name}" if known else "operators of the language, whose names are those of numpy"


def instead_of_method(operator: Operator, method: str) -> str:
    """The replacement of a method of a function of numpy."""
    name = operator.__name__
    if not operator.methods:
        return f"tl.{name}(...), which has no methods: functions of two numbers have"
    instead = METHODS.get(f"{name}.{method}") or OTHER_METHODS.get(method, "").format(name=name)
    return instead or f"tl.{name}(...), whose methods are {', '.join(operator.methods)}"
