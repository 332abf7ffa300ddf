"""The pullback of `tl.vjp`: a Python callable that runs a compiled derivative."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np

from tapeless.api.arguments import NUMPY_DTYPES
from tapeless.api.function import TapelessFunction
from tapeless.api.parameters import argument_types, bind_call
from tapeless.api.transforms.derive import derive
from tapeless.backend.code import Structure
from tapeless.errors import ArgumentError, ShapeMismatch
from tapeless.frontend.source import REQUIRED, Parameter
from tapeless.types import ArrayType, Type, from_numpy


class Pullback:
    """Takes a cotangent in the structure of the result; gives a tuple of adjoints, one per primal."""

    def __init__(
        self, derivative: TapelessFunction, primals: Sequence[Any], structure: Structure, shapes: Sequence[Any]
    ) -> None:
        self._derivative = derivative
        self._primals = tuple(primals)
        self._structure = structure
        self._shapes = tuple(shapes)

    @classmethod
    def of(
        cls, f: TapelessFunction, kind: Callable[..., Any], primals: Sequence[Any], method: str | None
    ) -> tuple[Any, Pullback]:
        """The result of `f` and its pullback at these primals, which are kept as they are now."""
        kept = [each.copy() if isinstance(each, np.ndarray) else each for each in primals]
        values = bind_call(f.source.name, f.source.parameters, kept, {})
        kernel = f.lower(*values)
        out = kernel(*values)
        results = list(_flat(kernel.structure, out))
        parameters = f.source.parameters[: len(primals)]
        types = argument_types(parameters, kept)
        taken = [Parameter(each.name, type_, REQUIRED) for each, type_ in zip(parameters, types, strict=True)]
        dtypes = [from_numpy(NUMPY_DTYPES[each.dtype]) for each in kernel.abi.results]
        moving = [k for k, dtype in enumerate(dtypes) if dtype.is_float]
        taken += [Parameter(_role(k, len(results)), _type(dtypes[k], np.ndim(results[k])), REQUIRED) for k in moving]
        names = {k: f"p{len(primals) + position}" for position, k in enumerate(moving)}
        given = ", ".join(f"p{k}" for k in range(len(primals)))
        cotangent = _text(kernel.structure, names)
        expression = f"vjp(f, {given}, method={method!r})[1]({cotangent})"
        derivative = derive(f, "vjp", expression, taken, {"vjp": kind})
        shapes = [np.shape(each) if k in names else None for k, each in enumerate(results)]
        return out, cls(derivative, kept, kernel.structure, shapes)

    def __call__(self, cotangent: Any) -> Any:
        leaves = list(_flat(self._structure, cotangent))
        given = []
        for k, (leaf, shape) in enumerate(zip(leaves, self._shapes, strict=True)):
            if shape is not None:
                _check_shape(leaf, shape, _role(k, len(leaves)))
                given.append(leaf)
        return self._derivative(*self._primals, *given)


def _role(position: int, count: int) -> str:
    return "the cotangent" if count == 1 else f"the cotangent of result {position}"


def _type(dtype: Any, rank: int) -> Type:
    return ArrayType(dtype, (None,) * rank) if rank else dtype


def _text(structure: Structure, names: dict[int, str]) -> str:
    """A tuple of parameters in the structure of the result; integers and bools have no cotangent."""
    if isinstance(structure, int):
        return names.get(structure, "0")
    return f"({''.join(_text(part, names) + ', ' for part in structure)})"


def _flat(structure: Structure, value: Any) -> Iterator[Any]:
    """The leaves of a value of the structure of the result."""
    if isinstance(structure, int):
        yield value
        return
    if not isinstance(value, (tuple, list)) or len(value) != len(structure):
        raise ArgumentError(
            f"the cotangent of a tuple of {len(structure)} results is {_words(value)}; give a tuple of {len(structure)}"
        )
    for part, item in zip(structure, value, strict=True):
        yield from _flat(part, item)


def _words(value: Any) -> str:
    return f"a tuple of {len(value)}" if isinstance(value, (tuple, list)) else f"a {type(value).__name__}"


def _check_shape(value: Any, shape: tuple[int, ...], role: str) -> None:
    if isinstance(value, np.ndarray) and value.ndim == len(shape) and value.shape != shape:
        raise ShapeMismatch(f"{role} has shape {value.shape}, but the result {shape}; give it the shape of the result")
