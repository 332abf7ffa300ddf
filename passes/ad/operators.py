"""The kind of operator that a reduction, scan or histogram combines with."""

from __future__ import annotations

from tapeless._mlir import ir
from tapeless.passes.ir.regions.structure import arguments_of

PLAIN = {
    "arith.addf": "add",
    "arith.mulf": "mul",
    "arith.maximumf": "max",
    "arith.maxnumf": "max",
    "arith.minimumf": "min",
    "arith.minnumf": "min",
}
GENERAL = "general"


def component_kinds(combine: ir.Region) -> list[str]:
    """Per component of a tuple operator: add, mul, max, min when it is that on the component alone, else general.

    An operator on rows counts as what it does elementwise.
    """
    block = combine.blocks[0]
    arguments = list(block.arguments)
    count = len(arguments) // 2
    yielded = list(block.operations[len(block.operations) - 1].operation.operands)
    return [_kind(yielded[k], {arguments[k], arguments[count + k]}) for k in range(count)]


def is_vectorised(combine: ir.Region) -> bool:
    """Whether the operator works on rows, elementwise in every component."""
    arguments = list(combine.blocks[0].arguments)
    rows = all(isinstance(argument.type, ir.RankedTensorType) for argument in arguments)
    return rows and GENERAL not in component_kinds(combine)


def directions(scan: ir.OpView) -> tuple[bool, bool]:
    """Whether a scan is exclusive, and whether it runs from the right."""
    exclusive, reverse = (ir.IntegerAttr(scan.operation.attributes[name]).value for name in ("exclusive", "reverse"))
    return bool(exclusive), bool(reverse)


def _kind(value: ir.Value, operands: set[ir.Value]) -> str:
    """The plain operator that `value` is of exactly these two operands."""
    if isinstance(value, ir.BlockArgument):
        return GENERAL
    op = value.owner
    name = op.operation.name
    if name in PLAIN:
        return PLAIN[name] if set(op.operation.operands) == operands and len(operands) == 2 else GENERAL
    if name == "soac.map" and len(op.operation.results) == 1 and set(op.inputs) == operands and len(op.inputs) == 2:
        block = op.operation.regions[0].blocks[0]
        inner = block.operations[len(block.operations) - 1].operation.operands[0]
        return _kind(inner, set(arguments_of(op, "inputs")))
    return GENERAL
