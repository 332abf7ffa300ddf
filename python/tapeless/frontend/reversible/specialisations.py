"""Procedures of a module as their callers know them: one per procedure and combination of argument types."""

from __future__ import annotations

from dataclasses import field

from tapeless._mlir import ir
from tapeless.dataclasses_on_use import dataclass
from tapeless.dialects.rev import StackType
from tapeless.frontend.reversible.cells.cells import element_type
from tapeless.frontend.values.builder import Types
from tapeless.number_types import number_of, read_as
from tapeless.signature import Parameter
from tapeless.types import ArrayType, ScalarType, f64, i64


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
        """Per parameter, whether the procedure may change it; stacks are taken to be changed."""
        pairs = zip(self.parameters, self.types, strict=True)
        return [isinstance(type_, StackOf) or not parameter.is_read_only for parameter, type_ in pairs]


def dtype_of(type_: Type) -> ScalarType:
    """The type of the numbers in something of a type."""
    return type_ if isinstance(type_, ScalarType) else type_.dtype


def parameter_type(types: Types, type_: Type) -> ir.Type:
    """The type of a cell or stack."""
    scalar = element_type(types, dtype_of(type_))
    if isinstance(type_, StackOf):
        return StackType.get(ir.TypeAttr.get(scalar))
    return ir.MemRefType.get(_shape(types, type_), scalar, loc=types.unknown)


def held_types(types: Types, type_: ScalarType | ArrayType) -> list[ir.Type]:
    """The types that functions take and give for a cell: on the grid the number of units and the value."""
    dtype, shape = dtype_of(type_), _shape(types, type_)
    number = number_of(dtype)
    parts = [i64, f64] if number is not None and number.is_on_grid else [read_as(dtype)]
    scalars = [types.scalars[part] for part in parts]
    return [ir.RankedTensorType.get(shape, each, loc=types.unknown) if shape else each for each in scalars]


def _shape(types: Types, type_: ScalarType | ArrayType) -> list[int]:
    if isinstance(type_, ScalarType):
        return []
    return [types.dynamic if size is None else size for size in type_.shape]
