"""Which elements of which arrays a light nest of loops reads and writes, and whether two nests may run at once."""

from __future__ import annotations

from typing import TypeAlias

from tapeless._mlir import ir
from tapeless.dataclasses_on_use import dataclass
from tapeless.passes.ir.sizes.sizes import constant_int
from tapeless.passes.lower.vectorise.walking import is_made_in

VIEWS = ("memref.cast", "memref.reinterpret_cast")
MEMORY_OPERAND = {"memref.load": 0, "memref.store": 1}
Interval: TypeAlias = tuple[int, int] | None
"""The least and the largest value of an index, if both are known."""


@dataclass(frozen=True)
class Access:
    """A read or a write of an array: which indices it has, over all iterations."""

    array: ir.Value
    indices: tuple[Interval, ...]
    writes: bool

    def meets(self, other: Access) -> bool:
        """Whether one of two accesses may change the value of the other one."""
        if not (self.writes or other.writes) or self.array != other.array:
            return False
        if len(self.indices) != len(other.indices):
            return True
        pairs = zip(self.indices, other.indices, strict=True)
        return not any(one and two and (one[1] < two[0] or two[1] < one[0]) for one, two in pairs)


def accesses_of(loop: ir.Operation) -> list[Access] | None:
    """All accesses of a launched loop to arrays from outside; nothing if it has others than loads and stores."""
    found = []
    for op in with_memory(loop):
        if op.name not in MEMORY_OPERAND:
            return None
        position = MEMORY_OPERAND[op.name]
        array = _base(op.operands[position])
        if array is None or is_made_in(array, loop):
            return None
        indices = tuple(_interval(index) for index in list(op.operands)[position + 1 :])
        found.append(Access(array, indices if array == op.operands[position] else (), op.name == "memref.store"))
    return found


def with_memory(loop: ir.Operation) -> list[ir.Operation]:
    """The operations of a loop that have an array as an operand, but for sizes, which do not change."""
    found: list[ir.Operation] = []

    def visit(op: ir.Operation) -> ir.WalkResult:
        if op.name != "memref.dim" and any(isinstance(operand.type, ir.MemRefType) for operand in op.operands):
            found.append(op)
        return ir.WalkResult.ADVANCE

    loop.walk(visit)
    return found


def _base(array: ir.Value) -> ir.Value | None:
    """The array that views show; nothing for one of several, as branches and loops leave them."""
    while not isinstance(array, ir.BlockArgument):
        made = array.owner.operation
        if made.name == "arith.select" or len(made.regions):
            return None
        if made.name not in VIEWS:
            return array
        array = made.operands[0]
    return array


def _interval(index: ir.Value) -> Interval:
    """Between which numbers an index stays."""
    constant = constant_int(index)
    if constant is not None:
        return constant, constant
    if isinstance(index, ir.BlockArgument):
        return _of_variable(index)
    made = index.owner.operation
    if made.name not in ("arith.addi", "arith.subi"):
        return None
    left, right = (_interval(operand) for operand in made.operands)
    if left is None or right is None:
        return None
    if made.name == "arith.addi":
        return left[0] + right[0], left[1] + right[1]
    return left[0] - right[1], left[1] - right[0]


def _of_variable(index: ir.BlockArgument) -> Interval:
    loop = index.owner.owner.operation
    if loop.name != "scf.for" or index.arg_number:
        return None
    low, high = (constant_int(bound) for bound in list(loop.operands)[:2])
    return None if low is None or high is None or high <= low else (low, high - 1)
