"""Transformations while functions run by Python: batches run by Python, derivatives are computed by compiled code."""

from __future__ import annotations

import ast
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np

from tapeless.api.by_python.operators import joined
from tapeless.api.decorated import TapelessFunction
from tapeless.api.function import jit
from tapeless.api.transforms.functions import checkpoint
from tapeless.errors import ArgumentError, ShapeMismatch
from tapeless.frontend.syntax.synthetic import given_name
from tapeless.runtime.calling.arguments import as_array
from tapeless.trees import opened

Run = Callable[[TapelessFunction, Sequence[Any]], Any]


class Transformed(NamedTuple):
    """A function that was made of another: the transformation, and its options."""

    kind: str
    inner: TapelessFunction
    options: dict[str, Any]


def transformed(function: TapelessFunction) -> Transformed | None:
    """How a function was made, if it is `kind(f, options)` of its parameters."""
    body = function.source.node.body
    made = body.func if isinstance(body, ast.Call) else None
    if not isinstance(made, ast.Call) or not isinstance(made.func, ast.Name):
        return None
    inner = function.source.captured.get(given_name("f"))
    if not isinstance(inner, TapelessFunction):
        return None
    options = {str(each.arg): function.source.captured[given_name(str(each.arg))] for each in made.keywords}
    return Transformed(made.func.id.strip("<>"), inner, options)


def primals_of(function: TapelessFunction, values: Sequence[Any]) -> tuple[TapelessFunction, Sequence[Any]] | None:
    """The function that is differentiated along directions, with its arguments: the first ones of `jvp` and `hvp`."""
    inner = function.source.captured.get(given_name("f"))
    for node in ast.walk(function.source.node):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in ALONG:
            primals = node.args[1]
            count = len(primals.elts) if isinstance(primals, ast.Tuple) else 1
            return (inner, values[:count]) if isinstance(inner, TapelessFunction) else None
    return None


ALONG = (given_name("jvp"), given_name("hvp"))


def is_batch_of_arrays(made: Transformed, values: Sequence[Any]) -> bool:
    """Whether a batch is one of numbers and arrays along axes that are stacked first, as Python goes through it."""
    if made.kind != "vmap":
        return False
    axes = made.options["in_axes"]
    is_simple = all(each is None or isinstance(each, int) for each in (axes if isinstance(axes, tuple) else (axes,)))
    return is_simple and made.options.get("out_axes", 0) == 0 and all(opened(each) is None for each in values)


def batched(run: Run, made: Transformed, values: Sequence[Any]) -> Any:
    """The function on every slice, one after the other."""
    names = [parameter.name for parameter in made.inner.source.parameters]
    axes = made.options["in_axes"]
    axes = axes if isinstance(axes, tuple) else (axes,) * len(names)
    arrays = [
        value if axis is None else np.moveaxis(as_array(value, name), axis, 0)
        for name, value, axis in zip(names, values, axes, strict=True)
    ]
    sizes = {len(each) for each, axis in zip(arrays, axes, strict=True) if axis is not None}
    if len(sizes) != 1:
        raise ShapeMismatch(f"tl.vmap needs one size for all axes that it goes along, not {sorted(sizes)}")
    if sizes == {0}:
        raise ArgumentError("tl.vmap of no elements gives a type that only the compiler knows; leave tl.disable_jit")
    rows = [
        run(made.inner, [each if axis is None else each[k] for each, axis in zip(arrays, axes, strict=True)])
        for k in range(sizes.pop())
    ]
    return joined(rows)


# What functions of the language are replaced by in bodies that Python runs.
BY_PYTHON: dict[int, Callable[..., Any]] = {
    id(checkpoint): lambda f: f,
    id(jit): lambda f, **_options: f,
}
