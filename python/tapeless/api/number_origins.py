"""The origin of numbers for versions of a function: Python's take the type of the other operand, numpy's have their
own.

Versions for either often have the same code. Then it is compiled once, and both kinds of numbers are taken by it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from tapeless.annotations import conformed
from tapeless.api.parameters import OF_TYPES
from tapeless.runtime.calling.numbers import Origin, Origins
from tapeless.runtime.kernel import Kernel
from tapeless.signature import Parameter
from tapeless.trees import Static, leaves, mapped
from tapeless.types import PythonNumber, ScalarType, Type, TypeTree, strong

Kernels = Mapping[tuple[TypeTree, ...], Kernel]


def number_origins(parameters: Sequence[Parameter], types: tuple[TypeTree, ...], kernels: Kernels) -> Origins:
    """Whose numbers the flat parameters of a version take, where arguments chose their types."""
    flat, code = mapped(types, strong), kernels[types].code
    similar = (each for each in kernels if each != types and mapped(each, strong) == flat)
    alike = [list(leaves(each)) for each in similar if kernels[each].code == code]
    chosen = [each for pair in zip(parameters, types, strict=True) for each in leaves(_is_chosen(*pair))]
    return {
        place: _origin(type_, [each[place] for each in alike], is_chosen)
        for place, (type_, is_chosen) in enumerate(zip(leaves(types), chosen, strict=True))
        if isinstance(type_, ScalarType) and is_chosen is not None
    }


def _origin(type_: Type, others: Sequence[Type], is_chosen: bool) -> Origin:
    if not is_chosen or any(each != type_ for each in others):
        return Origin.EITHER
    return Origin.PYTHON if isinstance(type_, PythonNumber) else Origin.NUMPY


def _is_chosen(parameter: Parameter, type_: TypeTree) -> Any:
    """For each leaf whether the argument chose its type; not if an annotation of a structure has one for it."""
    if parameter.type is not None:
        return mapped(type_, lambda _: None)
    if parameter.layout is None:
        return mapped(type_, lambda _: True)
    return conformed(_OF_CHOICES, parameter.layout, type_, parameter.name)


def _leaf(wanted: Type | None, given: Any, name: str) -> Any:
    return given if isinstance(given, Static) else wanted is None


_OF_CHOICES = replace(OF_TYPES, leaf=_leaf)
