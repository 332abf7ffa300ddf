"""`tl.to_jax`: functions of the language inside programs of JAX."""

from __future__ import annotations

import functools
from collections.abc import Callable, Collection, Sequence
from typing import Any, ParamSpec

from tapeless.api.exports.flat import flattened
from tapeless.api.exports.operations import Operation, SizeIsData
from tapeless.api.function import TapelessFunction
from tapeless.api.printing import check_kernel
from tapeless.api.transforms.derive import as_function
from tapeless.errors import ArgumentError, TargetError
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
    inner = as_function("to_jax", f).unheld
    check_kernel(inner.source)
    _check_options(inner)

    @functools.wraps(inner.source.function)
    @user_facing
    def of_jax(*arguments: P.args, **named: P.kwargs) -> Any:
        values = bind_call(inner.source.name, inner.source.parameters, arguments, named)
        try:
            return _called(inner, values)
        except SizeIsData as error:
            return _called(inner, values, _constant(inner, values, error))

    return of_jax


def _check_options(f: TapelessFunction) -> None:
    if f.options.checks == "status":
        raise ArgumentError("checks='status' keeps what programs of JAX could not read; give 'on' or 'off'")
    if f.options.target != "cpu":
        raise TargetError(f"target='{f.options.target}' is not for programs of JAX, which run on the CPU; leave it out")


def _jax() -> Any:
    """What needs JAX, which most programs do not have."""
    try:
        from tapeless.api.exports import jax_calls
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] not in ("jax", "jaxlib"):
            raise
        raise ArgumentError("tl.to_jax needs JAX, which is not installed; `pip install jax`") from None
    return jax_calls


def _called(f: TapelessFunction, values: Sequence[Any], constant: Collection[str] = ()) -> Any:
    jax_calls = _jax()
    flat = flattened(f, values, jax_calls.stand_in, constant)
    operation = Operation(flat.function)
    operands = [jax_calls.operand(each.given.value, each.type) for each in flat.operands]
    return build(operation.structure, jax_calls.bind(operation, operands))


def _constant(f: TapelessFunction, values: Sequence[Any], error: SizeIsData) -> list[str]:
    """The paths of the integers of Python's that decide about sizes; raises where one of them is an array."""
    given = [each.given for each in flattened(f, values, _jax().stand_in).operands]
    decisive = [given[place] for place in error.places]
    if any(type(each.value) is not int for each in decisive):
        raise ArgumentError(*error.args) from None
    return [each.path for each in decisive]
