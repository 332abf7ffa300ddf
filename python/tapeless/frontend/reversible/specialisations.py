"""Procedures of a module as their callers know them: one per procedure and combination of argument types."""

from __future__ import annotations

from dataclasses import dataclass, field

from tapeless._mlir import ir
from tapeless.dialects.rev import StackType
from tapeless.frontend.values.builder import Types
from tapeless.signature import Parameter
from tapeless.types import ArrayType, ScalarType


@dataclass(frozen=True)
class StackOf:
    """The type of a parameter that is a stack."""

    dtype: ScalarType


Type = ScalarType | ArrayType | StackOf


@dataclass(eq=False)
class Made:
    """A procedure of the module: its name, the types of its parameters, and the functions declared for it."""

    name: str
    parameters: tuple[Parameter, ...]
    types: tuple[Type, ...]
    declared: set[str] = field(default_factory=set)
    is_finished: bool = False

    @property
    def changing(self) -> list[bool]:
        """Per parameter, whether the procedure may change it."""
        return [not parameter.is_read_only for parameter in self.parameters]


def dtype_of(type_: Type) -> ScalarType:
    """The type of the numbers in something of a type."""
    return type_ if isinstance(type_, ScalarType) else type_.dtype


def parameter_type(types: Types, type_: Type) -> ir.Type:
    """The type of a cell or stack."""
    scalar = types.scalars[dtype_of(type_)]
    if isinstance(type_, StackOf):
        return StackType.get(ir.TypeAttr.get(scalar))
    return ir.MemRefType.get(_shape(types, type_), scalar, loc=types.unknown)


def value_type(types: Types, type_: ScalarType | ArrayType) -> ir.Type:
    """The type of what a cell holds."""
    scalar = types.scalars[dtype_of(type_)]
    return ir.RankedTensorType.get(_shape(types, type_), scalar, loc=types.unknown) if type_.rank else scalar


def _shape(types: Types, type_: ScalarType | ArrayType) -> list[int]:
    if isinstance(type_, ScalarType):
        return []
    return [types.dynamic if size is None else size for size in type_.shape]
