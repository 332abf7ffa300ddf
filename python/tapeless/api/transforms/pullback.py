"""The pullback of `tl.vjp`: a Python callable that runs a compiled derivative."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np

from tapeless.api.function import TapelessFunction
from tapeless.api.parameters import argument_types
from tapeless.api.transforms.derive import derive
from tapeless.errors import ArgumentError, ShapeMismatch
from tapeless.methods import MethodChoice
from tapeless.runtime.calling.arguments import NUMPY_DTYPES
from tapeless.runtime.calling.parameters import bind_call
from tapeless.runtime.code import Structure
from tapeless.runtime.kernel import Kernel
from tapeless.signature import REQUIRED, Parameter
from tapeless.tracebacks import user_facing
from tapeless.types import ArrayType, ScalarType, from_numpy


class Pullback:
    """Takes a cotangent in the structure of the result; gives a tuple of adjoints, one per primal.

    `derivative` is the function of primals and of the cotangents of float results that it runs.
    """

    def __init__(self, derivative: TapelessFunction, primals: Sequence[Any], structure: Structure, out: Any) -> None:
        self.derivative = derivative
        self.primals = tuple(primals)
        self._structure = structure
        results = flat(structure, out)
        self._shapes = [np.shape(each) if np.asarray(each).dtype.kind == "f" else None for each in results]

    @user_facing
    def __call__(self, cotangent: Any) -> Any:
        return self.derivative(*self.primals, *self.cotangents(cotangent))

    def cotangents(self, cotangent: Any) -> list[Any]:
        """The cotangents of float results, of the shapes of these."""
        leaves = flat(self._structure, cotangent)
        pairs = list(zip(leaves, self._shapes, strict=True))
        for k, (leaf, shape) in enumerate(pairs):
            if isinstance(leaf, np.ndarray) and shape and leaf.ndim == len(shape) and leaf.shape != shape:
                raise ShapeMismatch(
                    f"{_role(k, len(leaves))} has shape {leaf.shape}, and the result {shape}; give it that shape"
                )
        return [leaf for leaf, shape in pairs if shape is not None]


def pull_from(
    f: TapelessFunction, kind: Callable[..., Any], primals: Sequence[Any], method: MethodChoice
) -> tuple[Any, Pullback]:
    """The result of `f` and its pullback at these primals, which are kept as they are now."""
    kept = [each.copy() if isinstance(each, np.ndarray) else each for each in primals]
    values = bind_call(f.source.name, f.source.parameters, kept, {})
    out = f(*values)
    kernel = f.lower(*values)
    return out, Pullback(_derivative(f, kind, kernel, kept, method), kept, kernel.structure, out)


def _derivative(
    f: TapelessFunction, kind: Callable[..., Any], kernel: Kernel, primals: Sequence[Any], method: MethodChoice
) -> TapelessFunction:
    """The function of primals and cotangents."""
    parameters = f.source.parameters[: len(primals)]
    types = argument_types(parameters, primals)
    taken = [Parameter(each.name, type_, REQUIRED) for each, type_ in zip(parameters, types, strict=True)]
    given = ", ".join(f"p{k}" for k in range(len(primals)))
    names: dict[int, str] = {}
    for k, result in enumerate(kernel.abi.results):
        dtype = from_numpy(NUMPY_DTYPES[result.dtype])
        if dtype.is_float:
            names[k] = f"p{len(taken)}"
            taken.append(Parameter(_role(k, len(kernel.abi.results)), _type(dtype, len(result.dims)), REQUIRED))
    cotangent = _text(kernel.structure, names)
    return derive(f, "vjp", f"vjp(f, {given}, {method.written})[1]({cotangent})", taken, {"vjp": kind})


def _role(position: int, count: int) -> str:
    return "the cotangent" if count == 1 else f"the cotangent of result {position}"


def _type(dtype: ScalarType, rank: int) -> ScalarType | ArrayType:
    return ArrayType(dtype, (None,) * rank) if rank else dtype


def _text(structure: Structure, names: dict[int, str]) -> str:
    """Parameters in the structure of the result; integers and bools have no cotangent."""
    if isinstance(structure, int):
        return names.get(structure, "0")
    return f"({''.join(_text(part, names) + ', ' for part in structure)})"


def flat(structure: Structure, value: Any) -> list[Any]:
    """The leaves of a value, which must have the structure."""
    return list(_flat(structure, value))


def _flat(structure: Structure, value: Any) -> Iterator[Any]:
    if isinstance(structure, int):
        yield value
        return
    if not isinstance(value, (tuple, list)) or len(value) != len(structure):
        words = f"a tuple of {len(value)}" if isinstance(value, (tuple, list)) else f"a {type(value).__name__}"
        raise ArgumentError(
            f"the cotangent of a tuple of {len(structure)} results is {words}; give a tuple of {len(structure)}"
        )
    for part, item in zip(structure, value, strict=True):
        yield from _flat(part, item)
