"""The signature of the function behind a derivative, and the types of its seeds."""

from __future__ import annotations

from collections.abc import Sequence

from tapeless._mlir import ir
from tapeless.dialects.array_types import stack_type
from tapeless.dialects.symbols import find_function
from tapeless.dialects.verification import Problems, types_text


def signature(function: ir.OpView) -> ir.FunctionType:
    """The type of a function."""
    return function.attributes["function_type"].value


def callee_problems(op: ir.OpView, name: str) -> Problems:
    """The callee must be a function of the same module."""
    if find_function(op, name) is None:
        yield f"names @{name}, which is no func.func of this module; define it or declare it"


def is_differentiable(type_: ir.Type) -> bool:
    """Whether values of a type carry derivatives: floats, and arrays of them."""
    element = type_.element_type if isinstance(type_, ir.RankedTensorType) else type_
    return isinstance(element, ir.F64Type | ir.F32Type)


def seeded(types: Sequence[ir.Type], seed_size: int | None) -> list[ir.Type]:
    """The types of tangents or cotangents of values: their own, or with a leading axis of that many seeds."""
    return list(types) if seed_size is None else [stack_type(seed_size, type_) for type_ in types]


def operand_problems(what: str, given: Sequence[ir.Type], wanted: Sequence[ir.Type], source: str) -> Problems:
    """A list of types must be the one that the callee asks for."""
    if list(given) != list(wanted):
        yield f"has {what} {types_text(given)}; give {types_text(wanted)}: {source}"
