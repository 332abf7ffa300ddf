"""`tl.to_torch`: functions of the language inside programs of PyTorch."""

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
def to_torch(f: Callable[P, Any]) -> Callable[P, Any]:
    """The function for programs of PyTorch: it takes and gives tensors, and autograd differentiates it, also twice.

    It is an operator, which torch.compile, torch.export and torch.func.vmap know. Derivatives are those of `tl.grad`
    and `tl.vjp`, batches those of `tl.vmap`. Structures go in and come out as with `f`.

    >>> import torch
    >>> energy = tl.to_torch(lambda x: tl.sum(x * x * x))
    >>> x = torch.tensor([1.0, 2.0], requires_grad=True)
    >>> energy(x).backward()
    >>> x.grad
    tensor([ 3., 12.])
    """
    inner = exportable("to_torch", f)

    @functools.wraps(inner.source.function)
    @user_facing
    def of_torch(*arguments: P.args, **named: P.kwargs) -> Any:
        values = bind_call(inner.source.name, inner.source.parameters, arguments, named)
        try:
            return _called(inner, values)
        except SizeIsData as error:
            return _called(inner, values, constant_paths(inner, values, _torch().stand_in, error))

    return _torch().traced_whole(of_torch)


def _torch() -> Any:
    return library("to_torch", "torch", "tapeless.api.exports.torch_calls")


def _called(f: TapelessFunction, values: Sequence[Any], constant: Collection[str] = ()) -> Any:
    torch_calls = _torch()
    flat = flattened(f, values, torch_calls.stand_in, constant)
    operation = Operation(flat.function)
    operands = [torch_calls.operand(each.given.value, each.type) for each in flat.operands]
    active = torch_calls.wants_gradient(operands)
    if active and operation.is_loss:
        return torch_calls.call(operation.value_and_gradient(active), operands)[0]
    return build(operation.structure, torch_calls.call(operation, operands))
