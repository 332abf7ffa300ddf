"""Operations as a primitive of JAX: their types, derivatives, batches and code.

XLA calls the kernel through one function of the C runtime, which finds it by its digest. JAX is imported here, and
nowhere else.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Sequence
from functools import cache, partial
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from jax.extend.core import Primitive
from jax.interpreters import ad, batching, mlir

from tapeless.api.exports.flat import scalar_type
from tapeless.api.exports.operations import Linear, Mapped, Operation, result_shapes
from tapeless.errors import ArgumentError, TypeMismatch
from tapeless.runtime.calling.arguments import NUMPY_DTYPES, PUBLIC_NAMES
from tapeless.runtime.exports import exported
from tapeless.runtime.kernel import Kernel
from tapeless.runtime.library import load_library
from tapeless.types import ArrayType

TARGET = "tapeless_call"
call_p = Primitive("tapeless")
call_p.multiple_results = True


def bind(operation: Operation, operands: Sequence[Any]) -> list[Any]:
    """The flat results of an operation."""
    return call_p.bind(*operands, operation=operation)


@cache
def _jitted(operation: Operation) -> Any:
    return jax.jit(partial(call_p.bind, operation=operation))


@call_p.def_impl
def _run(*operands: Any, operation: Operation) -> list[Any]:
    with jax.disable_jit(False):  # there is no other way to run it
        return _jitted(operation)(*operands)


def _kernel(operation: Operation, avals: Sequence[Any]) -> Kernel:
    if not all(isinstance(size, int) for aval in avals for size in aval.shape):
        raise ArgumentError(
            f"{operation!r}() is compiled for sizes that are numbers; export the program without symbolic ones"
        )
    kernel = operation.kernel([aval.shape for aval in avals])
    for name, parameter, aval in zip(kernel.interface.flat_names, kernel.abi.parameters, avals, strict=True):
        if parameter.kind == "array" and NUMPY_DTYPES[parameter.dtype] != aval.dtype:
            raise TypeMismatch(
                f"'{name}' has numbers of {aval.dtype}, and the code {PUBLIC_NAMES[parameter.dtype]}; "
                "pass numbers with a dtype, such as jnp.float32(x)"
            )
    return kernel


@call_p.def_abstract_eval
def _result_types(*avals: Any, operation: Operation) -> list[Any]:
    kernel = _kernel(operation.on("cuda" if jax.default_backend() == "gpu" else "cpu"), avals)
    shapes = result_shapes(kernel, [aval.shape for aval in avals])
    for result in kernel.abi.results:
        if jax.dtypes.canonicalize_dtype(NUMPY_DTYPES[result.dtype]) != NUMPY_DTYPES[result.dtype]:
            raise TypeMismatch(
                f"{kernel.interface.origin} gives {PUBLIC_NAMES[result.dtype]}, which JAX has only after "
                "jax.config.update('jax_enable_x64', True); enable it, or compute with tl.f32 and tl.i32"
            )
    return [
        jax.core.ShapedArray(shape, NUMPY_DTYPES[result.dtype])
        for shape, result in zip(shapes, kernel.abi.results, strict=True)
    ]


def _cpu() -> tuple[Any, Callable[[Kernel], str]]:
    return load_library().tl_xla_call, exported


def _cuda() -> tuple[Any, Callable[[Kernel], str]]:
    from tapeless.runtime.cuda import xla

    return xla.xla_call, xla.exported


# By the platform of JAX: XLA's name of it, the function that XLA calls there, and what makes a kernel known to that.
PLATFORMS: dict[str, tuple[str, Callable[[], tuple[Any, Callable[[Kernel], str]]]]] = {
    "cpu": ("cpu", _cpu),
    "cuda": ("CUDA", _cuda),
}


@cache
def _known(platform: str) -> Callable[[Kernel], str]:
    """Registers the function that runs kernels of a platform with XLA; gives the function that makes kernels known to
    it.
    """
    name, found = PLATFORMS[platform]
    function, export = found()
    jax.ffi.register_ffi_target(TARGET, jax.ffi.pycapsule(ctypes.cast(function, ctypes.c_void_p)), platform=name)
    return export


def _lower(platform: str, context: Any, *operands: Any, operation: Operation) -> Any:
    digest = _known(platform)(_kernel(operation.on(platform), context.avals_in))
    return jax.ffi.ffi_lowering(TARGET)(context, *operands, kernel=digest)


for each in PLATFORMS:
    mlir.register_lowering(call_p, partial(_lower, each), platform=each)


def _differentiate(
    primals: Sequence[Any], tangents: Sequence[Any], operation: Operation
) -> tuple[list[Any], list[Any]]:
    """Results and their tangents; symbolic zeros where nothing moves."""
    active = tuple(k for k, tangent in enumerate(tangents) if not isinstance(tangent, ad.Zero))
    outs, moved = _pushed(operation, primals, active, [tangents[k] for k in active])
    found = iter(moved)
    places = operation.float_results
    return outs, [next(found) if k in places else _no_tangent(out) for k, out in enumerate(outs)]


def _no_tangent(value: Any) -> ad.Zero:
    return ad.Zero(jax.typeof(value).to_tangent_aval())


ad.primitive_jvps[call_p] = _differentiate


def _pushed(
    operation: Operation, primals: Sequence[Any], active: tuple[int, ...], tangents: Sequence[Any]
) -> tuple[list[Any], list[Any]]:
    """Results, and tangents of the float results, for tangents of the active operands."""
    if isinstance(operation, Mapped):
        inner, axes = operation.inner, operation.axes
        run = jax.vmap(
            lambda values, directions: _pushed(inner, values, active, directions),
            in_axes=(list(axes), [axes[k] for k in active]),
            axis_size=_batch(operation, primals),
        )
        return run(list(primals), list(tangents))
    if isinstance(operation, Linear) and min(active) >= operation.fixed_count:
        return bind(operation, primals), _along_linear(operation, primals, active, tangents)
    if operation.is_loss:
        value, *gradients = bind(operation.value_and_gradient(active), primals)
        parts = [jnp.sum(each * way).astype(value.dtype) for each, way in zip(gradients, tangents, strict=True)]
        return [value], [sum(parts[1:], start=parts[0])]
    found = bind(operation.pushed(active), [*primals, *tangents])
    return bind(operation, primals), [found[k] for k in operation.float_results]


def _batch(operation: Mapped, operands: Sequence[Any]) -> int:
    """The number of slices."""
    return next(np.shape(value)[axis] for value, axis in zip(operands, operation.axes, strict=True) if axis is not None)


def _along_linear(
    operation: Linear, primals: Sequence[Any], active: tuple[int, ...], tangents: Sequence[Any]
) -> list[Any]:
    """The derivative of an operation that is linear in all moving operands: the same with tangents in their place."""
    directions = dict(zip(active, tangents, strict=True))
    moving = [
        value if k < operation.fixed_count else directions.get(k, jnp.zeros_like(value))
        for k, value in enumerate(primals)
    ]
    found = bind(operation, moving)
    return [found[k] for k in operation.float_results]


def _transpose(cotangents: Sequence[Any], *operands: Any, operation: Operation) -> list[Any]:
    """Adjoints of the operands that an operation is linear in; None for the others."""
    wanted = tuple(k for k, value in enumerate(operands) if ad.is_undefined_primal(value))
    known = [None if k in wanted else value for k, value in enumerate(operands)]
    seeds = [ad.instantiate_zeros(cotangents[k]) for k in operation.float_results]
    adjoints = dict(zip(wanted, _pulled(operation, known, wanted, seeds), strict=True))
    return [adjoints.get(k) for k in range(len(operands))]


ad.primitive_transposes[call_p] = _transpose


def _pulled(operation: Operation, operands: Sequence[Any], wanted: tuple[int, ...], seeds: Sequence[Any]) -> list[Any]:
    """One adjoint per wanted operand, of which no values are known."""
    if isinstance(operation, Mapped):
        inner, axes = operation.inner, operation.axes
        run = jax.vmap(
            lambda values, cotangents: _pulled(inner, values, wanted, cotangents),
            in_axes=([None if value is None else axis for value, axis in zip(operands, axes, strict=True)], 0),
        )
        found = run(list(operands), list(seeds))
        return [
            adjoint.sum(0) if axis is None else jnp.moveaxis(adjoint, 0, axis)
            for axis, adjoint in zip((axes[k] for k in wanted), found, strict=True)
        ]
    assert isinstance(operation, Linear), "only tangents are linear"
    back, count = operation.transposed(), operation.fixed_count
    found = bind(back, [*operands[:count], *seeds])
    return [found[back.float_results[k - count]] for k in wanted]


def _batched(operands: Sequence[Any], axes: Sequence[Any], operation: Operation) -> tuple[list[Any], list[int]]:
    """The operation on all slices; results are stacked along the first axis."""
    outs = bind(operation.mapped(tuple(axes)), operands)
    return outs, [0] * len(outs)


batching.primitive_batchers[call_p] = _batched


def stand_in(value: Any, path: str) -> Any:
    """A number of Python's, or an array of numpy's of the type and the sizes of a value that JAX knows.

    Without numbers of 64 bits, floats of Python's are those of JAX: derivatives for them have 32 bits.
    """
    try:
        aval = jax.typeof(value if isinstance(value, (jax.Array, np.ndarray, np.generic)) else jnp.asarray(value))
    except (TypeError, ValueError) as error:
        kind = type(value).__name__
        raise TypeMismatch(f"argument '{path}' is a {kind}, which JAX does not take: {error}; pass an array") from None
    is_weak = getattr(aval, "weak_type", False) and not aval.shape
    if is_weak and (jax.config.jax_enable_x64 or aval.dtype.kind == "i"):
        return aval.dtype.type(0).item()
    return np.broadcast_to(np.zeros((), aval.dtype), aval.shape)


def operand(value: Any, type_: Any) -> Any:
    """A value as the operand of a flat function, with the dtype of its parameter as far as JAX has that."""
    if isinstance(type_, ArrayType):
        return jnp.asarray(value)
    dtype = scalar_type(type_).numpy
    return jnp.asarray(value, jax.dtypes.canonicalize_dtype(dtype))
