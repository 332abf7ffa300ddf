"""Functions of the numbers and arrays in the arguments of a call, whatever structures these are in."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from typing import Any, NamedTuple

import numpy as np

from tapeless import abi
from tapeless.annotations import conformed
from tapeless.api.decorated import TapelessFunction
from tapeless.api.parameters import OF_TYPES, value_type
from tapeless.api.transforms.derive import derive
from tapeless.api.transforms.written import argument_text
from tapeless.dataclasses_on_use import dataclass
from tapeless.errors import TypeMismatch
from tapeless.runtime.calling.arguments import ACCEPTED, PUBLIC_NAMES, check_array
from tapeless.signature import REQUIRED, Parameter
from tapeless.trees import check_count, described, filled, leaves, mapped, read
from tapeless.types import ArrayType, ScalarType, Type, TypeTree, strong

ABI_NAMES = {public.removeprefix("tl."): name for name, public in PUBLIC_NAMES.items()}


@dataclass(frozen=True, slots=True, eq=False)
class Given:
    """A number or an array in an argument: its path in messages, the value, and a number or array of numpy's like it.

    Of the latter, type and sizes matter, and the elements do not.
    """

    path: str
    value: Any
    stand_in: Any


@dataclass(frozen=True, slots=True, eq=False)
class Operand:
    """An argument of a flat function, and the type of its parameter."""

    given: Given
    type: Type


class Flat(NamedTuple):
    """A function of numbers and arrays alone, and those of a call."""

    function: TapelessFunction
    operands: list[Operand]


StandIn = Callable[[Any, str], Any]


def flattened(f: TapelessFunction, values: Sequence[Any], stand_in: StandIn, constant: Collection[str] = ()) -> Flat:
    """A call of `f` with one value per parameter, taken apart; numbers at the paths `constant` are part of the code."""
    parameters = f.source.parameters
    trees = [
        read(value, each.name, lambda leaf, path: Given(path, leaf, stand_in(leaf, path)))
        for each, value in zip(parameters, values, strict=True)
    ]
    types = tuple(_types(each, tree, value) for each, tree, value in zip(parameters, trees, values, strict=True))
    operands = [Operand(*pair) for pair in zip(leaves(tuple(trees)), leaves(types), strict=True)]
    for each in operands:
        _check(each)
    open_ = [each for each in operands if each.given.path not in constant]
    fixed = tuple((each.given.path, each.given.value) for each in operands if each.given.path in constant)
    key = (flattened, types, fixed)
    if key not in f.derived:
        f.derived[key] = _flat_function(f, filled(types, iter(operands)), open_)
    return Flat(f.derived[key], open_)


def _types(parameter: Parameter, tree: Any, value: Any) -> TypeTree:
    """The type of an argument, or the tree of those of its parts."""
    if parameter.type is not None:
        if not isinstance(tree, Given):
            raise TypeMismatch(
                f"argument '{parameter.name}' is {described(value)}, but the parameter is {parameter.type!r}; "
                f"pass {parameter.type!r}"
            )
        return parameter.type
    types = mapped(tree, lambda given: value_type(given.stand_in, given.path))
    check_count(sum(1 for _ in leaves(types)), parameter.name)
    return types if parameter.layout is None else conformed(OF_TYPES, parameter.layout, types, parameter.name)


def abi_parameter(type_: Type) -> abi.Parameter:
    """A type as kernels describe it."""
    dtype = ABI_NAMES[scalar_type(type_).name]
    if isinstance(type_, ArrayType):
        return abi.Parameter("array", dtype, type_.shape)
    return abi.Parameter("scalar", dtype)


def _check(operand: Operand) -> None:
    """Refuses the arguments that a call of the function itself refuses, with the same words."""
    given, type_ = operand.given, operand.type
    stand_in, parameter = given.stand_in, abi_parameter(type_)
    if isinstance(type_, ArrayType):
        check_array(np.asarray(stand_in), parameter, given.path, given.value)
        return
    number = stand_in[()] if isinstance(stand_in, np.ndarray) and not stand_in.ndim else stand_in
    if not isinstance(number, ACCEPTED[parameter.dtype]):
        raise TypeMismatch(
            f"argument '{given.path}' is {described(number)}, but the parameter is the scalar {strong(type_)!r}; "
            f"pass a number of that type"
        )


def _flat_function(f: TapelessFunction, trees: Sequence[Any], operands: Sequence[Operand]) -> TapelessFunction:
    """The function of operands that calls `f` with the structures that they came in, and with constants."""
    places = {id(each.given): f"p{position}" for position, each in enumerate(operands)}
    objects: dict[str, Any] = {}

    def leaf(operand: Operand) -> str:
        return places.get(id(operand.given)) or repr(operand.given.value)

    texts = [
        f"{parameter.name}={text}" if parameter.keyword_only else text
        for parameter, tree in zip(f.source.parameters, trees, strict=True)
        for text in [argument_text(tree, leaf, objects)]
    ]
    taken = [Parameter(each.given.path, each.type, REQUIRED) for each in operands]
    return derive(f, "flat", f"f({', '.join(texts)})", taken, objects, f.source.name)


def scalar_type(type_: Type) -> ScalarType:
    """The type of the elements of an array, or of a number."""
    return strong(type_.dtype if isinstance(type_, ArrayType) else type_)
