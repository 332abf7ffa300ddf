"""The operations of regions of `rev`: pure right-hand sides, and sequences of statements."""

from __future__ import annotations

from collections.abc import Sequence

from tapeless._mlir import ir
from tapeless.dialects.regions import argument_problems, block_problems, is_empty, yield_problems
from tapeless.dialects.rev.cells import is_cell, operations_in
from tapeless.dialects.rev.dialect import StackType, YieldOp
from tapeless.dialects.verification import Problems

PURE_DIALECTS = frozenset({"ad", "arith", "math", "scf", "soac", "tensor"})
PURE_OPS = frozenset({"memref.load", "memref.dim", "rev.read", "rev.view", "rev.yield", "func.call"})
CELL_OPS = frozenset({"memref.load", "memref.dim"})
CHECK_MODES = ("on", "off", "status")
YIELD = YieldOp.OPERATION_NAME


def is_pure(op: ir.OpView) -> bool:
    """Whether an operation may stand in a right-hand side: it computes, or reads a cell."""
    name = op.operation.name
    return name in PURE_OPS or name.split(".")[0] in PURE_DIALECTS


def pure_problems(
    name: str, region: ir.Region, wanted: Sequence[ir.Type], meaning: str, arguments: Sequence[ir.Type] = ()
) -> Problems:
    """A region must be pure and yield values of the wanted types."""
    yield from block_problems(name, region, YIELD)
    yield from argument_problems(name, region, arguments, "nothing else")
    yield from yield_problems(name, region, wanted, meaning)
    for op in operations_in(region):
        if not is_pure(op):
            yield f"has {op.operation.name} in the pure region {name}; only compute and read there"
        yield from _escape_problems(name, op)


def _escape_problems(name: str, op: ir.OpView) -> Problems:
    """Cells are used by statements and reads only, so that it is known which cell is meant."""
    if op.operation.name in CELL_OPS or op.operation.name.startswith("rev."):
        return
    if any(map(_is_state, [*op.operation.operands, *op.operation.results])):
        yield f"has {op.operation.name} on a cell in the region {name}; read the cell first"


def _is_state(value: ir.Value) -> bool:
    return is_cell(value.type) or isinstance(value.type, StackType)


def body_problems(name: str, region: ir.Region, arguments: Sequence[ir.Type], meaning: str) -> Problems:
    """A region must be one block of statements with arguments of the wanted types."""
    if len(region.blocks) != 1:
        yield f"has {len(region.blocks)} blocks in the region {name}; give it exactly one"
    yield from argument_problems(name, region, arguments, meaning)
    for op in region.blocks[0].operations:
        if op.operation.name == YIELD or not (op.operation.name.startswith("rev.") or is_pure(op)):
            yield f"has {op.operation.name} in the region {name}; only statements of rev and pure computations go there"
        yield from _escape_problems(name, op)


def optional_body_problems(name: str, region: ir.Region) -> Problems:
    """A region must be empty or one block of statements without arguments."""
    if not is_empty(region):
        yield from body_problems(name, region, [], "nothing")


def check_attribute_problems(op: ir.OpView) -> Problems:
    """The attributes that steer run-time checks, where present."""
    attributes = op.attributes
    if "checks" in attributes and getattr(attributes["checks"], "value", None) not in CHECK_MODES:
        yield f"has checks = {attributes['checks']}; use one of {', '.join(CHECK_MODES)}"
    for name in ("atol", "rtol"):
        if name in attributes and not (isinstance(attributes[name], ir.FloatAttr) and attributes[name].value >= 0):
            yield f"has {name} = {attributes[name]}; give a float of at least 0"
