"""Which values have derivatives in a procedure: those that come from cells or parameters of floats."""

from __future__ import annotations

from tapeless._mlir import ir
from tapeless.dialects.rev.cells import is_cell

FLOATS = (ir.F64Type, ir.F32Type, ir.F16Type, ir.BF16Type)
FUNC = "rev.func"
READS = ("memref.load", "rev.read")


def holds_floats(type_: ir.Type) -> bool:
    """Whether a value, array or cell is made of floats."""
    return isinstance(getattr(type_, "element_type", type_), FLOATS)


def depends_on_floats(region: ir.Region) -> bool:
    """Whether a pure region yields something computed from a float cell, or from a float parameter of the procedure."""
    waiting = [value for block in region.blocks for value in list(block.operations)[-1].operands]
    seen: set[ir.Value] = set()
    while waiting:
        value = waiting.pop()
        if value in seen or not _may_depend(value):
            continue
        seen.add(value)
        if isinstance(value.owner, ir.Block):
            if value.owner.owner.name == FUNC:
                return True
            waiting += [each for each in value.owner.owner.operands if not is_cell(each.type)]
        elif value.owner.name in READS:
            return True
        else:
            waiting += _used_by(value.owner)
    return False


def _may_depend(value: ir.Value) -> bool:
    return holds_floats(value.type) and not is_cell(value.type)


def _used_by(op: ir.Operation) -> list[ir.Value]:
    """The values that an operation uses, in its regions too."""
    inside = (inner for region in op.regions for block in region.blocks for inner in block.operations)
    return [*op.operands, *(value for inner in inside for value in _used_by(inner.operation))]
