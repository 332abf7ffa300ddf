"""Runs the reference of a program: values, derivatives along a direction, and how far roundings may move them."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from functools import lru_cache
from types import CodeType
from typing import Any

import numpy as np

from fuzz.reference.derivatives import STEP
from fuzz.reference.language import Mode, language
from fuzz.reference.value_semantics import with_value_semantics

Values = tuple[Any, ...]


def as_tuple(value: Any) -> Values:
    return value if isinstance(value, tuple) else (value,)


@lru_cache(256)
def code_of(text: str) -> CodeType:
    """The program's code, which several runs of one program share."""
    return compile(with_value_semantics(text), "<reference>", "exec")


def function_of(text: str, name: str, mode: Mode) -> Callable[..., Any]:
    """The program as a Python function of numpy values, with a tuple of results."""
    names: dict[str, Any] = {"tl": language(mode), "np": np}
    exec(code_of(text), names)

    def run(*arguments: Any) -> Values:
        with np.errstate(all="ignore"), warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return as_tuple(names[name](*arguments))

    return run


def doubled(value: Any) -> Any:
    """Floats in double precision."""
    return np.asarray(value, np.float64)[()] if np.asarray(value).dtype.kind == "f" else value


def results(text: str, arguments: Values, noise: float = 0.0) -> Values:
    return function_of(text, "generated", Mode(noise=noise))(*map(doubled, arguments))


def moved(arguments: Values, directions: Values, step: complex) -> Values:
    """The arguments after a step; what is no float stays."""
    return tuple(
        (a + step * v)[()] if np.asarray(a).dtype.kind == "f" else a
        for a, v in zip(map(doubled, arguments), map(doubled, directions), strict=True)
    )


def tangents(text: str, arguments: Values, directions: Values, noise: float = 0.0) -> Values:
    """The derivatives of all results along a direction, by one complex step."""
    run = function_of(text, "generated", Mode(is_complex=True, noise=noise))
    return tuple(_imaginary(each) for each in run(*moved(arguments, directions, STEP * 1j)))


def _imaginary(value: Any) -> Any:
    return np.imag(value) / STEP if np.iscomplexobj(value) else np.zeros(np.shape(value))


def differences(text: str, arguments: Values, directions: Values, step: float) -> Values:
    """The same by central differences, for programs that take derivatives themselves."""
    ahead, behind = (results(text, moved(arguments, directions, sign * step)) for sign in (1.0, -1.0))
    return tuple(_quotient(a, b, step) for a, b in zip(ahead, behind, strict=True))


def _quotient(ahead: Any, behind: Any, step: float) -> Any:
    is_float = np.asarray(ahead).dtype.kind == "f"
    return (ahead - behind) / (2 * step) if is_float else np.zeros(np.shape(ahead))
