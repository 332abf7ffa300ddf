"""The types of a version with the sizes that example arguments have, for questions about memory."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from tapeless.api.parameters import value_type
from tapeless.errors import ArgumentError, TypeMismatch
from tapeless.runtime.calling.arguments import as_array
from tapeless.signature import Parameter
from tapeless.trees import filled, leaves, named_leaves, read
from tapeless.types import ArrayType, ScalarType, Type, TypeTree


def with_sizes(
    types: Sequence[TypeTree], parameters: Sequence[Parameter], examples: Sequence[Any]
) -> tuple[TypeTree, ...]:
    """The types with the sizes of examples, each of which is an argument or a type such as `tl.f64[1000]`."""
    if len(examples) != len(parameters):
        names = ", ".join(parameter.name for parameter in parameters)
        raise ArgumentError(f"explain() takes no examples, or one for each of {names}; {len(examples)} were given")
    given = [
        each
        for type_, parameter, example in zip(types, parameters, examples, strict=True)
        for each in zip(leaves(type_), named_leaves(read(example, parameter.name, _type), parameter.name), strict=True)
    ]
    return filled(tuple(types), iter([_sized(type_, name, example) for type_, (name, example) in given]))


def _type(value: Any, name: str) -> Type:
    """The type of an example, with all sizes."""
    if isinstance(value, (ScalarType, ArrayType)):
        return value
    type_ = value_type(value, name)
    return ArrayType(type_.dtype, as_array(value, name).shape) if isinstance(type_, ArrayType) else type_


def _sized(type_: Type, name: str, example: Type) -> Type:
    if not isinstance(type_, ArrayType):
        return type_
    if not isinstance(example, ArrayType) or (example.dtype, example.rank) != (type_.dtype, type_.rank):
        raise TypeMismatch(
            f"the example for '{name}' is {example!r}, and the kernel takes {type_!r}; give one like that"
        )
    return example


def known_integers(parameters: Sequence[Parameter], examples: Sequence[Any]) -> dict[int, int]:
    """The integers among examples, by their place among the flat arguments: bounds of loops, for one."""
    trees = [read(each, parameter.name, _kept) for parameter, each in zip(parameters, examples, strict=True)]
    flat = enumerate(leaf for tree in trees for leaf in leaves(tree))
    return {k: int(leaf) for k, leaf in flat if isinstance(leaf, (int, np.integer)) and not isinstance(leaf, bool)}


def _kept(value: Any, _name: str) -> Any:
    return value
