"""`tl.to_jax`: functions of the language inside programs of JAX."""

from __future__ import annotations

import functools
from collections.abc import Callable, Collection, Sequence
from typing import Any, ParamSpec

from tapeless.api.decorated import TapelessFunction
from tapeless.api.exports.checked import constant_paths, exportable, library
from tapeless.api.exports.flat import flattened
from tapeless.api.exports.operations import Operation, SizeIsData
from tapeless.runtime.calling.calls import build
from tapeless.runtime.calling.parameters import bind_call
from tapeless.tracebacks import user_facing

P = ParamSpec("P")


@user_facing
def to_jax(f: Callable[P, Any]) -> Callable[P, Any]:
    """The function for programs of JAX: it takes and gives arrays of JAX, under `jit`, `grad`, `jvp` and `vmap`.

    XLA calls the compiled code on its own buffers, without Python and without copies. Derivatives are those of
    `tl.grad`, `tl.jvp` and `tl.vjp`, batches those of `tl.vmap`. Structures go in and come out as with `f`.

    >>> import jax
    >>> import jax.numpy as jnp
    >>> energy = tl.to_jax(lambda x: tl.sum(x * x * x))
    >>> jax.jit(jax.grad(energy))(jnp.array([1.0, 2.0], jnp.float32))
    Array([ 3., 12.], dtype=float32)
    """
    inner = exportable("to_jax", f)

    @functools.wraps(inner.source.function)
    @user_facing
    def of_jax(*arguments: P.args, **named: P.kwargs) -> Any:
        values = bind_call(inner.source.name, inner.source.parameters, arguments, named)
        try:
            return _called(inner, values)
        except SizeIsData as error:
            return _called(inner, values, constant_paths(inner, values, _jax().stand_in, error))

    return of_jax


def _jax() -> Any:
    return library("to_jax", "jax", "tapeless.api.exports.jax_calls")


def _called(f: TapelessFunction, values: Sequence[Any], constant: Collection[str] = ()) -> Any:
    jax_calls = _jax()
    flat = flattened(f, values, jax_calls.stand_in, constant)
    operation = Operation(flat.function)
    operands = [jax_calls.operand(each.given.value, each.type) for each in flat.operands]
    return build(operation.structure, jax_calls.bind(operation, operands))
