"""The signature of a lowered function: which results the caller provides memory for, and how large they are."""

from __future__ import annotations

from collections.abc import Sequence

from tapeless._mlir import ir
from tapeless.abi import Abi, Expr, Parameter, Result
from tapeless.dialects.array_types import DYNAMIC
from tapeless.passes.ir.sizes.expressions import Computed, Dim, Size, Total
from tapeless.passes.ir.sizes.shapes import size_of

OPERATORS = {
    "arith.addi": "add",
    "arith.subi": "sub",
    "arith.muli": "mul",
    "arith.minsi": "min",
    "arith.maxsi": "max",
    "arith.floordivsi": "floordiv",
}
WRAPPING = frozenset({"arith.addi", "arith.subi", "arith.muli"})
CASTS = frozenset({"arith.index_cast", "arith.extsi"})


def describe(arguments: Sequence[ir.Value], results: Sequence[ir.Value]) -> Abi:
    """The contract of a function of core IR with these arguments and returned values."""
    return Abi(
        tuple(parameter(argument.type) for argument in arguments),
        tuple(describe_result(value, list(arguments)) for value in results),
    )


def parameter(type_: ir.Type) -> Parameter:
    if isinstance(type_, ir.RankedTensorType):
        return Parameter("array", dtype(type_.element_type), known_sizes(type_))
    return Parameter("scalar", dtype(type_))


def describe_result(value: ir.Value, arguments: list[ir.Value]) -> Result:
    """A scalar is a value; an array is an `out` when the caller can compute its size, else the kernel allocates it."""
    type_ = value.type
    if not isinstance(type_, ir.RankedTensorType):
        return Result("scalar", dtype(type_), "value")
    sizes = [expression(size_of(value, axis), arguments) for axis in range(type_.rank)]
    if any(size is None for size in sizes):
        return Result("array", dtype(type_.element_type), "allocated", known_sizes(type_))
    return Result("array", dtype(type_.element_type), "out", tuple(sizes))


def known_sizes(type_: ir.RankedTensorType) -> tuple[int | None, ...]:
    return tuple(None if size == DYNAMIC else size for size in type_.shape)


def dtype(type_: ir.Type) -> str:
    return "i64" if isinstance(type_, ir.IndexType) else str(type_)


def expression(size: Size, arguments: list[ir.Value]) -> Expr | None:
    """A size in terms of the arguments, or nothing when it depends on anything else."""
    if isinstance(size, int):
        return size
    if isinstance(size, Dim):
        return ["dim", arguments.index(size.array), size.axis] if size.array in arguments else None
    if isinstance(size, Total):
        return joined("add", [multiple(expression(part, arguments), times) for part, times in size.parts])
    if isinstance(size, Computed):
        return computed(size, arguments)
    return ["arg", arguments.index(size)] if size in arguments else None


def multiple(size: Expr | None, times: int) -> Expr | None:
    return size if times == 1 else joined("mul", [size, times])


def computed(size: Computed, arguments: list[ir.Value]) -> Expr | None:
    operands = [expression(operand, arguments) for operand in size.operands]
    if size.name in CASTS:
        return operands[0]
    if size.name not in OPERATORS or (size.name in WRAPPING and is_narrow(size.model.type)):
        return None
    if size.name == "arith.floordivsi" and not (isinstance(operands[1], int) and operands[1] > 0):
        return None
    return joined(OPERATORS[size.name], operands)


def is_narrow(type_: ir.Type) -> bool:
    """Whether arithmetic in a type wraps before 64 bits, which a caller does not follow."""
    return isinstance(type_, ir.IntegerType) and type_.width < 64


def joined(operator: str, operands: list[Expr | None]) -> Expr | None:
    """The operator between all operands, from the left."""
    result = operands[0]
    for operand in operands[1:]:
        if result is None or operand is None:
            return None
        result = [operator, result, operand]
    return result
