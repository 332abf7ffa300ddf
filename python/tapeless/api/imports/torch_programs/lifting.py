"""Modules as functions of their parameters, and the structures of arguments and results."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import torch
from torch.utils import _pytree

from tapeless.api.imports.places import Place, places_of
from tapeless.errors import ArgumentError, TypeMismatch
from tapeless.trees import leaves, mapped
from tapeless.types import ArrayType, Type, TypeTree, from_numpy


class Lifted(torch.nn.Module):
    """A module that is given its parameters; those that it ties stay one."""

    def __init__(self, module: torch.nn.Module) -> None:
        super().__init__()
        self._call = lambda parameters, inputs: torch.func.functional_call(module, parameters, inputs)

    def forward(self, parameters: Mapping[str, torch.Tensor], *inputs: Any) -> Any:
        """The result of the module."""
        return self._call(parameters, inputs)


def parameters_of(module: torch.nn.Module, with_buffers: bool) -> dict[str, torch.Tensor]:
    """The parameters of a module by name, each once, and its buffers if they are asked for."""
    named = [*module.named_parameters(), *(module.named_buffers() if with_buffers else ())]
    return {name: each.detach() for name, each in named}


def inputs_of(examples: Sequence[Any]) -> tuple[Any, ...]:
    """Examples with tensors for arrays; anything else would be a constant of the function, and is refused."""
    return tuple(_input(example, f"input {position}") for position, example in enumerate(examples))


def _input(example: Any, name: str) -> Any:
    if isinstance(example, np.ndarray):
        return torch.from_numpy(np.ascontiguousarray(example))
    if isinstance(example, torch.Tensor):
        return example.detach()
    if isinstance(example, dict):
        return {key: _input(each, f"{name}[{key!r}]") for key, each in example.items()}
    if type(example) in (tuple, list):
        return type(example)(_input(each, f"{name}[{k}]") for k, each in enumerate(example))
    raise ArgumentError(
        f"{name} of tl.from_torch is a {type(example).__name__}; give tensors, arrays and tuples, lists and dicts of "
        "them, such as torch.tensor(2.0) for a number"
    )


def tree_of(value: Any, name: str) -> TypeTree:
    """The tree of types of a structure of tensors."""
    flat, specification = _pytree.tree_flatten(value)
    places = _pytree.tree_unflatten(
        [Place(k) if torch.is_tensor(each) else each for k, each in enumerate(flat)], specification
    )
    tree = places_of(_plain(places), name, "PyTorch")
    order = [place.position for place in leaves(tree)]
    if order != [k for k, each in enumerate(flat) if torch.is_tensor(each)]:
        raise ArgumentError(f"{name} has parts in another order than PyTorch takes them; pass plain dicts and tuples")
    return mapped(tree, lambda place: type_of(flat[place.position], name))


def _plain(value: Any) -> Any:
    """Structures with tuples in place of PyTorch's own, as `max` and `sort` give them."""
    if isinstance(value, dict):
        return {key: _plain(each) for key, each in value.items()}
    if type(value) is list:
        return [_plain(each) for each in value]
    return tuple(map(_plain, value)) if type(value) is tuple or _is_of_torch(value) else value


def _is_of_torch(value: Any) -> bool:
    return isinstance(value, tuple) and type(value).__module__ == "torch.return_types"


def type_of(tensor: torch.Tensor, name: str) -> Type:
    """The type of a tensor; a number for one without axes."""
    try:
        dtype = from_numpy(torch.empty(0, dtype=tensor.dtype).numpy().dtype)
    except TypeError:
        raise TypeMismatch(f"{name} has parts of {tensor.dtype}, which functions do not have; convert them") from None
    return ArrayType(dtype, tuple(tensor.shape)) if tensor.dim() else dtype
