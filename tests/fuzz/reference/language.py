"""The operators of the language meant by plain numpy, for real numbers and for complex ones with tiny imaginary parts.

A complex number x + 1e-30i v carries the derivative along v (complex step): order is decided by real parts, and
functions that numpy lacks for complex numbers are continued by their derivative. `noise` changes every result of a
function by a relative error, which shows programs whose results hang on roundings.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from types import SimpleNamespace
from typing import Any

import numpy as np

from fuzz.reference import bulk, derivatives
from fuzz.reference.values import Values

TWO_OVER_ROOT_PI = 2.0 / math.sqrt(math.pi)


@dataclass
class Mode:
    """How a reference runs: with complex numbers, with noise."""

    is_complex: bool = False
    noise: float = 0.0
    rng: np.random.Generator = field(default_factory=lambda: np.random.default_rng(0))


def continued(function: Any, derivative: Any) -> Any:
    """A real function for complex numbers, by its derivative."""

    def apply(x: Any) -> Any:
        if not np.iscomplexobj(x):
            return function(x)
        return function(x.real) + 1j * x.imag * derivative(x.real)

    return apply


erf = continued(np.vectorize(math.erf, otypes=[float]), lambda x: TWO_OVER_ROOT_PI * np.exp(-x * x))


def absolute(x: Any) -> Any:
    return np.where(np.real(x) < 0, -x, x)[()] if np.iscomplexobj(x) else np.abs(x)


def maximum(a: Any, b: Any) -> Any:
    return np.where(np.real(a) >= np.real(b), a, b)[()]


def minimum(a: Any, b: Any) -> Any:
    return np.where(np.real(a) <= np.real(b), a, b)[()]


def atan2(a: Any, b: Any) -> Any:
    """For positive b."""
    return np.arctan(a / b)


def total(x: Any, axis: int | None = None) -> Any:
    """A sum with small errors: numpy adds in pairs only along an axis whose elements are neighbours."""
    return np.sum(x) if axis is None else np.sum(np.ascontiguousarray(np.moveaxis(x, axis, -1)), axis=-1)


def picked(x: Any, choose: Any, axis: int | None) -> Any:
    """The extreme element, the first of equal ones: numpy would let complex parts decide between these."""
    if axis is None:
        return np.ravel(x)[choose(np.real(x))]
    places = np.expand_dims(choose(np.real(x), axis=axis), axis)
    return np.take_along_axis(np.asarray(x), places, axis).squeeze(axis)


def softmax(x: Any, axis: int | None = None) -> Any:
    powers = np.exp(x - np.max(np.real(x), axis=axis, keepdims=True))
    return powers / np.sum(powers, axis=axis, keepdims=True)


FUNCTIONS: dict[str, Any] = {
    "sin": np.sin,
    "cos": np.cos,
    "tanh": np.tanh,
    "exp": np.exp,
    "expm1": np.expm1,
    "log": np.log,
    "log1p": np.log1p,
    "sqrt": np.sqrt,
    "atan": np.arctan,
    "atan2": atan2,
    "erf": erf,
    "abs": absolute,
    "maximum": maximum,
    "minimum": minimum,
    "sigmoid": lambda x: 1.0 / (1.0 + np.exp(-x)),
    "softplus": lambda x: np.log1p(np.exp(x)),
    "hypot": lambda a, b: np.sqrt(a * a + b * b),
    "fma": lambda a, b, c: a * b + c,
    "clamp": lambda x, lo, hi: minimum(maximum(x, lo), hi),
    "pow": lambda a, b: a**b,
    "sum": total,
    "prod": lambda x, axis=None: np.prod(x, axis=axis),
    "mean": lambda x, axis=None: total(x, axis) / (np.size(x) if axis is None else np.shape(x)[axis]),
    "norm": lambda x: np.sqrt(np.sum(x * x)),
    "cumsum": lambda x, axis=0: np.cumsum(x, axis=axis),
    "cumprod": lambda x, axis=0: np.cumprod(x, axis=axis),
    "dot": np.dot,
    "matmul": np.matmul,
    "outer": np.outer,
    "softmax": softmax,
    "logsumexp": lambda x, axis=None: np.log(np.sum(np.exp(x), axis=axis)),
}

EXACT: dict[str, Any] = {
    "where": lambda condition, a, b: np.where(condition, a, b)[()],
    "max": lambda x, axis=None: picked(x, np.argmax, axis),
    "min": lambda x, axis=None: picked(x, np.argmin, axis),
    "argmax": lambda x, axis=None: np.argmax(np.real(x), axis=axis),
    "argmin": lambda x, axis=None: np.argmin(np.real(x), axis=axis),
    "sort": lambda x: x[np.argsort(np.real(x), kind="stable")],
    "argsort": lambda x: np.argsort(np.real(x), kind="stable"),
    "any": np.any,
    "all": np.all,
    "floor": lambda x: np.floor(np.real(x)),
    "sign": lambda x: np.sign(np.real(x)),
    "iota": np.arange,
    "copy": np.copy,
    "reverse": lambda x, axis=0: np.flip(x, axis),
    "concat": lambda parts, axis=0: np.concatenate(parts, axis),
    "stack": lambda parts, axis=0: np.stack(parts, axis),
    "reshape": np.reshape,
    "transpose": lambda x, axes=None: np.transpose(x, axes),
    "stop_gradient": lambda x: np.real(x)[()] if np.iscomplexobj(x) else x,
    "checkpoint": lambda f: f,
    "function": lambda f: f,
    "range": lambda *bounds, **hints: range(*bounds),
    "bounded": lambda condition, bound: condition,
    "float": lambda x: np.float64(np.real(x)) if not np.iscomplexobj(x) else x,
    "int": lambda x: int(np.real(x)),
    "f64": "f64",
    "f32": "f32",
    "i64": "i64",
    "bool_": "bool_",
}


def language(mode: Mode) -> SimpleNamespace:
    """What `tl` means in this mode."""
    values = Values(mode.is_complex, mode.noise, mode.rng)
    noisy = {name: values.noisy(function) for name, function in FUNCTIONS.items()}
    made = {
        name: getattr(values, name)
        for name in ("zeros", "ones", "full", "zeros_like", "ones_like", "astype", "linspace")
    }
    return SimpleNamespace(**noisy, **EXACT, **made, **bulk.OPERATORS, **derivatives.TRANSFORMATIONS, own=values.own)
