"""Calls of procedures that call themselves: a version for the sizes and integers of a call, which tell the depth."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tapeless import abi
from tapeless.api.options import Options
from tapeless.api.parameters import argument_types
from tapeless.api.program import Program
from tapeless.backend.lock import COMPILING
from tapeless.frontend.syntax.procedures import Procedure
from tapeless.frontend.syntax.source import Source
from tapeless.frontend.syntax.synthetic import synthetic
from tapeless.runtime.calling.arguments import bind_array, bind_scalar
from tapeless.runtime.kernel import Kernel
from tapeless.types import ArrayType, Type, i64

INTEGER = abi.Parameter("scalar", "i64")


class KnownDepths:
    """The versions of one procedure, by the sizes of arrays and by the integers that are only read."""

    def __init__(self, procedure: Procedure, options: Options) -> None:
        self._procedure = procedure
        self._options = options
        self._kernels: dict[tuple[Type | int, ...], Kernel] = {}

    def call(self, values: Sequence[Any]) -> Any:
        """Calls the version for these values, compiled if there is none yet."""
        parameters = self._procedure.source.parameters
        names = [parameter.name for parameter in parameters]
        types = tuple(map(_sized, argument_types(parameters, values), values, names))
        numbers = {
            k: int(bind_scalar(value, INTEGER, parameter.name))
            for k, (parameter, value) in enumerate(zip(parameters, values, strict=True))
            if parameter.is_read_only and types[k] == i64
        }
        key = (*types, *numbers.values())
        with COMPILING:
            if key not in self._kernels:
                program = Program(calling(self._procedure, numbers), types, self._options)
                self._kernels[key] = Kernel(program.interface, program.code(), program)
        return self._kernels[key].call(*values)


def calling(procedure: Procedure, numbers: dict[int, int]) -> Source:
    """The function that calls a procedure and gives all its parameters; some are numbers known now."""
    source = procedure.source
    called, name = ("(~f)", f"{source.name}_inverse") if procedure.is_inverse else ("f", source.name)
    given = [str(numbers.get(k, f"p{k}")) for k in range(len(source.parameters))]
    named = [f"{each.name}=" if each.keyword_only else "" for each in source.parameters]
    arguments = ", ".join(f"{one}{other}" for one, other in zip(named, given, strict=True))
    return synthetic(name, f"{called}({arguments})", source.parameters, {"f": Procedure(source)}, source)


def _sized(type_: Type, value: Any, name: str) -> Type:
    """The type with all sizes of a value, which must be of that type."""
    if not isinstance(type_, ArrayType):
        return type_
    dtype = "i1" if type_.dtype.is_bool else type_.dtype.name
    return ArrayType(type_.dtype, bind_array(value, abi.Parameter("array", dtype, type_.shape), name).shape)
