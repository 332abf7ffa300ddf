"""The types that the parameters of a function get: from annotations, from a call, from a given signature."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from tapeless.annotations import Access, complete_types, conformed
from tapeless.errors import ArgumentError, TypeMismatch
from tapeless.number_types import Stored
from tapeless.runtime.calling.arguments import as_array, is_on_gpu
from tapeless.runtime.calling.parameters import bind_call
from tapeless.signature import Parameter
from tapeless.trees import Node, Static, branch, check_count, described, expected, items_of, leaves, made, node_of, read
from tapeless.types import ArrayType, ScalarType, Type, TypeTree, from_numpy, strong, type_of_value


def argument_types(parameters: Sequence[Parameter], values: Sequence[Any]) -> tuple[TypeTree, ...]:
    """The type each parameter gets in a call: its annotation, or the structure, dtypes and ranks of the value."""
    return tuple(_argument_type(*pair) for pair in zip(parameters, values, strict=True))


def _argument_type(parameter: Parameter, value: Any) -> TypeTree:
    if parameter.type is not None:
        return parameter.type
    tree = structured_type(value, parameter.name)
    return tree if parameter.layout is None else conformed(OF_TYPES, parameter.layout, tree, parameter.name)


def _opened(tree: Any) -> tuple[Node, Sequence[Any]] | None:
    node = node_of(tree)
    return None if node is None else (node, items_of(tree))


def annotated_type(wanted: Type | None, given: Any, name: str) -> Any:
    """The type of a part: that of its annotation, if there is one; the argument must not be of another rank."""
    if wanted is None:
        return given
    if isinstance(given, Static) or wanted.rank != given.rank:
        raise _refused(f"'{name}' is {_described(given)}, and annotated as {wanted!r}", f"pass {wanted!r}")
    return wanted


def _described(tree: Any) -> str:
    return repr(strong(tree)) if isinstance(tree, (ScalarType, ArrayType)) else expected(tree)


def _refused(message: str, instead: str) -> TypeMismatch:
    return TypeMismatch(f"argument {message}; {instead}")


OF_TYPES = Access(_opened, branch, annotated_type, _described, _refused)
"""How the types of arguments are compared with the annotation of a structure."""


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
    """An array like one on a GPU, without its elements; most programs use none, and do not load the code for them."""
    from tapeless.runtime.cuda.producers import stand_in

    return stand_in(value, name)


def signature_types(function: str, parameters: Sequence[Parameter], signature: Any) -> tuple[TypeTree, ...]:
    """Types from the arguments of `tl.compile`: types, example arguments, or nothing if all
    parameters are annotated.
    """
    if signature is None:
        signature = tuple(_annotated(function, parameter) for parameter in parameters)
    elif not isinstance(signature, (tuple, list)):
        signature = (signature,)
    given = bind_call(function, [replace(parameter, keyword_only=False) for parameter in parameters], signature, {})
    return tuple(
        _refined(parameter.type, entry, parameter.name)
        if isinstance(entry, (ScalarType, ArrayType)) and parameter.layout is None
        else _example(parameter, entry)
        for parameter, entry in zip(parameters, given, strict=True)
    )


def _annotated(function: str, parameter: Parameter) -> TypeTree:
    if parameter.type is not None:
        return parameter.type
    types = complete_types(parameter.layout)
    if types is None:
        raise ArgumentError(
            f"{function}() has no annotation for '{parameter.name}'; give tl.compile a type or an example for it"
        )
    return made(types)


def _example(parameter: Parameter, value: Any) -> TypeTree:
    """Examples and types may be mixed in a structure."""
    if parameter.type is not None:
        return parameter.type
    tree = read(value, parameter.name, lambda given, _: given)
    return conformed(_OF_EXAMPLES, parameter.layout, tree, parameter.name)


def _given_type(value: Any, name: str) -> Type:
    return value if isinstance(value, (ScalarType, ArrayType)) else value_type(value, name)


def _example_type(wanted: Type | None, given: Any, name: str) -> Any:
    if isinstance(given, Static):
        return given if wanted is None else annotated_type(wanted, given, name)
    if wanted is None or isinstance(given, (ScalarType, ArrayType)):
        return _refined(wanted, _given_type(given, name), name)
    return annotated_type(wanted, value_type(given, name), name)


def _described_example(tree: Any) -> str:
    return expected(tree) if isinstance(tree, Static) or node_of(tree) is not None else described(tree)


_OF_EXAMPLES = Access(_opened, branch, _example_type, _described_example, _refused)


def _refined(wanted: Type | None, given: Type, name: str) -> Type:
    """A given type may fix sizes that the annotation leaves open, and nothing else."""
    if wanted is None or given == strong(wanted):
        return given
    if isinstance(given, ArrayType) and isinstance(wanted, ArrayType):
        sizes = zip(given.shape, wanted.shape, strict=False)
        same_kind = given.dtype == wanted.dtype and given.rank == wanted.rank
        if same_kind and all(fixed in (None, size) for size, fixed in sizes):
            return given
    raise TypeMismatch(
        f"parameter '{name}' is annotated {wanted!r}, but the signature says {given!r}; give the annotated type"
    )


def specialisation_key(parameters: Sequence[Parameter], values: Sequence[Any]) -> tuple[Any, ...]:
    """The key of a compiled version: dtype and rank where no annotation fixes them."""
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
