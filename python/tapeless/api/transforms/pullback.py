"""The pullback of `tl.vjp`: a Python callable that runs a compiled derivative."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np

from tapeless.api.decorated import TapelessFunction
from tapeless.api.parameters import argument_types
from tapeless.api.transforms.derive import derive
from tapeless.api.transforms.pushforward import known
from tapeless.api.transforms.written import cotangent_text
from tapeless.errors import ArgumentError, ShapeMismatch
from tapeless.methods import MethodChoice
from tapeless.runtime.calling.arguments import NUMPY_DTYPES
from tapeless.runtime.calling.parameters import bind_call
from tapeless.runtime.calling.structured import difference, leaves_like
from tapeless.runtime.kernel import Kernel
from tapeless.runtime.structures import Structure
from tapeless.signature import REQUIRED, Parameter
from tapeless.tracebacks import user_facing
from tapeless.trees import copied, is_plain, items_of, named_leaves
from tapeless.types import ArrayType, ScalarType, from_numpy


class Pullback:
    """Takes a cotangent in the structure of the result; gives a tuple of adjoints, one per primal.

    `derivative` is the function of primals and of the cotangents of float results that it runs.
    """

    def __init__(self, derivative: TapelessFunction, primals: Sequence[Any], structure: Structure, out: Any) -> None:
        self.derivative = derivative
        self.primals = tuple(primals)
        self._structure = structure
        results = list(leaves_like(structure, out))
        self._shapes = [np.shape(each) if np.asarray(each).dtype.kind == "f" else None for each in results]

    @user_facing
    def __call__(self, cotangent: Any) -> Any:
        return self.derivative(*self.primals, *self.cotangents(cotangent))

    def cotangents(self, cotangent: Any) -> list[Any]:
        """The cotangents of float results, of the shapes of these."""
        _check_structure(self._structure, cotangent)
        given = list(leaves_like(self._structure, cotangent))
        pairs = list(zip(given, self._shapes, strict=True))
        for (leaf, shape), role in zip(pairs, _roles(self._structure), strict=True):
            if isinstance(leaf, np.ndarray) and shape and leaf.ndim == len(shape) and leaf.shape != shape:
                raise ShapeMismatch(f"{role} has shape {leaf.shape}, and the result {shape}; give it that shape")
        return [leaf for leaf, shape in pairs if shape is not None]


def pull_from(
    f: TapelessFunction, kind: Callable[..., Any], primals: Sequence[Any], method: MethodChoice
) -> tuple[Any, Pullback]:
    """The result of `f` and its pullback at these primals, which are kept as they are now."""
    kept = [copied(each, _copy) for each in primals]
    values = bind_call(f.source.name, f.source.parameters, kept, {})
    out = f(*values)
    kernel = f.version_of(values)
    return out, Pullback(_derivative(f, kind, kernel, kept, method), kept, kernel.structure, out)


def _copy(value: Any) -> Any:
    """A leaf that later changes of arrays do not reach."""
    return value.copy() if isinstance(value, np.ndarray) else value


def _derivative(
    f: TapelessFunction, kind: Callable[..., Any], kernel: Kernel, primals: Sequence[Any], method: MethodChoice
) -> TapelessFunction:
    """The function of primals and cotangents."""
    parameters = f.source.parameters[: len(primals)]
    types = argument_types(parameters, primals)
    taken = [Parameter(each.name, known(type_), REQUIRED) for each, type_ in zip(parameters, types, strict=True)]
    given = ", ".join(f"p{k}" for k in range(len(primals)))
    names: dict[int, str] = {}
    for k, (result, role) in enumerate(zip(kernel.abi.results, _roles(kernel.structure), strict=True)):
        dtype = from_numpy(NUMPY_DTYPES[result.dtype])
        if dtype.is_float:
            names[k] = f"p{len(taken)}"
            taken.append(Parameter(role, _type(dtype, len(result.dims)), REQUIRED))
    objects: dict[str, Any] = {}
    cotangent = cotangent_text(kernel.structure, names, objects)
    return derive(f, "vjp", f"vjp(f, {given}, {method.written})[1]({cotangent})", taken, {"vjp": kind, **objects})


def _roles(structure: Structure) -> list[str]:
    """The names of the cotangents of flat results in messages: numbered in tuples, else by their paths."""
    paths = [path for path, _ in named_leaves(structure, "result")]
    if is_plain(structure):
        return ["the cotangent"] if len(paths) == 1 else [f"the cotangent of result {k}" for k in range(len(paths))]
    return [f"the cotangent of {path}" for path in paths]


def _type(dtype: ScalarType, rank: int) -> ScalarType | ArrayType:
    return ArrayType(dtype, (None,) * rank) if rank else dtype


def _check_structure(structure: Structure, cotangent: Any) -> None:
    """Refuses a cotangent of another structure than the result."""
    if is_plain(structure) and not isinstance(structure, int):
        list(_flat(structure, cotangent))
        return
    problem = difference(structure, cotangent, "the cotangent")
    if problem is not None:
        raise ArgumentError(f"{problem}; a cotangent has the structure of the result")


def _flat(structure: Structure, value: Any) -> Iterator[Any]:
    if isinstance(structure, int):
        yield value
        return
    count = len(items_of(structure))
    if not isinstance(value, (tuple, list)) or len(value) != count:
        words = f"a tuple of {len(value)}" if isinstance(value, (tuple, list)) else f"a {type(value).__name__}"
        raise ArgumentError(f"the cotangent of a tuple of {count} results is {words}; give a tuple of {count}")
    for part, item in zip(items_of(structure), value, strict=True):
        yield from _flat(part, item)
