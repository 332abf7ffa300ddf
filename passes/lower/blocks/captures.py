"""The free values of an outlined loop's body, and how they get in."""

from __future__ import annotations

from dataclasses import field

from tapeless._mlir import ir
from tapeless.dataclasses_on_use import dataclass

REMATERIALISED = frozenset({"arith.constant", "memref.get_global"})


@dataclass
class Captures:
    """The free values of a loop: operations to repeat inside, private allocations, and values to hand over."""

    repeated: list[ir.Operation] = field(default_factory=list)
    private: list[ir.Operation] = field(default_factory=list)
    handed: list[ir.Value] = field(default_factory=list)


def capture(loop: ir.Operation, buffers: list[ir.Operation]) -> Captures:
    """Sorts the values that the body takes from outside by how they get in."""
    inside: set[ir.Value] = set()
    operands: dict[ir.Value, None] = {}

    def visit(op: ir.Operation) -> ir.WalkResult:
        if op != loop:
            operands.update(dict.fromkeys(op.operands))
            inside.update(op.results)
        for region in op.regions:
            for block in region.blocks:
                inside.update(block.arguments)
        return ir.WalkResult.ADVANCE

    loop.walk(visit, ir.WalkOrder.PRE_ORDER)
    captures = Captures()
    waiting = [value for value in operands if value not in inside]
    for value in waiting:
        op = None if isinstance(value, ir.BlockArgument) else value.owner.operation
        if op is not None and op.name in REMATERIALISED:
            captures.repeated.append(op)
        elif op is not None and op in buffers:
            captures.private.append(op)
            waiting += [size for size in op.operands if size not in operands]
        elif value not in captures.handed:
            captures.handed.append(value)
    return captures


def clone_with(op: ir.Operation, mapping: dict[ir.Value, ir.Value]) -> ir.Value:
    """A copy of an operation here, on mapped operands."""
    copy = op.clone()
    for position, operand in enumerate(op.operands):
        copy.operands[position] = mapping[operand]
    return copy.results[0]


def replace_operands(root: ir.Operation, mapping: dict[ir.Value, ir.Value]) -> None:
    """Rewires every use of captured values inside an operation."""

    def visit(op: ir.Operation) -> ir.WalkResult:
        for position, operand in enumerate(op.operands):
            if operand in mapping:
                op.operands[position] = mapping[operand]
        return ir.WalkResult.ADVANCE

    root.walk(visit)
