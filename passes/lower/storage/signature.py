"""The signature of a lowered function: which results the caller provides memory for, and how large they are."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Literal, TypeVar

from tapeless._mlir import func, ir
from tapeless.abi import HALF_ATTRIBUTE, UNSIGNED_ATTRIBUTE, Abi, Expr, Parameter, Result
from tapeless.dataclasses_on_use import dataclass
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
# The places of the arguments that may tell sizes.
Arguments = dict[ir.Value, int]
Entry = TypeVar("Entry", Parameter, Result)
WRAPPING = frozenset({"arith.addi", "arith.subi", "arith.muli"})
CASTS = frozenset({"arith.index_cast", "arith.extsi"})
Place = Literal["value", "out", "allocated", "in place"]


def describe(function: func.FuncOp, arguments: Sequence[ir.Value], results: Sequence[ir.Value]) -> Abi:
    """The contract of a function of core IR with these arguments and returned values."""
    of_arguments, of_results = (marked_dtypes(function, name) for name in ("arg_attrs", "res_attrs"))
    parameters = [with_mark(parameter(each.type), of_arguments.get(k)) for k, each in enumerate(arguments)]
    # A number without a sign is another one for the kernel than for the caller, so no size is told by it.
    known = {each: k for k, each in enumerate(arguments) if parameters[k].kind == "array" or k not in of_arguments}
    described = [describe_result(value, known) for value in results]
    return Abi(tuple(parameters), tuple(with_mark(each, of_results.get(k)) for k, each in enumerate(described)))


def marked_dtypes(function: func.FuncOp, attribute: str) -> dict[int, str]:
    """The dtypes of the arguments, or results, of a function that are marked to be others than their types say."""
    if attribute not in function.attributes:
        return {}
    marks = {place: marked_dtype(facts) for place, facts in enumerate(function.attributes[attribute])}
    return {place: dtype for place, dtype in marks.items() if dtype is not None}


def marked_dtype(facts: ir.DictAttr) -> str | None:
    if UNSIGNED_ATTRIBUTE in facts:
        return "u32"
    return ir.StringAttr(facts[HALF_ATTRIBUTE]).value if HALF_ATTRIBUTE in facts else None


def with_mark(entry: Entry, dtype: str | None) -> Entry:
    return entry if dtype is None else replace(entry, dtype=dtype)


def parameter(type_: ir.Type) -> Parameter:
    if isinstance(type_, ir.RankedTensorType):
        return Parameter("array", dtype(type_.element_type), known_sizes(type_))
    return Parameter("scalar", dtype(type_))


def describe_result(value: ir.Value, arguments: Arguments) -> Result:
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


def expression(size: Size, arguments: Arguments) -> Expr | None:
    """A size in terms of the arguments, or nothing when it depends on anything else."""
    if isinstance(size, int):
        return size
    if isinstance(size, Dim):
        return ["dim", arguments[size.array], size.axis] if size.array in arguments else None
    if isinstance(size, Total):
        return joined("add", [multiple(expression(part, arguments), times) for part, times in size.parts])
    if isinstance(size, Computed):
        return computed(size, arguments)
    return ["arg", arguments[size]] if size in arguments else None


def multiple(size: Expr | None, times: int) -> Expr | None:
    return size if times == 1 else joined("mul", [size, times])


def computed(size: Computed, arguments: Arguments) -> Expr | None:
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


@dataclass(frozen=True)
class Convention:
    """Per result: its place, and the argument whose sizes it has, or -1.

    A `value` is returned. An `out` is written into memory of its sizes that the caller hands over behind the arguments.
    What is `in place` is left in the memory of the argument, which the caller lets go.
    """

    places: tuple[Place, ...]
    arguments: tuple[int, ...]

    def in_place(self) -> Iterator[tuple[int, int]]:
        """The results that are left in the memory of arguments: the numbers of both."""
        return ((k, self.arguments[k]) for k, place in enumerate(self.places) if place == "in place")

    def outs(self) -> list[int]:
        """The results that the caller provides memory for."""
        return [k for k, place in enumerate(self.places) if place == "out"]

    def values(self) -> list[int]:
        """The results that are returned."""
        return [k for k, place in enumerate(self.places) if place == "value"]

    def without(self, result: int) -> Convention:
        """The same, with a result in memory of its own."""
        return replace(self, places=tuple("out" if k == result else place for k, place in enumerate(self.places)))
