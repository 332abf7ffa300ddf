"""Places of values of the host function: known, in memory of the device, or easily computed again."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

from tapeless._mlir import ir
from tapeless.abi import LONGEST_AXIS
from tapeless.dataclasses_on_use import dataclass
from tapeless.dialects.array_types import DYNAMIC
from tapeless.passes.lower.launches.plan.plan import Expr
from tapeless.passes.lower.llvm.descriptor import element_bytes

SLOT_BYTES = 8
LARGEST = 1 << 62
# The name of the buffer with all slots.
SLOTS = "slots"


@dataclass(frozen=True)
class Known:
    """A number that the host knows: an integer, a bool, or a float argument."""

    expr: Expr


@dataclass(frozen=True)
class Slot:
    """A number in memory of the device, in a slot of the scratch buffer."""

    number: int


@dataclass(frozen=True)
class Repeated:
    """A number that kernels compute again from others when they need it."""

    op: ir.Operation


@dataclass(frozen=True)
class Array:
    """An array in memory of the device: its address and all its sizes; one number may be in a slot."""

    address: Expr
    sizes: tuple[Expr, ...]
    slot: int | None = None


HostValue: TypeAlias = Known | Slot | Repeated | Array


def is_memory(type_: ir.Type) -> bool:
    return isinstance(type_, ir.MemRefType)


def is_integer(type_: ir.Type) -> bool:
    """Whether the host can compute with numbers of a type."""
    return isinstance(type_, (ir.IntegerType, ir.IndexType))


def dynamic_axes(type_: ir.MemRefType) -> list[int]:
    """The axes whose sizes the type does not tell."""
    return [axis for axis, size in enumerate(type_.shape) if size == DYNAMIC]


def all_sizes(type_: ir.MemRefType, dynamic: Sequence[Expr]) -> tuple[Expr, ...]:
    """Every size, given those that the type does not tell."""
    remaining = iter(dynamic)
    return tuple(next(remaining) if size == DYNAMIC else size for size in type_.shape)


def bytes_of(type_: ir.MemRefType, sizes: Sequence[Expr]) -> Expr:
    """How much memory an array takes; more than fits into 64 bits becomes more than any device has."""
    known = element_bytes(type_)
    for size in sizes:
        known *= size if isinstance(size, int) else 1
    total: Expr = min(known, LARGEST)
    for size in sizes:
        if not isinstance(size, int):
            total = _product(total, size)
    return total


def _product(number: Expr, size: Expr) -> Expr:
    if isinstance(number, int) and number <= LARGEST // LONGEST_AXIS:
        return ["muli", "i64", number, size]
    most = ["divsi", "i64", LARGEST, ["maxsi", "i64", number, 1]]
    return ["select", "i64", ["cmpi.sgt", "i64", size, most], LARGEST, ["muli", "i64", number, size]]
