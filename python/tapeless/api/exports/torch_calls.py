"""Operations as an operator of PyTorch, `tapeless::call`: its values, sizes, derivatives and batches.

PyTorch is imported here, and nowhere else.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from typing import Any

import numpy as np
import torch

from tapeless.abi import Expr
from tapeless.api.exports.flat import abi_parameter
from tapeless.api.exports.names import name_of, operation_of
from tapeless.api.exports.operations import Operation, Shape, ValueAndGradient, result_shapes
from tapeless.errors import TypeMismatch
from tapeless.runtime.calling.arguments import NUMPY_DTYPES
from tapeless.runtime.cuda.arrays import TYPES_OF_TORCH
from tapeless.runtime.kernel import Kernel
from tapeless.types import ArrayType, Type

OPERATOR = "tapeless::call"
DTYPES = {name: getattr(torch, title) for name, title in TYPES_OF_TORCH.items()}
NAMES = {dtype: name for name, dtype in DTYPES.items()}
# What sizes that a program leaves open stand for: none of them is 0 or 1.
OPEN_SIZE = 2

torch.library.define(OPERATOR, "(Tensor[] operands, str operation) -> Tensor[]", tags=torch.Tag.pt2_compliant_tag)


def call(operation: Operation, operands: Sequence[torch.Tensor]) -> list[torch.Tensor]:
    """The flat results of an operation."""
    return torch.ops.tapeless.call(list(operands), name_of(operation))


@cache
def _kernel(operation: Operation, shapes: tuple[Shape, ...]) -> Kernel:
    """The kernel of an operation that gives a tuple of all flat results."""
    kernel = operation.kernel(shapes)
    result_shapes(kernel, shapes)
    flat = tuple(range(len(kernel.abi.results)))
    return Kernel(kernel.interface, replace(kernel.code, structure=flat))


def _run(operation: Operation, operands: Sequence[torch.Tensor], device: torch.device) -> list[torch.Tensor]:
    kernel = _kernel(operation, tuple(tuple(each.shape) for each in operands))
    found = kernel.call(*map(_argument, operands))
    return [
        _tensor(value, DTYPES[result.dtype], device) for value, result in zip(found, kernel.abi.results, strict=True)
    ]


def _argument(operand: torch.Tensor) -> Any:
    """An operand as kernels take it: in order, and numbers by their values."""
    if not operand.ndim:
        return operand.item()
    tensor = operand.detach().contiguous()
    if tensor.dtype == torch.bfloat16 and not tensor.is_cuda:  # PyTorch knows of numpy's own types alone
        return tensor.view(torch.int16).numpy().view(NUMPY_DTYPES["bf16"])
    return tensor


def _tensor(value: Any, dtype: torch.dtype, device: torch.device) -> torch.Tensor:
    if isinstance(value, np.ndarray) and dtype == torch.bfloat16:
        return torch.from_numpy(value.view(np.int16)).view(dtype)
    if isinstance(value, np.ndarray):
        return torch.from_numpy(value)
    return value if isinstance(value, torch.Tensor) else torch.tensor(value, dtype=dtype, device=device)


CPU = torch.device("cpu")


@torch.library.impl(OPERATOR, "cpu")
def _run_here(operands: list[torch.Tensor], operation: str) -> list[torch.Tensor]:
    return _run(operation_of(operation), operands, CPU)


@torch.library.impl(OPERATOR, "cuda")
def _run_on_gpu(operands: list[torch.Tensor], operation: str) -> list[torch.Tensor]:
    device = next(each.device for each in operands if each.is_cuda)
    return _run(operation_of(operation).on("cuda"), operands, device)


@torch.library.register_fake(OPERATOR)
def _sized(operands: list[torch.Tensor], operation: str) -> list[torch.Tensor]:
    """Results without elements; sizes may be symbols."""
    known = [tuple(size if isinstance(size, int) else OPEN_SIZE for size in each.shape) for each in operands]
    device = next((each.device for each in operands if each.device.type != CPU.type), CPU)
    meant = operation_of(operation).on(device.type)
    given = [tuple(each.shape) for each in operands]
    if meant.needs_sizes(known):
        given = known = [tuple(map(int, shape)) for shape in given]
    kernel = meant.kernel(known)
    shapes = result_shapes(kernel, given, _evaluated)
    return [
        torch.empty(shape, dtype=DTYPES[result.dtype], device=device)
        for shape, result in zip(shapes, kernel.abi.results, strict=True)
    ]


OPERATORS = {
    "add": lambda a, b: a + b,
    "sub": lambda a, b: a - b,
    "mul": lambda a, b: a * b,
    "floordiv": lambda a, b: a // b,
    "min": torch.sym_min,
    "max": torch.sym_max,
}


def _evaluated(size: Expr, shapes: Sequence[Sequence[Any]], _scalars: Sequence[int]) -> Any:
    """The value of a size as an expression of sizes that may be symbols."""
    if isinstance(size, int):
        return size
    name, *parts = size
    if name == "dim":
        return shapes[parts[0]][parts[1]]
    return OPERATORS[name](*(_evaluated(part, shapes, ()) for part in parts))


def _keep(ctx: Any, inputs: tuple[Any, ...], output: list[torch.Tensor]) -> None:
    """Keeps operands for the derivative; of a value with its gradient, the gradient, too."""
    operands, name = inputs
    ctx.operation, ctx.count = operation_of(name), len(operands)
    ctx.set_materialize_grads(False)
    is_gradient = isinstance(ctx.operation, ValueAndGradient)
    ctx.save_for_backward(*operands, *(output[1:] if is_gradient else ()))


def _back(ctx: Any, cotangents: Sequence[torch.Tensor | None]) -> tuple[list[torch.Tensor | None], None]:
    """Adjoints of the operands that need one."""
    operation, saved = ctx.operation, ctx.saved_tensors
    operands, gradients = saved[: ctx.count], saved[ctx.count :]
    if isinstance(operation, ValueAndGradient) and all(each is None for each in cotangents[1:]):
        seed = cotangents[0]
        moved = zip(operation.active, gradients, strict=True) if seed is not None else ()
        scaled = {place: seed * gradient for place, gradient in moved}
        return [scaled.get(k) for k in range(ctx.count)], None
    active = tuple(k for k, each in enumerate(operands) if each.is_floating_point() and ctx.needs_input_grad[0][k])
    if not active or all(cotangents[k] is None for k in operation.float_results):
        return [None] * ctx.count, None
    seeds = [_seed(cotangents[k], operation, operands, k) for k in operation.float_results]
    found = dict(zip(active, call(operation.pushed(active).transposed(), [*operands, *seeds]), strict=True))
    return [found.get(k) for k in range(ctx.count)], None


def _seed(
    cotangent: torch.Tensor | None, operation: Operation, operands: Sequence[torch.Tensor], place: int
) -> torch.Tensor:
    """The cotangent of a result: zeros of its size where nothing depends on it."""
    if cotangent is not None:
        return cotangent
    like = _sized(list(operands), name_of(operation))[place]
    return torch.zeros_like(like)


torch.library.register_autograd(OPERATOR, _back, setup_context=_keep)


def _batched(
    _info: Any, axes: tuple[Any, ...], operands: list[torch.Tensor], operation: str
) -> tuple[list[torch.Tensor], list[int]]:
    """The operation on all slices; results are stacked along the first axis."""
    found = call(operation_of(operation).mapped(tuple(axes[0])), operands)
    return found, [0] * len(found)


torch.library.register_vmap(OPERATOR, _batched)


def stand_in(value: Any, path: str) -> Any:
    """A number of Python's, or an array of numpy's of the type and sizes of a tensor; open sizes are some number."""
    if type(value) in (bool, int, float) or isinstance(value, (np.ndarray, np.generic)):
        return value
    if isinstance(value, (torch.SymInt, torch.SymFloat)):
        return 0 if isinstance(value, torch.SymInt) else 0.0
    if not isinstance(value, torch.Tensor):
        raise TypeMismatch(f"argument '{path}' is a {type(value).__name__}, which is no tensor; pass one")
    if value.dtype not in NAMES:
        names = ", ".join(map(str, NAMES))
        raise TypeMismatch(f"argument '{path}': dtype {value.dtype} is not supported; convert to one of {names}")
    if value.layout != torch.strided:
        raise TypeMismatch(f"argument '{path}' is a tensor of layout {value.layout}; pass {path}.to_dense()")
    sizes = tuple(size if isinstance(size, int) else OPEN_SIZE for size in value.shape)
    return np.broadcast_to(np.zeros((), NUMPY_DTYPES[NAMES[value.dtype]]), sizes)


def operand(value: Any, type_: Type) -> torch.Tensor:
    """A value as the operand of a flat function, of the dtype of its parameter."""
    if isinstance(value, np.ndarray) and isinstance(type_, ArrayType):
        return torch.from_numpy(value)
    dtype = DTYPES[abi_parameter(type_).dtype]
    if not isinstance(value, torch.Tensor):
        return torch.tensor(value, dtype=dtype)
    return value if value.dtype == dtype else value.to(dtype)


def traced_whole(function: Any) -> Any:
    """The function as torch.compile takes it: called with tensors that have no elements, not read as a program."""
    return torch._dynamo.nonstrict_trace(function)


def wants_gradient(operands: Sequence[torch.Tensor]) -> tuple[int, ...]:
    """The places of operands that reverse mode asks about."""
    if not torch.is_grad_enabled():
        return ()
    return tuple(k for k, each in enumerate(operands) if each.requires_grad and each.is_floating_point())
