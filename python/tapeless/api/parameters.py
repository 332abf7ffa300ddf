"""The types that the parameters of a function get: from annotations, from a call, from a given signature."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from tapeless.errors import ArgumentError, TypeMismatch
from tapeless.number_types import Stored
from tapeless.runtime.calling.arguments import as_array, is_on_gpu
from tapeless.runtime.calling.parameters import bind_call
from tapeless.signature import Parameter
from tapeless.trees import check_count, leaves, read
from tapeless.types import ArrayType, ScalarType, Type, TypeTree, from_numpy, type_of_value


def argument_types(parameters: Sequence[Parameter], values: Sequence[Any]) -> tuple[TypeTree, ...]:
    """The type each parameter gets in a call: its annotation, or the structure, dtypes and ranks of the value."""
    return tuple(
        parameter.type if parameter.type is not None else structured_type(value, parameter.name)
        for parameter, value in zip(parameters, values, strict=True)
    )


def structured_type(value: Any, name: str) -> TypeTree:
    """The type of a value, or those of its parts."""
    tree = read(value, name, value_type)
    check_count(sum(1 for _ in leaves(tree)), name)
    return tree


def value_type(value: Any, name: str) -> Type:
    """The type of a value passed for a parameter without annotation."""
    try:
        return type_of_value(value)
    except TypeError:
        pass
    if isinstance(value, Stored):
        raise TypeMismatch(f"argument '{name}': annotate the parameter with {value.number!r}, or pass float(x)")
    array = _stand_in(value, name) if is_on_gpu(value) else as_array(value, name)
    try:
        dtype = from_numpy(array.dtype.newbyteorder("="))
    except TypeError as error:
        raise TypeMismatch(f"argument '{name}': {error}") from None
    return ArrayType(dtype, (None,) * array.ndim) if array.ndim else dtype


def _stand_in(value: Any, name: str) -> np.ndarray:
    """An array like one on a GPU, without its elements; most programs use none, and do without what knows of them."""
    from tapeless.runtime.cuda.producers import stand_in

    return stand_in(value, name)


def signature_types(function: str, parameters: Sequence[Parameter], signature: Any) -> tuple[TypeTree, ...]:
    """Types from what `tl.compile` is given: types, example arguments, or nothing if all parameters are annotated."""
    if signature is None:
        signature = tuple(_annotated(function, parameter) for parameter in parameters)
    elif not isinstance(signature, (tuple, list)):
        signature = (signature,)
    given = bind_call(function, [replace(parameter, keyword_only=False) for parameter in parameters], signature, {})
    return tuple(
        _refined(parameter, entry) if isinstance(entry, (ScalarType, ArrayType)) else _example(parameter, entry)
        for parameter, entry in zip(parameters, given, strict=True)
    )


def _annotated(function: str, parameter: Parameter) -> Type:
    if parameter.type is None:
        raise ArgumentError(
            f"{function}() has no annotation for '{parameter.name}'; give tl.compile a type or an example for it"
        )
    return parameter.type


def _example(parameter: Parameter, value: Any) -> TypeTree:
    """Examples and types may be mixed in a structure."""
    return parameter.type if parameter.type is not None else read(value, parameter.name, _given_type)


def _given_type(value: Any, name: str) -> Type:
    return value if isinstance(value, (ScalarType, ArrayType)) else value_type(value, name)


def _refined(parameter: Parameter, given: Type) -> Type:
    """A given type may fix sizes that the annotation leaves open, and nothing else."""
    if parameter.type is None or given == parameter.type:
        return given
    if isinstance(given, ArrayType) and isinstance(parameter.type, ArrayType):
        sizes = zip(given.shape, parameter.type.shape, strict=False)
        same_kind = given.dtype == parameter.type.dtype and given.rank == parameter.type.rank
        if same_kind and all(expected in (None, size) for size, expected in sizes):
            return given
    raise TypeMismatch(
        f"parameter '{parameter.name}' is annotated {parameter.type!r}, but the signature says {given!r}; "
        "give the annotated type"
    )


def specialisation_key(parameters: Sequence[Parameter], values: Sequence[Any]) -> tuple[Any, ...]:
    """What the choice of a compiled version depends on: dtype and rank where no annotation fixes them."""
    return tuple(
        _kind_of(value, parameter.name)
        for parameter, value in zip(parameters, values, strict=True)
        if parameter.type is None
    )


def _kind_of(value: Any, name: str) -> Any:
    """Dtype and rank in the form that is cheapest to find, for each part of a structure."""
    if isinstance(value, np.ndarray):
        return value.dtype, value.ndim
    return type(value) if isinstance(value, (int, float, np.generic)) else structured_type(value, name)
